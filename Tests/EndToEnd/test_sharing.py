"""A patient who shows records to a doctor, in a browser."""

import pytest

from browsers import DESKTOP, SMALL
from conftest import unique
from demo_users import number
from input_devices import Keyboard, Pointer
from pages import BrowserSession, Page
from town import Town, free_times
from visitor import Visitor

SHARING, NEW = "/account/sharing", "/account/sharing/records"
DOCTOR = 2


class SharingPage(Page):
    kind, pattern = "sharing", rf"{SHARING}(\?.*)?"


class NewSharingPage(Page):
    kind, pattern = "sharing-new", NEW


class SharedWithMePage(Page):
    kind, pattern = "sharing-with-me", "/account/shared-with-me"


class ShownWeightsPage(Page):
    kind, pattern = "sharing-weights", r"/for/\d+/health-metrics/weights"


class ClosedPage(Page):
    kind, pattern = "sharing-ended", r"/for/\d+/health-metrics/weights"


class AccessLogPage(Page):
    kind, pattern = "sharing-log", "/account/access-log"


@pytest.mark.parametrize("language, size, device", [("en", DESKTOP, Pointer), ("he", SMALL, Keyboard)])
def test_a_doctor_reads_what_a_patient_shows_until_it_is_stopped(
        town, browsers, language, size, device):
    anna = Visitor(town).register(unique("sharing"))
    anna.submit("/", {"language": language}, action="/language")
    saved = anna.submit("/health-metrics/weights/new", {"value": "71.3"})
    assert saved.status == 303, saved
    [free] = free_times(anna, DOCTOR)
    booked = anna.submit(free.page, {}, action="/appointments/book")
    assert booked.status == 303, booked
    people = Town(town)
    doctor = people.signed_in(people.doctor_of(DOCTOR))
    doctor.set_language(language)
    browser = browsers(language).start_over(size)

    browser.sign_in_as(anna)
    session = BrowserSession(browser, town, device)
    new = session.open(SHARING, SharingPage).go(f"main a[href='{NEW}']", NewSharingPage)
    shown = new.fill({
        "module": "health-metrics", "reader": str(doctor.person),
    }).go("main form .actions .button", SharingPage)
    assert shown.find("main form button.danger")

    browser.start_over(size).sign_in_as(doctor)
    session = BrowserSession(browser, town, device)
    listed = session.open("/account/shared-with-me", SharedWithMePage)
    prefix = f"/for/{number(anna)}"
    assert listed.find(f"main a[href='{prefix}/health-metrics']")
    weights = f"{prefix}/health-metrics/weights"
    read = session.open(weights, ShownWeightsPage)
    assert "71.3" in read.text() and read.find(".in-care")
    assert not read.all("main a[href$='/new'], main a[href$='/edit']")

    browser.start_over(size).sign_in_as(anna)
    session = BrowserSession(browser, town, device)
    assert session.open("/account/access-log", AccessLogPage).find("main .rows")
    stopped = session.open(SHARING, SharingPage).go("main form button.danger", SharingPage)
    assert not stopped.find("main form button.danger")

    browser.start_over(size).sign_in_as(doctor)
    session = BrowserSession(browser, town, device)
    assert "71.3" not in session.open(weights, ClosedPage).text("body")
    assert doctor.get(weights).status == 404
