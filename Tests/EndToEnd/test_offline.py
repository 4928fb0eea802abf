"""The encrypted offline copy of a user's data in the browser: content, storage and deletion."""

import base64
import io
import re
from pathlib import Path

import pytest
import zxingcpp
from PIL import Image

from browsers import DESKTOP, PHONE, SMALL, Browser
from conftest import unique
from input_devices import Keyboard, Pointer
from pages import Page, SignInPage
from plaintext import found_in
from town import PASSWORD
from demo_users import open_session, demo_user
from waiting import until
from ways import each_language_and_size

OWN = "/account/offline"
# The stored copy: the start of its ciphertext, the extractable flag of its key, and the time of storage.
STORED = """
const done = arguments[arguments.length - 1];
indexedDB.databases().then((all) => {
  if (!all.some((one) => one.name === 'own')) return done(null);
  const opening = indexedDB.open('own');
  opening.onsuccess = () => {
    const asked = opening.result.transaction('pages').objectStore('pages').get('/account/offline');
    asked.onsuccess = () => {
      opening.result.close();
      const own = asked.result;
      done(own ? [btoa(String.fromCharCode(...new Uint8Array(own.sealed).slice(0, 64))),
        own.key.extractable, own.since] : null);
    };
  };
}, done);
"""
# Backdates the stored copy by that many milliseconds.
AGE = """
const [span, done] = arguments;
const opening = indexedDB.open('own');
opening.onsuccess = () => {
  const store = opening.result.transaction('pages', 'readwrite').objectStore('pages');
  store.get('/account/offline').onsuccess = ({ target }) => {
    store.put({ ...target.result, since: target.result.since - span }, '/account/offline').onsuccess = () => {
      opening.result.close();
      done();
    };
  };
};
"""
DAY = 24 * 60 * 60 * 1000


class OwnPage(Page):
    kind, pattern = "offline-own", OWN


class CopyPage(Page):
    kind, pattern = "offline-copy", OWN


class NoNetworkPage(Page):
    kind, pattern = "offline-kept", r"/.*"


class AnyPage(Page):
    kind, pattern = "offline-any", r"/.*"


def stored(browser):
    return browser.driver.execute_async_script(STORED)


def keep(session):
    """Presses the button and waits until the copy is stored."""
    page = session.open(OWN, OwnPage)
    until(lambda: page.find(f"form[action='{OWN}/keep'] button").is_displayed())
    page = page.go(f"form[action='{OWN}/keep'] button", OwnPage)
    until(lambda: page.find("[data-own-copy='kept']").is_displayed())
    return page


@pytest.fixture
def phone(inspected):
    """A separate browser with a new profile."""
    browser = Browser("en", inspected).start_over(PHONE)
    yield browser
    browser.quit()


def words(visitor):
    """Returns private words on the patient's pages: the doctors' names and a certificate's label."""
    doctors = re.findall(r'<bdi>((?:Dr\.|Доктор|ד״ר)?[^<]+)</bdi>', visitor.get("/appointments").text)
    assert len(doctors) > 1 and "Grandmother" in visitor.get("/vaccination-qr").text
    return {f"word {number}": word for number, word in enumerate(set(doctors))} | {"label": "Grandmother"}


def profile(browser):
    """Returns the bytes of each file of the browser's profile."""
    directory = Path(browser.driver.capabilities["chrome"]["userDataDir"])
    contents = {}
    for path in directory.rglob("*"):
        try:
            contents[path] = path.read_bytes() if path.is_file() else b""
        except OSError:
            # The browser deleted the file during the search.
            continue
    return contents


def test_appointments_and_codes_are_readable_offline_and_the_browser_profile_has_no_plaintext(town, phone):
    visitor = demo_user(town, "patient")
    secrets = words(visitor)
    session = open_session(town, phone, Pointer, visitor)
    keep(session)
    sealed, is_extractable, _ = stored(phone)
    assert is_extractable is False
    with phone.offline():
        page = session.open("/appointments", NoNetworkPage).go(f"main a[href='{OWN}']", CopyPage)
        shown = page.text()
        for what, word in secrets.items():
            assert word in shown, what
        assert "Alice" in shown and "This browser deletes it on" in shown
        assert not any(form.is_displayed() for form in page.all("form, nav.account"))
        picture = Image.open(io.BytesIO(phone.whole_page()))
        codes = zxingcpp.read_barcodes(picture)
        assert codes and all(code.text.startswith("HC1:") for code in codes)
        contents = profile(phone)
        assert found_in(contents, secrets) == []
        # The search finds the ciphertext in the profile.
        places = [path for path, content in contents.items() if base64.b64decode(sealed) in content]
        assert places
    session.open("/account", AnyPage).sign_out()
    assert stored(phone) is None
    contents = profile(phone)
    assert found_in(contents, secrets) == []
    assert not [path for path, content in contents.items() if base64.b64decode(sealed) in content]
    assert phone.driver.execute_async_script(
        "const done = arguments[0]; caches.keys().then((names) => done(names.length), done)") == 0


def test_the_live_page_is_shown_while_the_portal_is_reachable(town, phone):
    session = open_session(town, phone, Pointer, demo_user(town, "patient"))
    keep(session)
    page = session.open(OWN, OwnPage)
    assert page.text("h1") == "Offline copy" and "deletes it on" not in page.text()


def test_the_offline_copy_is_updated_with_each_page_view(town, phone):
    visitor = demo_user(town, "patient2")
    session = open_session(town, phone, Pointer, visitor)
    keep(session)
    place = unique("Surgery")
    made = visitor.submit("/appointments/new", {
        "date": "2031-05-06", "time": "10:00", "location": place}, action="/appointments/new")
    assert made.status == 303, made
    before = stored(phone)
    session.open("/account", AnyPage)
    until(lambda: stored(phone) not in (before, None))
    with phone.offline():
        assert place in session.open(OWN, CopyPage).text()


def test_the_offline_copy_is_deleted_when_another_person_signs_in(town, phone):
    demo_user(town, "patient3").set_language("en")
    session = open_session(town, phone, Pointer, demo_user(town, "patient"))
    keep(session)
    # Ends the session without a sign-out, as an expiry does.
    phone.driver.delete_cookie("__Host-session")
    page = session.open("/login", SignInPage)
    until(lambda: stored(phone) is None)
    page.enter("patient3", AnyPage, PASSWORD)
    assert stored(phone) is None
    assert "Browsers with a copy" not in session.open(OWN, OwnPage).text()


def test_the_offline_copy_is_stored_again_when_the_same_person_signs_in(town, phone):
    visitor = demo_user(town, "patient4")
    session = open_session(town, phone, Pointer, visitor)
    keep(session)
    phone.driver.delete_cookie("__Host-session")
    session.open("/", AnyPage)
    until(lambda: stored(phone) is None)
    open_session(town, phone, Pointer, visitor).open("/account", AnyPage)
    until(lambda: stored(phone) is not None)


def test_the_offline_copy_is_deleted_after_removal_on_another_device(town, phone):
    visitor = demo_user(town, "patient5")
    session = open_session(town, phone, Pointer, visitor)
    keep(session)
    other = demo_user(town, "patient5")
    page = other.get(OWN)
    (button,) = re.findall(rf"{OWN}/\d+/forget", page.text)
    assert other.post(button, dict(page.fields(button))).status == 303
    session.open("/account", AnyPage)
    until(lambda: stored(phone) is None)
    with phone.offline():
        assert "No network" in session.open(OWN, NoNetworkPage).text("h1")


def test_the_offline_copy_is_deleted_after_removal_on_this_device(town, phone):
    session = open_session(town, phone, Pointer, demo_user(town, "patient6"))
    page = keep(session)
    page.go(f"main form[action^='{OWN}/'] button", OwnPage)
    assert stored(phone) is None


def test_the_offline_copy_expires_after_fourteen_days(town, phone):
    session = open_session(town, phone, Pointer, demo_user(town, "patient7"))
    keep(session)
    phone.driver.execute_async_script(AGE, 13 * DAY)
    with phone.offline():
        assert "deletes it on" in session.open(OWN, CopyPage).text()
    # A page view with a network renews the copy.
    session.open("/account", AnyPage)
    until(lambda: stored(phone)[2] > 0)
    phone.driver.execute_async_script(AGE, 14 * DAY)
    with phone.offline():
        assert "No network" in session.open(OWN, NoNetworkPage).text("h1")
        assert stored(phone) is None


def test_the_offline_copy_is_kept_while_the_portal_is_stopped(town, phone):
    session = open_session(town, phone, Pointer, demo_user(town, "patient8"))
    keep(session)
    town.stop()
    try:
        assert "deletes it on" in session.open(OWN, CopyPage).text()
    finally:
        town.start()
    assert stored(phone) is not None


def test_a_browser_without_scripts_gets_a_notice_instead_of_the_button(town, browsers):
    browser = browsers("en").start_over(PHONE, scripts=False)
    page = open_session(town, browser, Pointer, demo_user(town, "patient")).open(OWN, OwnPage)
    assert "needs JavaScript" in page.text()
    assert not page.find(f"form[action='{OWN}/keep'] button").is_displayed()
    browser.start_over()


@each_language_and_size
def test_the_offline_copy_is_stored_and_read_by_keyboard_in_each_language(town, browsers, language, size):
    browser = browsers(language).start_over(size)
    session = open_session(town, browser, Keyboard, demo_user(town, "patient", language))
    page = keep(session)
    with browser.offline():
        copy = page.session.open(OWN, CopyPage)
        assert "Grandmother" in copy.text()
    session.open(OWN, OwnPage).go(f"main form[action^='{OWN}/'] button", OwnPage)
    assert [one for one in browser.complaints() if "ERR_INTERNET_DISCONNECTED" not in one] == []
    browser.start_over()
