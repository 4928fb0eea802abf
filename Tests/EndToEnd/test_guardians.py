"""A parent who acts for a child, in a browser."""

import pytest

from browsers import DESKTOP, SMALL
from conftest import unique
from input_devices import Keyboard, Pointer
from pages import BrowserSession, DashboardPage, Page
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
    added = anna.submit(NEW, {
        "name": "Mia", "surname": "Cohen", "birth_date": "2019-03-03", "is_guardian": "yes"})
    assert added.status == 303, added
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
    assert "Mia" not in anna.get("/appointments").text.split("<main")[1]


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
