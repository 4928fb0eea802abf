"""A waiting list in the browsers of the patients and of the doctor."""

import pytest

from browsers import DESKTOP, PHONE
from conftest import unique
from demo_users import OpenClinic, at, open_session
from input_devices import Pointer
from visitor import Visitor
from waiting import until
from ways import each_language

QUEUE = "/appointments/queue"
BANNER = ".turn.banner[role='alert']"
# A page that becomes visible asks at once.
SEEN_AGAIN = "document.dispatchEvent(new Event('visibilitychange'))"
# The delays of a page's timers.
DELAYS = """
window.delays = [];
const plain = window.setTimeout;
window.setTimeout = (work, delay, ...rest) => { window.delays.push(delay); return plain(work, delay, ...rest); };
"""
DENIED = """
window.asked = 0;
window.Notification = function () {};
window.Notification.permission = 'PERMISSION';
window.Notification.requestPermission = async () => { window.asked += 1; return 'granted'; };
"""


class Room:
    """The open waiting list of a doctor."""

    def __init__(self, town):
        self.town = town
        clinic = OpenClinic(town)
        self.doctor, self.page = clinic.doctor_visitor, f"/appointments/doctors/{clinic.doctor}"
        assert self.doctor.submit(QUEUE, {}, action=f"{QUEUE}/open").status == 303

    def join(self, language="en"):
        """Returns a patient who has joined."""
        patient = Visitor(self.town, language=language).register(unique("waiting"))
        joined = patient.submit(self.page, {"present": "yes"}, action=f"{self.page}/queue")
        assert joined.status == 303, joined
        return patient

    def call_next(self):
        assert self.doctor.submit(QUEUE, {}, action=f"{QUEUE}/next").status == 303


@pytest.fixture
def scripted(browsers):
    """Returns a function that has a browser run a script before those of each page."""
    added = []

    def add(browser, script):
        made = browser.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": script})
        added.append((browser, made["identifier"]))

    yield add
    for browser, identifier in added:
        browser.driver.execute_cdp_cmd(
            "Page.removeScriptToEvaluateOnNewDocument", {"identifier": identifier})


@each_language
def test_the_turn_reaches_every_open_page_of_a_waiting_person(town, browsers, scripted, language):
    room = Room(town)
    room.join()
    patient = room.join(language)
    browser = browsers(language).start_over(PHONE)
    scripted(browser, DELAYS)
    driver = browser.sign_in_as(patient)
    driver.get(town.origin + room.page)
    driver.get(town.origin + "/contacts")
    # The page knows at once that the person waits, and then asks every 15 seconds.
    until(lambda: driver.execute_script("return window.delays") == [0, 15_000])
    assert not driver.find_elements("css selector", BANNER)
    room.call_next()
    driver.execute_script(SEEN_AGAIN)
    banner = until(lambda: driver.find_elements("css selector", BANNER))[0]
    session = open_session(town, browser, Pointer, patient)
    browser.inspect("turn-banner")
    assert "2" in banner.text and banner.find_elements("css selector", f"a[href='{room.page}']")
    card = session.open(room.page, at("turn", room.page))
    assert card.find(".turn .figure") and not card.find(BANNER)
    declined = card.go(".turn a", at("turn-decline", f"{room.page}/queue/decline"))
    declined.go("main form .button:not([name])", at("turn-declined", room.page))
    driver.get(town.origin + "/contacts")
    until(lambda: driver.execute_script("return localStorage.getItem('polyclinic-waits')") is None)
    driver.get(town.origin + "/contacts")
    driver.execute_script(SEEN_AGAIN)
    # The person waits no more, so the page asks more and more seldom.
    until(lambda: driver.execute_script("return window.delays") == [15_000, 45_000])
    assert not driver.find_elements("css selector", BANNER)
    assert browser.complaints() == []


def test_the_page_of_who_is_next_differs_from_that_of_who_is_called(town, browsers):
    room = Room(town)
    called, following = room.join(), room.join()
    browser = browsers("en").start_over(DESKTOP)
    colours = []
    for patient, kind in [(called, "line-called"), (following, "line-next")]:
        browser.start_over(DESKTOP)
        page = open_session(town, browser, Pointer, patient).open(room.page, at(kind, room.page))
        card = page.find("#call")
        colours.append(card.value_of_css_property("background-color"))
        # The card stands above the doctor's name.
        assert card.location["y"] < page.find("h1").location["y"]
    assert len(set(colours)) == 2
    assert browser.complaints() == []


def test_the_doctors_open_list_follows_a_call_and_keeps_the_open_menu(town, browsers):
    room = Room(town)
    first = room.join()
    browser = browsers("en").start_over(DESKTOP)
    driver = browser.sign_in_as(room.doctor)
    driver.get(town.origin + QUEUE)
    assert driver.find_element("css selector", "main .figure").text == "1"
    assert not driver.find_elements("css selector", "main a[href*='live=']")
    driver.find_element("css selector", "main details summary").click()
    room.join()
    decline = f"{room.page}/queue/decline"
    assert first.submit(decline, {}, action=decline).status == 303
    driver.execute_script(SEEN_AGAIN)
    settle = until(lambda: driver.find_elements("css selector", f"form[action='{QUEUE}/declined'] button"))[0]
    assert driver.find_element("css selector", "main .notice[role='alert']").text == "Number 1 cannot come."
    assert driver.find_element("css selector", "main details").get_attribute("open")
    browser.inspect("queue-declined")
    settle.click()
    # The element is another one after the answer to the form.
    until(lambda: driver.execute_script(
        "return (document.querySelector('main .figure') || {}).textContent") == "2")
    assert browser.complaints() == []


def test_a_refresh_keeps_what_was_typed(town, browsers):
    room = Room(town)
    browser = browsers("en").start_over(DESKTOP)
    driver = browser.sign_in_as(room.doctor)
    driver.get(f"{town.origin}/appointments/day?live=1")
    driver.execute_script("""
        window.marked = document.querySelector('main h2');
        window.marked.textContent = 'Old';
        document.getElementById('date').value = '2031-02-03';""")
    driver.execute_script(SEEN_AGAIN)
    until(lambda: driver.execute_script("return window.marked.textContent") != "Old")
    assert driver.find_element("id", "date").get_attribute("value") == "2031-02-03"
    assert browser.complaints() == []


@pytest.mark.parametrize("permission", ["default", "denied", "granted"])
def test_browser_notifications_are_offered_once_and_asked_for_by_a_press(
        town, browsers, scripted, permission):
    room = Room(town)
    room.join()
    patient = room.join()
    browser = browsers("en").start_over(PHONE)
    scripted(browser, DENIED.replace("PERMISSION", permission))
    driver = browser.sign_in_as(patient)
    for path in [room.page, "/account/welcome"]:
        driver.get(town.origin + path)
        offer = driver.find_element("id", "browser-notices")
        assert offer.is_displayed() == (permission == "default")
        assert driver.execute_script("return window.asked") == 0
    if permission == "default":
        offer.find_element("tag name", "button").click()
        until(lambda: driver.execute_script("return window.asked") == 1)
        assert not offer.find_elements("tag name", "button")
    assert browser.complaints() == []


def test_the_display_reloads_without_scripts(town, browsers):
    room = Room(town)
    browser = browsers("en").start_over(DESKTOP, scripts=False)
    browser.driver.get(f"{town.origin}{room.page}/display")
    assert '<noscript><meta http-equiv="refresh" content="15">' in browser.driver.page_source
