"""A user's path in a browser, from registration to the deletion of a contact."""

import pytest

from browsers import DESKTOP, PHONE, SMALL
from conftest import unique
from input_devices import Keyboard, Pointer
from pages import (
    ContactPage, ContactsPage, DashboardPage, BrowserSession, NoContactsPage, RecentlyDeletedPage, SignInPage,
    RegisteredPage, WrongRegistrationPage, RegistrationPage,
)
from waiting import until
from ways import each_language, parametrized

NAMES = {"en": "Vera O’Neill-Smith", "ru": "Вера Ёлкина", "he": "ורד בן־עמי"}
PREFIXES = {"en": "o’ne", "ru": "елк", "he": "ור"}

# Each language at each size; both input devices, and scripts on and off, for each language. The first ones that
# `make test` takes have each language, size and device.
JOURNEYS = [
    ("en", SMALL, Keyboard, "with scripts"), ("en", PHONE, Pointer, "without scripts"),
    ("en", DESKTOP, Keyboard, "without scripts"), ("ru", SMALL, Pointer, "without scripts"),
    ("ru", PHONE, Keyboard, "with scripts"), ("ru", DESKTOP, Pointer, "with scripts"),
    ("he", SMALL, Keyboard, "without scripts"), ("he", PHONE, Pointer, "with scripts"),
    ("he", DESKTOP, Keyboard, "with scripts"),
]


@parametrized("language, size, device, scripts", JOURNEYS, [JOURNEYS[1], JOURNEYS[5], JOURNEYS[6]])
def test_a_new_user_registers_and_creates_finds_edits_deletes_and_restores_a_contact(
        portal, browsers, language, size, device, scripts):
    browser = browsers(language).start_over(size, scripts=scripts == "with scripts")
    session = BrowserSession(browser, portal, device)
    login, name = unique("walker"), NAMES[language]

    registered = session.open("/login", SignInPage).register().register(login, RegisteredPage)
    welcome = registered.home().sign_out()
    welcome.sign_in().enter(login, DashboardPage).sign_out()
    home = welcome.sign_in().enter(f"{login}@example.org", DashboardPage)

    home.contacts()
    form = NoContactsPage(session).new()
    form.fill({"name": name, "birthday": "04151990", "notes": "<b>Notes</b> & more"})
    form.add_method("phone", "+7 (921) 555-01-23")
    form.add_method("email", "vera@example.org")
    contact = form.save(ContactPage)
    assert contact.links() == ["tel:+79215550123", "mailto:vera@example.org"]
    assert "<b>Notes</b> & more" in contact.text()

    contacts = session.open("/contacts", ContactsPage)
    contacts.search("zzz")
    until(lambda: contacts.find("#results") and not contacts.names)
    contacts.search(PREFIXES[language])
    until(lambda: contacts.names == [name])
    contacts.search("5550")
    until(lambda: contacts.names == [name])

    edited = contacts.open(name).edit().fill({"workplace": "Library"}).save(ContactPage)
    assert "Library" in edited.text()

    kept = edited.delete().no()
    deleted = kept.delete().yes()
    assert name in deleted.text(".notice") and deleted.names == []
    restored = deleted.undo(ContactPage)
    assert "Library" in restored.text()

    restored.delete().yes()
    trash = session.open("/account/deleted", RecentlyDeletedPage)
    assert name in trash.text()
    trash.restore(ContactPage).delete().yes()
    assert browser.complaints() == []


@each_language
def test_the_error_summary_links_to_the_invalid_fields(portal, browsers, language):
    browser = browsers(language).start_over(PHONE, scripts=False)
    session = BrowserSession(browser, portal, Keyboard)
    page = session.open("/register", RegistrationPage)
    page.register(
        unique("wrong"), WrongRegistrationPage, password="short", password_confirm="shorter")
    wrong = WrongRegistrationPage(session)
    assert "password" in wrong.problems()[0]
    assert wrong.find("[aria-invalid='true']").get_attribute("aria-describedby")
    assert wrong.find("[name='surname']").get_property("value") == "Petrova"


@pytest.mark.parametrize("scripts", [True, False])
def test_a_new_password_is_typed_twice_only_without_scripts(portal, browsers, scripts):
    browser = browsers("en").start_over(PHONE, scripts=scripts)
    page = BrowserSession(browser, portal, Keyboard).open("/register", RegistrationPage)
    assert page.find("[name='password_confirm']").is_displayed() != scripts
    page.register(unique("once"), RegisteredPage)
    assert browser.complaints() == []
