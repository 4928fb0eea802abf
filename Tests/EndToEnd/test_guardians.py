"""A parent who acts for a child, in a browser."""

import pytest

from browsers import DESKTOP, SMALL
from conftest import unique
from input_devices import Keyboard, Pointer
from pages import BrowserSession, DashboardPage, Page
from programs import Program, make_token
from test_cards import upload
from town import free_times
from visitor import Visitor

PEOPLE, NEW = "/account/people", "/account/people/child"
# 3 March, typed alike whether a browser asks for the month or the day first.
BIRTHDAY = "03032019"


class PeoplePage(Page):
    kind, pattern = "guardians", PEOPLE


class NewChildPage(Page):
    kind, pattern = "guardians-child", NEW


class ChildHomePage(Page):
    kind, pattern = "guardians-home", r"/for/\d+/"


class ChildWeightsPage(Page):
    kind, pattern = "guardians-weights", r"/for/\d+/health-metrics/weights(\?.*)?"


class WeightsPage(Page):
    kind, pattern = "guardians-own-weights", "/health-metrics/weights"


class BookingPage(Page):
    kind, pattern = "guardians-booking", r"/appointments/book\?.*"


class ChildBookingPage(Page):
    kind, pattern = "guardians-child-booking", r"/for/\d+/appointments/book\?.*"


class ChildBookedPage(Page):
    kind, pattern = "guardians-booked", r"/for/\d+/appointments/\d+\?.*"


class RefusedPage(Page):
    kind, pattern = "guardians-refused", r"/for/\d+/contacts"


def enter(parent):
    """Enters a child and returns the beginning of its addresses."""
    added = parent.submit(NEW, {
        "name": "Mia", "surname": "Cohen", "birth_date": "2019-03-03", "is_guardian": "yes"})
    assert added.status == 303, added
    return parent.get(PEOPLE).links(r"/for/\d+/")[0].rstrip("/")


def test_a_program_of_a_parent_keeps_a_reading_for_the_child(portal, person):
    anna = person()
    weights = f"{enter(anna)}/api/v1/health-metrics/weights"
    program = Program(portal, make_token(anna, **{"health-metrics": "write"}))
    reading = {"value": 23, "unit": "kg", "measured_at": "2026-03-05T08:00:00+03:00"}
    made = program.ask("POST", weights, reading)
    assert made.status == 201 and made.location.startswith(weights), made
    assert program.ask("GET", weights).json["items"][0]["value"] == 23
    assert program.ask("GET", "/api/v1/health-metrics/weights").json["items"] == []
    assert Program(portal).ask("GET", weights).json["status"] == 401
    refused = program.ask("GET", f"/for/1{weights[weights.index('/api'):]}")
    assert refused.status == 404 and refused.json["status"] == 404


def test_a_large_file_is_taken_for_the_child(person):
    anna = person()
    prefix = enter(anna)
    rows = "".join(
        f"2025-{month:02}-{day:02}T{hour:02}:00:00+03:00,23.{day},kg,{'after breakfast ' * 30}\n"
        for month in range(1, 13) for day in range(1, 28) for hour in (7, 12, 18, 22))
    assert len(rows) > 600_000
    page = f"{prefix}/health-metrics/weights/import"
    preview = upload(anna, f"measured_at,value,unit,note\n{rows}", page=page)
    assert preview.startswith(f"{page}/")


@pytest.mark.parametrize("language, size, device", [("en", DESKTOP, Pointer), ("he", SMALL, Keyboard)])
def test_a_parent_enters_a_child_and_keeps_a_reading_for_it_alone(
        portal, person, browsers, language, size, device):
    anna = person(language=language)
    anna.submit("/", {"language": language}, action="/language")
    browser = browsers(language).start_over(size)
    browser.sign_in_as(anna)
    session = BrowserSession(browser, portal, device)
    new = session.open(PEOPLE, PeoplePage).go(f"main a[href='{NEW}']", NewChildPage)
    listed = new.fill({
        "name": "Mia", "surname": "Cohen", "birth_date": BIRTHDAY, "is_guardian": "yes",
    }).go("main form .actions .button", PeoplePage)
    child = listed.go(".people a[href^='/for/']", ChildHomePage)
    assert "Mia Cohen" in child.driver.title and "Mia Cohen" in child.text(".in-care")
    prefix = browser.path.rstrip("/")
    answer = anna.submit(f"{prefix}/health-metrics/weights/new", {"value": "23"})
    assert answer.location.startswith(prefix), answer
    saved = session.open(f"{prefix}/health-metrics/weights", ChildWeightsPage)
    assert "23" in saved.text()
    # The switch leads back to the parent's own pages, which have nothing of it.
    saved.go(".people a[href='/']", DashboardPage)
    assert "23 kg" not in session.open("/health-metrics/weights", WeightsPage).text()
    refused = session.open(f"{prefix}/contacts", RefusedPage)
    assert refused.find(".people a[href='/']")


@pytest.mark.parametrize("language, size, device", [("en", DESKTOP, Pointer), ("he", SMALL, Keyboard)])
def test_a_parent_who_has_chosen_a_time_says_that_it_is_for_the_child(
        town, browsers, language, size, device):
    anna = Visitor(town).register(unique("parent"))
    anna.submit("/", {"language": language}, action="/language")
    enter(anna)
    [free] = free_times(anna, 2)
    browser = browsers(language).start_over(size)
    browser.sign_in_as(anna)
    session = BrowserSession(browser, town, device)
    own = session.open(free.page, BookingPage)
    asked = own.find("main .people [aria-current]")
    assert asked and "Mia" not in asked.text
    child = own.go("main .people a[href^='/for/']", ChildBookingPage)
    assert browser.path.endswith(free.page)
    assert "Mia Cohen" in child.text("main .people [aria-current]")
    booked = child.go("main form > .actions .button", ChildBookedPage)
    assert "Mia Cohen" in booked.text(".booked")
    # The mother's own list has the link to that of the child alone.
    assert anna.get("/appointments").text.split("<main")[1].count("Mia") == 1


@pytest.mark.parametrize("language, size, device", [("en", DESKTOP, Pointer), ("he", SMALL, Keyboard)])
def test_a_link_that_nobody_has_used_is_listed_and_cancelled(
        portal, person, browsers, language, size, device):
    anna = person(language=language)
    anna.submit("/", {"language": language}, action="/language")
    made = anna.submit(f"{PEOPLE}/access", {"scope": "read"})
    assert f"{PEOPLE}/accept/" in made.text, made
    browser = browsers(language).start_over(size)
    browser.sign_in_as(anna)
    cancel = f"form[action='{PEOPLE}/links/cancel'] button"
    listed = BrowserSession(browser, portal, device).open(PEOPLE, PeoplePage)
    assert not listed.go(cancel, PeoplePage).find(cancel)
