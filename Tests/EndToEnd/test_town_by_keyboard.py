"""The tasks of each role in the demonstration town by keyboard alone, with each page inspected."""

from selenium.webdriver.support.select import Select

from browsers import DESKTOP, PHONE
from conftest import unique
from input_devices import Keyboard
from demo_users import OpenClinic, approve, at, number, open_session, demo_user
from visitor import Visitor

SUBMIT = "main form.form > .actions .button:not([name])"
WAYS = at("book-ways", r"/appointments/new\?with=doctor")
DOCTORS = at("book-doctors", r"/appointments/new\?specialization=[a-z-]+")
BOOKING = r"/appointments/(book|desk/book(/login)?|\d+/edit)"
MONTH = at("book-times", BOOKING + r"(\?doctor=\d+)?")
LATER = at("book-later", BOOKING + r"\?doctor=\d+&from=[0-9-]+")
DAY = at("book-day", BOOKING + r"\?doctor=\d+&date=[0-9-]+")
TIME = at("book-time", BOOKING + r"\?doctor=\d+&date=[^&]+&time=.*")
DETAILS = at("appointment", r"/appointments/\d+(\?booked=1)?")

# The highest id of the demonstration's doctors.
DEMONSTRATED = 40


def choose_time(page):
    """Opens the booking form of a time after the next days, because one within two hours cannot be
    cancelled."""
    return page.go("main .booking .actions a[href*='from=']:last-child", LATER).go("main details[open] .times a", TIME)


def test_a_patient_books_reschedules_and_cancels_by_keyboard(town, browsers):
    browser = browsers("en").start_over(PHONE)
    anna = Visitor(town).register(unique("keyboard"))
    session = open_session(town, browser, Keyboard, anna)
    listed = session.open("/appointments", at("appointments-none", "/appointments"))
    ways = listed.go("main a[href$='with=doctor']", WAYS)
    doctors = ways.go("main ul.rows a", DOCTORS)
    # A doctor of the demonstration, because a doctor created by another test may have no hours.
    links = [link.get_dom_attribute("href") for link in doctors.all("main ul.rows a")]
    link = next(link for link in links if int(link.rpartition("=")[2]) <= DEMONSTRATED)
    month = doctors.go(f"main ul.rows a[href='{link}']", MONTH)
    form = choose_time(month).fill({"birth_date": "04151980", "purpose": "A check-up"})
    booked = form.go(SUBMIT, DETAILS)
    assert "A check-up" in booked.driver.page_source and booked.find("[role='status']")

    moved = choose_time(booked.go("main a[href$='/edit']", MONTH)).go(SUBMIT, DETAILS)
    assert "new time" in moved.text("[role='status']").lower()

    question = moved.go(
        "main a[href$='/cancel']", at("appointment-cancel", r"/appointments/\d+/cancel"))
    question.session.device.write(question.find("#reason"), "Well again")
    gone = question.go("main form .button.danger", DETAILS)
    assert "Well again" in gone.driver.page_source and not gone.find("main a[href$='/edit']")
    assert browser.complaints() == []


def test_a_doctor_opens_the_waiting_list_calls_patients_and_closes_it_by_keyboard(town, browsers):
    clinic = OpenClinic(town)
    doctor, number_of_doctor = clinic.doctor_visitor, clinic.doctor
    browser = browsers("en").start_over(DESKTOP)
    session = open_session(town, browser, Keyboard, doctor)
    queue = at("queue", r"/appointments/queue")
    closed = session.open("/appointments/queue", at("queue-closed", "/appointments/queue"))
    closed.go("form[action$='/queue/open'] button", at("queue-empty", "/appointments/queue"))
    page = f"/appointments/doctors/{number_of_doctor}"
    for _ in range(2):
        patient = Visitor(town).register(unique("waiting"))
        assert patient.submit(page, {"present": "yes"}, action=f"{page}/queue").status == 303
    first = session.open("/appointments/queue", queue)
    assert first.text("main .figure") == "1"
    second = first.go("form[action$='/queue/next'] button", queue)
    assert second.text("main .figure") == "2"
    empty = second.go("form[action$='/queue/finish'] button", queue)
    assert not empty.find("main .figure")
    closing = empty.find("main details summary")
    empty.session.device.activate(closing)
    empty.go("main details button.danger", closed.__class__)
    assert browser.complaints() == []


def test_a_receptionist_books_for_a_patient_without_an_account_and_records_the_arrival(town, browsers):
    clinic = OpenClinic(town)
    browser = browsers("en").start_over(DESKTOP)
    session = open_session(town, browser, Keyboard, clinic.receptionist)
    day = at("desk", r"/appointments/desk(\?date=.*)?")
    doctors = session.open("/appointments/desk", day).go(
        "main form[role='search'] .button", at("desk-doctors", "/appointments/desk/book"))
    month = doctors.go("main ul.rows a", MONTH)
    day_of_times = month.go(f"main table.calendar a[href$='date={clinic.today}']", DAY)
    form = day_of_times.go("main .times a", TIME)
    newcomer = form.go(
        "main a[href^='/appointments/desk/new']", at("desk-new", r"/appointments/desk/new\?.*"))
    newcomer.fill({"name": "Zelda", "surname": "Newcomer", "phone": "+375 17 1234567"})
    shown = newcomer.go(SUBMIT, day)
    assert "Zelda Newcomer" in shown.text("main li .item")
    arrived = shown.go("main li form[action$='/arrived'] button", day)
    assert arrived.find("main li .badge.waiting") and not arrived.find("form[action$='/arrived']")
    assert browser.complaints() == []


def test_an_administrator_adds_a_clinic_a_department_and_a_doctor_by_keyboard(town, browsers):
    waiting = Visitor(town).register(
        unique("newdoc"), role="doctor", name="Quentin", surname="Tester")
    chief = demo_user(town, "admin")
    approve(chief, waiting, "doctor")
    browser = browsers("en").start_over(PHONE)
    session = open_session(town, browser, Keyboard, chief)
    clinics = session.open(
        "/appointments/admin/clinics", at("admin-clinics", "/appointments/admin/clinics"))
    form = clinics.go("main a[href$='/clinics/new']", at("admin-clinic-new", r".*/clinics/new"))
    form.fill({
        "name_en": "Lighthouse Clinic", "country": "BY", "city": "Minsk", "street": "Mole",
        "house_number": "7", "latitude": "53.91", "longitude": "27.6", "phone": "+375 17 555",
    })
    zone = form.find("[name='time_zone']")
    if zone.tag_name == "select":
        assert Select(zone).first_selected_option.get_attribute("value") == "Europe/Minsk"
    else:
        form.fill({"time_zone": "Europe/Minsk"})
    clinic = form.go(SUBMIT, at("admin-clinic", r"/appointments/admin/clinics/\d+"))
    assert clinic.text("main h1") == "Lighthouse Clinic"
    department = clinic.go(
        "main a[href$='/departments/new']", at("admin-department-new", r".*/departments/new"))
    department.fill({"specialization": "cardiology"})
    made = at("admin-department", r"/appointments/admin/(departments|clinics)/\d+")
    shown = department.go(SUBMIT, made)
    if "/clinics/" in browser.path:
        shown = shown.go("main ul.rows a", made)
    doctor = shown.go("main a[href$='/doctors/new']", at("admin-doctor-new", r".*/doctors/new"))
    doctor.fill({"account": number(waiting), "doctor_name": "Dr. Tester", "slot_minutes": "15"})
    made = doctor.go(SUBMIT, at("admin-doctor", r"/appointments/admin/doctors/\d+"))
    assert made.text("main h1") == "Dr. Tester" and "15 minutes" in made.text()
    assert browser.complaints() == []
