"""Passkeys, by the virtual authenticator of a browser."""

from contextlib import contextmanager

import pytest
from selenium.webdriver.common.virtual_authenticator import VirtualAuthenticatorOptions

from browsers import DESKTOP, PHONE, SMALL
from input_devices import Keyboard, Pointer
from pages import BrowserSession, DashboardPage, Page, SignInPage
from visitor import PASSWORD
from waiting import until

LIST, NEW = "/account/passkeys", "/account/passkeys/new"
BUTTON = "form[action='/login/passkey'] .button"
ADD = "form[action='/account/passkeys/create'] .button"
# A browser without conditional mediation, in which nobody is signed in before the button is pressed.
WITHOUT_SUGGESTIONS = "delete window.PublicKeyCredential.isConditionalMediationAvailable;"


class PasskeysPage(Page):
    kind, pattern = "passkeys", LIST


class NewPasskeyPage(Page):
    kind, pattern = "passkeys-new", NEW


class RemovalPage(Page):
    kind, pattern = "passkeys-remove", f"{LIST}/\\d+/remove"


class RefusedPage(Page):
    kind, pattern = "passkeys-refused", "/login/passkey"


@contextmanager
def authenticator(browser):
    """Gives the browser a device with a fingerprint reader; yields the driver."""
    options = VirtualAuthenticatorOptions()
    options.protocol = VirtualAuthenticatorOptions.Protocol.CTAP2
    options.transport = VirtualAuthenticatorOptions.Transport.INTERNAL
    options.has_resident_key = True
    options.has_user_verification = True
    options.is_user_consenting = True
    options.is_user_verified = True
    browser.driver.add_virtual_authenticator(options)
    try:
        yield browser.driver
    finally:
        browser.driver.remove_virtual_authenticator()


@contextmanager
def without_suggestions(browser):
    """Takes conditional mediation from the pages that open while the block runs."""
    added = browser.driver.execute_cdp_cmd(
        "Page.addScriptToEvaluateOnNewDocument", {"source": WITHOUT_SUGGESTIONS})
    try:
        yield
    finally:
        browser.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)


def add(session, name):
    """Adds a passkey with this name and returns the list."""
    page = session.open(LIST, PasskeysPage).go(f"main a[href='{NEW}']", NewPasskeyPage)
    return page.fill({"name": name}).go(ADD, PasskeysPage)


@pytest.mark.parametrize("language, size, device", [
    ("en", PHONE, Pointer), ("ru", SMALL, Keyboard), ("he", DESKTOP, Pointer),
])
def test_a_person_adds_a_passkey_and_signs_in_by_one_press_and_by_a_suggestion(
        portal, person, browsers, language, size, device):
    anna = person(language=language)
    anna.submit("/", {"language": language}, action="/language")
    browser = browsers(language).start_over(size)
    browser.sign_in_as(anna)
    with authenticator(browser) as driver:
        session = BrowserSession(browser, portal, device)
        added = add(session, "Kitchen")
        assert "Kitchen" in added.text()
        [made] = driver.get_credentials()
        assert made.rp_id == "localhost" and made.is_resident_credential and len(made.user_handle) >= 32
        added.sign_out()
        with without_suggestions(browser):
            session.open("/login", SignInPage).go(BUTTON, DashboardPage).sign_out()
        driver.get(portal.origin + "/login?next=/account/passkeys")
        assert "Kitchen" in PasskeysPage(session).text()
        assert driver.get_credentials()[0].sign_count > made.sign_count


def test_a_device_that_does_not_verify_its_user_neither_adds_a_passkey_nor_signs_in(
        portal, person, browsers):
    anna = person()
    browser = browsers("en").start_over(DESKTOP)
    browser.sign_in_as(anna)
    with authenticator(browser) as driver, without_suggestions(browser):
        session = BrowserSession(browser, portal, Pointer)
        add(session, "Laptop").sign_out()
        driver.set_user_verified(False)
        page = session.open("/login", SignInPage)
        refused(page, BUTTON)
        assert not driver.get_cookie("__Host-session")
        page.enter(anna.login, DashboardPage)
        refused(session.open(NEW, NewPasskeyPage), ADD)
        assert len(driver.get_credentials()) == 1


def refused(page, button):
    """Presses a button and waits for the sentence that no passkey came."""
    page.session.device.activate(page.find(button))
    until(lambda: page.find("[data-failure]").is_displayed())


def test_a_removed_passkey_is_refused_and_the_password_still_signs_in(portal, person, browsers):
    anna = person()
    browser = browsers("en").start_over(DESKTOP)
    browser.sign_in_as(anna)
    with authenticator(browser) as driver, without_suggestions(browser):
        session = BrowserSession(browser, portal, Pointer)
        listed = add(session, "Old phone")
        [made] = driver.get_credentials()
        question = listed.go("main a[href$='/remove']", RemovalPage)
        gone = question.fill({"current_password": PASSWORD}).go("main form .button.danger", PasskeysPage)
        assert "Old phone" not in gone.text()
        until(lambda: driver.get_credentials() == [])
        gone.sign_out()
        # A device that was not told of the removal.
        driver.add_credential(made)
        answer = session.open("/login", SignInPage).go(BUTTON, RefusedPage)
        assert "does not have this passkey" in answer.text()
        until(lambda: driver.get_credentials() == [])
        session.open("/login", SignInPage).enter(anna.login, DashboardPage)


def test_without_scripts_the_sign_in_page_has_no_button_for_passkeys(portal, person, browsers):
    anna = person()
    browser = browsers("en").start_over(DESKTOP, scripts=False)
    session = BrowserSession(browser, portal, Pointer)
    page = session.open("/login", SignInPage)
    assert not page.find(BUTTON).is_displayed()
    page.enter(anna.login, DashboardPage)
    page = session.open(NEW, NewPasskeyPage)
    assert not page.find(ADD).is_displayed() and "scripts are turned off" in page.text()
