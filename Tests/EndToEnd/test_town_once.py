"""Further features of the demonstration town: printing, position, form errors, import and time zones."""

import base64
import re
from datetime import date, datetime, timedelta

import pytest

import plaintext
from browsers import PAPER, PHONE
from conftest import unique
from input_devices import Keyboard, Pointer
from paper import PrintedPage
from town import free_times
from demo_users import OpenClinic, at, number, open_session, demo_user
from visitor import PASSWORD, Visitor
from waiting import until
from ways import each_language

SUBMIT = "main form.form > .actions .button:not([name])"
# Elements hidden in print.
UNPRINTED = ["header nav", "footer form", "main form button"]


def printed(browser, name):
    """Prints the page; returns the hidden state of each unprinted element and the printed text."""
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        hidden = browser.driver.execute_script(
            "return arguments[0].map((one) => [...document.querySelectorAll(one)].every("
            "(element) => element.getClientRects().length === 0))", UNPRINTED)
        text = browser.driver.execute_script("return document.querySelector('main').innerText")
        browser.picture(name)
        sheet = browser.driver.execute_cdp_cmd("Page.printToPDF", {"printBackground": False})
    finally:
        browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    assert base64.b64decode(sheet["data"]).startswith(b"%PDF")
    return dict(zip(UNPRINTED, hidden)), text


@pytest.mark.parametrize("login, path, words", [
    ("patient", "/appointments", "Appointments"), ("desk", "/appointments/desk", "Reception"),
    ("doctor", "/appointments/queue", "My waiting list"), ("doctor", "/appointments/day", ""),
])
def test_printed_pages_have_no_buttons_or_navigation(town, browsers, login, path, words):
    browser = browsers("en").start_over(PAPER)
    open_session(town, browser, Pointer, demo_user(town, login)).open(path, at("printed", ".*"))
    hidden, text = printed(browser, f"print-{login}{path.replace('/', '-')}")
    assert all(hidden.values()), hidden
    assert words in text


@each_language
def test_no_text_of_a_printed_appointment_or_certificate_touches_another(town, browsers, tmp_path, language):
    patient = demo_user(town, "patient", language)
    slip, certificate = [
        re.search(rf'href="({start}/\d+)"', patient.get(start).text)[1] for start in ["/appointments", "/vaccination-qr"]]
    browser = browsers(language).start_over()
    browser.sign_in_as(patient)
    for name, path in [("slip", slip), ("certificate", certificate), ("cards", "/vaccination-qr/print")]:
        browser.driver.get(town.origin + path)
        page = PrintedPage(browser.driver, tmp_path, f"{name}-{language}")
        assert len(page.words) > 10, name
        assert page.touching == [], name


def test_the_nearest_clinics_are_found_by_the_browsers_position(town, browsers):
    browser = browsers("en").start_over(PHONE)
    session = open_session(town, browser, Pointer, demo_user(town, "patient2"))
    page = session.open("/appointments/clinics/nearest", at("nearest", "/appointments/clinics/nearest"))
    button = "main [data-position] button"
    place = {"latitude": 53.9045, "longitude": 27.5615, "accuracy": 10}
    drive = browser.driver.execute_cdp_cmd
    drive("Browser.setPermission", {
        "permission": {"name": "geolocation"}, "setting": "denied", "origin": town.origin})
    session.device.activate(page.find(button))
    until(lambda: "does not share your position" in page.text("main [data-position] [role='status']"))
    try:
        drive("Browser.grantPermissions", {"permissions": ["geolocation"], "origin": town.origin})
        drive("Emulation.setGeolocationOverride", place)
        found = page.go(button, at("nearest-found", "/appointments/clinics/nearest"))
    finally:
        drive("Emulation.clearGeolocationOverride", {})
        drive("Browser.resetPermissions", {})
    assert "Riverside Polyclinic" in found.text("main li a[href^='/appointments/clinics/']")
    # Neither the address nor the portal's log contains the position.
    assert "27.56" not in browser.driver.current_url and "27.5615" not in town.said
    assert browser.complaints() == []


def test_errors_in_working_hours_are_shown_beside_their_fields(town, browsers):
    browser = browsers("en").start_over(PHONE)
    session = open_session(town, browser, Pointer, demo_user(town, "admin"))
    form = session.open("/appointments/admin/doctors/3/hours", at("hours", r".*/hours"))
    starts = form.all("[name='work_starts']")[0]
    browser.driver.execute_script("arguments[0].value = '19:00'", starts)
    wrong = form.go(SUBMIT, at("hours-errors", r".*/hours"))
    summary = wrong.all(".summary a")
    assert summary and wrong.find("[aria-invalid='true']")
    target = summary[0].get_attribute("href").rpartition("#")[2]
    field = wrong.find(f"#{target}")
    described = field.get_attribute("aria-describedby").split()
    assert any(wrong.find(f"#{one}").text for one in described if one.endswith("-error"))
    assert browser.complaints() == []


def test_a_day_off_leads_to_the_affected_appointments(town, browsers):
    clinic = OpenClinic(town)
    doctor, today = clinic.doctor, clinic.today
    anna = Visitor(town).register(unique("displaced"))
    page = anna.get(f"/appointments/book?doctor={doctor}&date={today}")
    time = page.text.split('class="times"')[1].split('href="')[1].split('"')[0].replace("&amp;", "&")
    booked = anna.submit(time, {"purpose": ""}, action="/appointments/book")
    assert booked.status == 303, booked
    browser = browsers("en").start_over(PHONE)
    session = open_session(town, browser, Pointer, clinic.chief)
    form = session.open(
        f"/appointments/admin/doctors/{doctor}/exceptions/new", at("exception-new", r".*/exceptions/new"))
    form.fill({"exception": "off"})
    for name in ["first_day", "last_day"]:
        browser.driver.execute_script(
            "arguments[0].value = arguments[1]", form.find(f"[name='{name}']"), today)
    displaced = form.go(
        SUBMIT, at("displaced", r"/appointments/admin/exceptions/\d+(\?.*)?"))
    assert "1 appointment" in displaced.text()
    cancel = displaced.go("main a[href$='/cancel']", at("displaced-cancel", r".*/cancel"))
    cancel.fill({"cancellation_reason": "The doctor is away"})
    cancel.go("main form .button.danger", at("displaced-done", r"/appointments/admin/.*"))
    assert "The doctor is away" in anna.get(booked.location.split("?")[0]).text
    assert browser.complaints() == []


HEADER = "key;name_en;country;city;street;house_number;time_zone;specializations\n"


def test_clinics_are_imported_from_a_file(town, tmp_path):
    good, bad = tmp_path / "good.csv", tmp_path / "bad.csv"
    good.write_text(HEADER + "hill;Hill Clinic;BY;Minsk;Hill Road;5;Europe/Minsk;cardiology urology\n")
    bad.write_text(HEADER + "vale;Vale Clinic;BY;Minsk;Vale Road;5;Europe/Atlantis;cardiology\n")
    command = ["appointments", "import-clinics"]
    dry = town.run(*command, good, "--dry-run")
    assert dry.returncode == 0 and "dry run" in dry.stdout and "1 new" in dry.stdout, dry
    everybody = Visitor(town)
    assert "Hill Clinic" not in everybody.get("/appointments/clinics").text
    wrong = town.run(*command, bad)
    assert wrong.returncode == 1 and "line 2: time_zone" in wrong.stderr, wrong
    missing = town.run(*command, tmp_path / "missing.csv")
    assert missing.returncode == 1 and "missing.csv" in missing.stderr
    done = town.run(*command, good)
    assert done.returncode == 0, done
    assert "Hill Clinic" in everybody.get("/appointments/clinics?q=hill").text
    again = town.run(*command, good)
    assert "0 new, 0 changed, 1 as they were" in again.stdout


def test_an_unknown_time_zone_is_refused_and_kathmandu_times_are_exported_in_utc(town):
    chief = demo_user(town, "admin")
    clinics = "/appointments/admin/clinics/new"
    fields = {
        "name_en": "Mountain Clinic", "country": "NP", "city": "Kathmandu", "street": "Ring Road",
        "house_number": "1", "phone": "+977 1 1"}
    wrong = chief.submit(clinics, {**fields, "time_zone": "Europe/Atlantis"})
    assert wrong.status == 422 and 'id="time_zone-error"' in wrong.text

    # Kathmandu is 5 hours and 45 minutes ahead of UTC, and the calendar file has the time in UTC.
    clinic = OpenClinic(town, "Asia/Kathmandu")
    anna = Visitor(town).register(unique("nepal"))
    page = anna.get(f"/appointments/book?doctor={clinic.doctor}&date={clinic.today}").text
    first = page.split('class="times"')[1].split('href="')[1].split('"')[0].replace("&amp;", "&")
    assert "time=00%3A00" in first
    booked = anna.submit(first, {"purpose": ""}, action="/appointments/book")
    file = anna.get(booked.location.split("?")[0] + ".ics").text
    midnight = datetime.fromisoformat(f"{clinic.today}T00:00+00:00") - timedelta(seconds=20_700)
    assert f"DTSTART:{midnight:%Y%m%dT%H%M%SZ}" in file


def test_a_time_skipped_by_daylight_saving_is_refused(start_portal):
    """In Rome, clocks are set forward on the last Sunday in March."""
    portal = start_portal()
    text = portal.configuration.read_text()
    zone = next(line for line in text.splitlines() if "time_zone:" in line)
    portal.stop()
    portal.configuration.write_text(text.replace(zone, '  time_zone: "Europe/Rome"'))
    portal.start()
    anna = Visitor(portal).register(unique("rome"))
    march = date(date.today().year + 1, 3, 31)
    sunday = march - timedelta(days=(march.weekday() + 1) % 7)
    personal = {"date": sunday.isoformat(), "time": "02:30", "location": "Dentist", "purpose": ""}
    gone = anna.submit("/appointments/new", personal)
    assert gone.status == 422 and 'id="time-error"' in gone.text
    assert "because the clocks go forward" in gone.text
    assert anna.submit("/appointments/new", {**personal, "time": "03:00"}).status == 303
    over = anna.submit("/appointments/new", {**personal, "date": "2026-03-29"})
    assert over.status == 422


def test_an_invited_patient_gets_an_account_and_keeps_the_appointment(town, browsers):
    clinic = OpenClinic(town)
    _, newest = clinic.book("Zinaida", "Invited")
    browser = browsers("en").start_over(PHONE)
    session = open_session(town, browser, Keyboard, clinic.chief)
    page = session.open(newest, at("person-without-account", r"/admin/people/\d+"))
    shown = page.go("form[action$='/invite'] button", at("invitation-link", r"/admin/people/\d+/invite"))
    link = shown.text("output.secret").removeprefix(town.origin)

    browser.start_over(PHONE)
    form = session.open(link, at("invitation", r"/invitation/.+"))
    assert "Zinaida Invited" in form.text()
    login = unique("invited")
    form.fill({
        "login": login, "email": f"{login}@example.org", "password": PASSWORD,
        "password_confirm": PASSWORD, "consent": True})
    form.go(SUBMIT, at("invited-home", "/"))
    listed = session.open("/appointments", at("invited-appointments", "/appointments"))
    assert "Dr. Quiet" in listed.text()
    assert Visitor(town).get(link).status == 410
    assert browser.complaints() == []


def test_no_file_contains_the_name_of_a_doctor_who_is_also_a_patient(town):
    clinic = OpenClinic(town)
    path = f"/appointments/admin/doctors/{clinic.doctor}"
    name = "Dr. Zqcampanula"
    assert clinic.chief.submit(f"{path}/edit", {"doctor_name": name}).location == path
    doctor = clinic.doctor_visitor
    [time] = free_times(doctor, 1)
    assert doctor.submit(time.page, {"purpose": ""}, action="/appointments/book").status == 303
    assert name in Visitor(town).get(f"/appointments/doctors/{clinic.doctor}").text
    assert plaintext.found(town.data, {"name": "Zqcampanula"}) == []
    assert town.run("check").returncode == 0


def test_a_doctor_with_booked_patients_cannot_be_erased(town, browsers):
    clinic = OpenClinic(town)
    appointment, _ = clinic.book("Boris", "Booked")
    login = clinic.doctor_visitor.login
    refused = town.run("user", "erase", login)
    assert refused.returncode == 1 and "1 appointment is booked with this doctor" in refused.stderr
    browser = browsers("en").start_over(PHONE)
    session = open_session(town, browser, Pointer, clinic.chief)
    page = f"/admin/people/{number(clinic.doctor_visitor)}"
    person = session.open(page, at("person-doctor", r"/admin/people/\d+"))
    kept = person.go("main a[href$='/erase']", at("erase-obstacle", r"/admin/people/\d+/erase"))
    assert "1 appointment is booked with this doctor" in kept.text("[role='alert']")
    done = clinic.receptionist.submit(f"{appointment}/withdraw", {"reason": ""})
    assert done.status == 303
    question = session.open(f"{page}/erase", at("erase-question", r"/admin/people/\d+/erase"))
    question.fill({"confirm": "1"})
    erased = question.go("main form .button.danger", at("people-erased", r"/admin/people\?done=erased"))
    assert "The person is deleted" in erased.text("[role='status']")
    assert town.run("user", "erase", login).returncode == 1
    assert browser.complaints() == []
