"""The pages of each role in the demonstration town: clinics, appointments and waiting lists."""

import io
import re
import zipfile
from datetime import date, timedelta

import icalendar
import pytest
from selenium.webdriver.common.keys import Keys

from browsers import DESKTOP, PHONE, SMALL
from conftest import unique
from input_devices import Pointer
from pages import SINCE, BrowserSession, Page
from town import free_times
from demo_users import OpenClinic, demo_user
from visitor import Visitor
from waiting import until
from ways import each_layout, parametrized

# A month with bookable times in the months before and after it.
NEXT_MONTH = (date.today().replace(day=1) + timedelta(days=32)).isoformat()[:7]

EVERYBODY = [
    "/appointments/clinics", "/appointments/clinics?specialization=surgery&hospital=1",
    "/appointments/clinics/1", "/appointments/clinics/map", "/appointments/clinics/nearest",
    "/appointments/doctors", "/appointments/doctors?available=1", "/appointments/doctors/1",
    "/appointments/doctors/1/display", "/appointments/doctors/2", "/useful-contacts",
]
PATIENT = [
    "/", "/appointments", "/appointments?show=completed", "/appointments/new",
    "/appointments/new?with=doctor", "/appointments/book?doctor=2",
    f"/appointments/book?doctor=2&weeks={NEXT_MONTH}-01", "/appointments/calendar",
    "/appointments/doctors/1", "/notifications", "/notifications/preferences", "/account/edit",
    "/account/start-page", "/account/home-cards",
    "/health-metrics", "/health-metrics/weights", "/health-metrics/weights/new",
    "/health-metrics/weights/1", "/health-metrics/weights/chart",
    "/health-metrics/weights/chart?range=year", "/health-metrics/blood-pressure",
    "/health-metrics/blood-pressure/new", "/health-metrics/blood-pressure/1",
    "/health-metrics/blood-pressure/chart", "/health-metrics/blood-pressure/chart?range=all",
    "/health-metrics/report", "/health-metrics/guide", "/health-metrics/home-week",
    "/health-metrics/home-week/start", "/health-metrics/preferences",
    "/covid-stats/information",
]
DOCTOR = ["/", "/appointments/queue", "/appointments/day", "/appointments"]
RECEPTIONIST = [
    "/appointments/desk", "/appointments/desk/book",
    f"/appointments/desk/book?doctor=1&weeks={NEXT_MONTH}-01", "/appointments/desk/new",
]
ADMINISTRATOR = [
    "/appointments/admin/clinics", "/appointments/admin/clinics/new",
    "/appointments/admin/clinics/1", "/appointments/admin/clinics/1/edit",
    "/appointments/admin/clinics/1/close", "/appointments/admin/departments/1",
    "/appointments/admin/doctors/1", "/appointments/admin/doctors/1/hours",
    "/appointments/admin/doctors/1/exceptions/new", "/admin",
]
ROLES = {
    "": EVERYBODY, "patient": PATIENT, "doctor": DOCTOR, "desk": RECEPTIONIST,
    "admin": ADMINISTRATOR,
}


class Shown(Page):
    """Any page, named after its role and path."""

    pattern = r"/.*"

    def __init__(self, session, role, path):
        self.kind = "town-" + "-".join([role or "everybody", *re.findall(r"[a-z0-9]+", path)])
        super().__init__(session)


@each_layout
@pytest.mark.parametrize("role", ROLES, ids=lambda role: role or "everybody")
def test_every_page_passes_the_layout_and_accessibility_checks(town, browsers, role, language, size):
    visitor = demo_user(town, role, language)
    browser = browsers(language).start_over(size)
    session = BrowserSession(browser, town, Pointer)
    if role:
        # Signing in applies the account's language, which is English for the town's first users.
        visitor.submit("/", {"language": language}, action="/language")
    browser.sign_in_as(visitor)
    for path in ROLES[role]:
        session.open(path, lambda session, path=path: Shown(session, role, path))
    assert browser.complaints() == []


@parametrized(
    "language, size", [("en", PHONE), ("ru", SMALL), ("he", PHONE), ("en", DESKTOP), ("ru", DESKTOP)],
    [("ru", SMALL), ("he", PHONE), ("en", DESKTOP)])
def test_the_current_tab_is_visible_without_scripts(town, browsers, language, size):
    browser = browsers(language).start_over(size, scripts=False)
    driver = browser.sign_in_as(demo_user(town, "admin", language))
    driver.get(town.origin + "/")
    tabs = [tab.get_attribute("href") for tab in driver.find_elements("css selector", ".modules > ul a")]
    assert len(tabs) == 10
    for number, address in enumerate(tabs):
        driver.get(address)
        [current] = driver.find_elements("css selector", ".modules > ul [aria-current]")
        assert current.get_attribute("href") == address
        if size != DESKTOP and number > 3:
            # A phone has the entry in its menu, which is marked.
            current = driver.find_element("css selector", ".modules > details.current > summary")
        shown = driver.find_elements("css selector", ".modules > ul > li > a, .modules > details > summary")
        boxes = [entry.rect for entry in shown if entry.is_displayed()]
        assert len(boxes) == (10 if size == DESKTOP else 5)
        assert len({box["y"] for box in boxes}) == 1, "the row of tabs is broken"
        assert current.is_displayed()
        assert all(0 <= box["x"] <= size[0] - box["width"] for box in boxes), address


@pytest.mark.parametrize("language", ["en", "he"])
def test_the_menu_of_a_phone_opens_without_scripts_and_closes_by_escape_with_them(town, browsers, language):
    visitor = demo_user(town, "patient", language)
    for scripts in [False, True]:
        browser = browsers(language).start_over(PHONE, scripts=scripts)
        driver = browser.sign_in_as(visitor)
        driver.get(town.origin + "/")
        summary = driver.find_element("css selector", ".modules summary")
        summary.send_keys(Keys.ENTER)
        links = driver.find_elements("css selector", ".modules details li:not(.large-text) a")
        until(lambda: all(link.is_displayed() for link in links))
        for box in [link.rect for link in links]:
            assert 0 <= box["x"] <= PHONE[0] - box["width"] and 0 <= box["y"] < summary.rect["y"]
        if scripts:
            links[0].send_keys(Keys.ESCAPE)
            until(lambda: not links[0].is_displayed())
            assert driver.switch_to.active_element == summary


@parametrized("language, size", [("en", PHONE), ("he", PHONE), ("ru", DESKTOP)], [("en", PHONE), ("he", PHONE)])
def test_the_open_menu_of_text_sizes_passes_the_layout_and_accessibility_checks(town, browsers, language, size):
    browser = browsers(language).start_over(size)
    browser.sign_in_as(demo_user(town, "patient", language))
    session = BrowserSession(browser, town, Pointer)
    home = session.open("/", lambda session: Shown(session, "patient", "/"))
    home.open_menu("details.text-size")
    Shown(session, "patient", "/text-sizes")
    assert home.find("details.text-size .sizes button").is_displayed()
    assert browser.complaints() == []


@pytest.mark.parametrize("size", [PHONE, DESKTOP])
def test_guests_reach_the_clinics_and_doctors_by_the_navigation(town, browsers, size):
    browser = browsers("en").start_over(size)
    session = BrowserSession(browser, town, Pointer)
    browser.driver.get(town.origin + "/login")
    for path in ["/appointments/clinics", "/appointments/doctors", "/"]:
        browser.driver.find_element("css selector", f".modules > ul a[href='{path}']").click()
        Shown(session, "", path)
        assert browser.path == path


def book(visitor, purpose, doctor=2):
    """Books the doctor's first free time; returns the paths of its form and of the appointment."""
    [free] = free_times(visitor, doctor)
    time = free.page
    booked = visitor.submit(time, {"purpose": purpose}, action="/appointments/book")
    assert booked.status == 303
    return time, booked.location.split("?")[0]


@each_layout
def test_appointment_pages_for_doctors_and_receptionists_pass_the_layout_and_accessibility_checks(
        town, browsers, language, size):
    _, page = book(Visitor(town).register(unique("patient")), "Check-up", doctor=1)
    for role in ["doctor", "desk"]:
        visitor = demo_user(town, role, language)
        browser = browsers(language).start_over(size)
        browser.sign_in_as(visitor)
        session = BrowserSession(browser, town, Pointer)
        paths = {"appointment": page}
        if role == "desk":
            [free] = free_times(visitor, doctor=1, pages=f"{page}/reschedule")
            paths |= {"withdraw": f"{page}/withdraw", "move": free.page}
        for name, path in paths.items():
            session.open(path, lambda session, name=name: Shown(session, role, f"/{name}"))
        assert browser.complaints() == []


def test_a_booked_time_is_refused_to_another_patient_and_the_booking_can_be_cancelled(town):
    anna = Visitor(town).register(unique("patient"))
    time, page = book(anna, "Check-up")
    assert "Check-up" in anna.get(page).text
    other = Visitor(town).register(unique("patient"))
    lost = other.get(time)
    assert lost.status == 409 and "/appointments/book?" in lost.text and 'name="purpose"' not in lost.text
    assert other.get(page).status == 404
    cancelled = anna.submit(f"{page}/cancel", {"reason": "Well again"})
    assert cancelled.status == 303
    assert "Well again" in anna.get(page).text


def events(answer):
    assert answer.status == 200 and answer.headers["Content-Type"].startswith("text/calendar")
    return icalendar.Calendar.from_ical(answer.body).walk("VEVENT")


def test_a_calendar_feed_shows_bookings_until_its_address_is_revoked(town):
    anna = Visitor(town).register(unique("patient"))
    _, page = book(anna, "A private matter")
    [event] = events(anna.get(f"{page}.ics"))
    assert event["STATUS"] == "CONFIRMED" and event.start.utcoffset().total_seconds() == 0
    assert "private matter" not in anna.get(f"{page}.ics").text
    assert Visitor(town).register(unique("patient")).get(f"{page}.ics").status == 404

    made = anna.submit("/appointments/calendar", {}, action="/appointments/calendar/new")
    # The address to copy. The links to calendar programs contain it too.
    address = re.escape(f"{town.origin}/appointments/calendar/") + r"([A-Za-z0-9_-]{20,})\.ics"
    [secret] = re.findall(f">{address}<", made.text)
    feed = f"/appointments/calendar/{secret}.ics"
    stranger = Visitor(town)
    [followed] = events(stranger.get(feed))
    assert followed["UID"] == event["UID"]
    assert anna.submit(f"{page}/cancel", {"reason": ""}).status == 303
    [cancelled] = events(stranger.get(feed))
    assert cancelled["STATUS"] == "CANCELLED" and cancelled["SEQUENCE"] > event["SEQUENCE"]
    revoke = links_of_forms(anna.get("/appointments/calendar"), r"/appointments/calendar/\d+/revoke")
    assert anna.submit("/appointments/calendar", {}, action=revoke[0]).status == 303
    assert stranger.get(feed).status == 404
    assert secret not in town.said


def test_the_export_contains_appointments_as_a_valid_calendar(town):
    anna = Visitor(town).register(unique("patient"))
    _, page = book(anna, "A private matter")
    for day in ["2024-02-29", "2099-05-10"]:
        kept = anna.submit("/appointments/new", {
            "date": day, "time": "11:30", "location": "Dentist; Long Street, 5, " + "wörter " * 20})
        assert kept.status == 303, kept
    # The appointment's own calendar file, to compare the export with.
    [event] = events(anna.get(f"{page}.ics"))
    with zipfile.ZipFile(io.BytesIO(anna.submit("/account/export", {}).body)) as copy:
        calendar = icalendar.Calendar.from_ical(copy.read("appointments.ics"))
    found = {each["UID"]: each for each in calendar.walk("VEVENT")}
    assert len(found) == 3 and not any(each.errors for each in found.values())
    assert found[event["UID"]].start == event.start and found[event["UID"]].end == event.end
    starts = sorted(each.start.isoformat() for each in found.values())
    assert starts[0] == "2024-02-29T08:30:00+00:00" and starts[-1] == "2099-05-10T08:30:00+00:00"
    past = next(each for each in found.values() if each.start.year == 2024)
    assert "Dentist; Long Street, 5" in past["LOCATION"] and not past.walk("VALARM")
    assert "private matter" not in calendar.to_ical().decode()
    nobody = Visitor(town).register(unique("patient"))
    with zipfile.ZipFile(io.BytesIO(nobody.submit("/account/export", {}).body)) as copy:
        assert "appointments.ics" not in copy.namelist()


def links_of_forms(answer, pattern):
    return re.findall(f'action="({pattern})"', answer.text)


def test_the_waiting_room_display_updates_without_a_page_load(town, browsers):
    """The call is announced to screen readers."""
    clinic = OpenClinic(town)
    doctor, number = clinic.doctor_visitor, clinic.doctor
    browser = browsers("en").start_over(DESKTOP)
    driver = browser.driver
    driver.get(f"{town.origin}/appointments/doctors/{number}/display")
    before = driver.execute_script(SINCE)
    assert doctor.submit("/appointments/queue", {}, action="/appointments/queue/open").status == 303
    page = f"/appointments/doctors/{number}"
    patient = Visitor(town).register(unique("patient"))
    assert patient.submit(page, {"present": "yes"}, action=f"{page}/queue").status == 303
    # A page that becomes visible polls at once.
    driver.execute_script("document.dispatchEvent(new Event('visibilitychange'))")
    until(lambda: driver.find_elements("css selector", ".call[role='status'] strong"))
    assert driver.find_element("css selector", ".call strong").text == "1"
    assert driver.execute_script(SINCE) == before
    assert browser.complaints() == []
