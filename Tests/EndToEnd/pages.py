"""The portal's pages as somebody sees them. Each is inspected when it is reached."""

import re
from urllib.parse import parse_qs, urlsplit

from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.by import By

from visitor import PASSWORD, registration
from waiting import until

# When the document began, which tells one from the next; nothing while it is not whole.
SINCE = "return document.readyState === 'complete' ? performance.timeOrigin : null"


class Desk:
    """A browser at a portal, and the hands that work it."""

    def __init__(self, browser, portal, hands):
        self.browser = browser
        self.driver = browser.driver
        self.portal = portal
        self.hands = hands(browser)

    def open(self, path, page):
        self.driver.get(self.portal.origin + path)
        return page(self)


class Page:
    """What all pages have. A subclass says where it is, and what it is called in pictures."""

    kind = ""
    pattern = ""

    def __init__(self, desk):
        self.desk = desk
        self.driver = desk.driver
        until(lambda: re.fullmatch(self.pattern, desk.browser.path) and self.find("main h1"))
        desk.browser.inspect(self.kind)

    def find(self, selector):
        """The first that is there, else nil."""
        return next(iter(self.all(selector)), None)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def text(self, selector="main"):
        """What is read there."""
        return self.find(selector).text

    def activate(self, selector):
        """Follows a link or presses a button, and waits until the page has been left."""
        element = self.find(selector)
        assert element, f"{selector} is not on {self.desk.browser.path}"
        before = self.driver.execute_script(SINCE)
        self.desk.hands.activate(element)
        until(lambda: self.is_another(before))

    def is_another(self, before):
        """Whether another document has come, whole; while it comes, nothing can be asked."""
        try:
            return self.driver.execute_script(SINCE) not in (before, None)
        except WebDriverException:
            return False

    def go(self, selector, page):
        self.activate(selector)
        return page(self.desk)

    def fill(self, fields):
        for name, value in fields.items():
            element = self.find(f"main form [name='{name}']")
            if element.tag_name == "select":
                self.desk.hands.choose(element, value)
            elif element.get_attribute("type") == "checkbox":
                self.desk.hands.tick(element)
            else:
                self.desk.hands.write(element, value)
        return self

    def open_menu(self):
        menu = self.find("details.account")
        if menu.get_attribute("open") is None:
            self.desk.hands.activate(menu.find_element(By.TAG_NAME, "summary"))
            until(lambda: menu.get_attribute("open") is not None)

    def sign_out(self):
        self.open_menu()
        return self.go("form[action='/logout'] button", WelcomePage)


class WelcomePage(Page):
    kind, pattern = "welcome", "/"

    def sign_in(self):
        return self.go("header a[href='/login']", SignInPage)


class SignInPage(Page):
    kind, pattern = "sign-in", r"/login(\?.*)?"

    def register(self):
        return self.go("main a[href='/register']", RegistrationPage)

    def enter(self, login, page, password=PASSWORD):
        self.fill({"login": login, "password": password})
        return self.go("main form > p.actions .button", page)


class ExpiredPage(SignInPage):
    """The sign-in that a form leads to when its session has ended."""

    kind, pattern = "session-ended", "/contacts/.*"


class RegistrationPage(Page):
    kind, pattern = "registration", r"/(register|setup/.*)"
    submit = "main form p.actions .button:not([name])"

    def register(self, login, page, **others):
        self.fill({**registration(login), **others})
        return self.go(self.submit, page)


class WrongRegistrationPage(RegistrationPage):
    kind = "registration-errors"

    def problems(self):
        return [link.get_attribute("href").rpartition("#")[2] for link in self.all(".summary a")]


class DashboardPage(Page):
    kind, pattern = "dashboard", "/"

    def contacts(self):
        return self.go("nav.modules a[href='/contacts']", ContactsPage)


class ContactsPage(Page):
    kind, pattern = "contacts", r"/contacts(\?.*)?"

    @property
    def names(self):
        """Read at one moment: the list may change between two."""
        return self.driver.execute_script(
            "return [...document.querySelectorAll('#results strong')].map((e) => e.textContent)")

    def new(self):
        return self.go("main a[href='/contacts/new']", ContactFormPage)

    def open(self, name):
        link = next(link for link in self.all("#results a") if name in link.text)
        return self.go(f"#results a[href$='{link.get_dom_attribute('href')}']", ContactPage)

    def search(self, words):
        """Types the words, and waits until they are answered; without scripts a button sends them."""
        self.desk.hands.write(self.find("#q"), words)
        if not self.desk.browser.scripts:
            self.activate("form.search button")
        # The script writes the words into the address when it has shown what they found.
        until(lambda: parse_qs(urlsplit(self.driver.current_url).query).get("q") == [words])


class NoContactsPage(ContactsPage):
    kind = "contacts-none"


class DeletedContactPage(ContactsPage):
    """The list right after a contact was deleted: "Undo" stands there."""

    kind, pattern = "contacts-undo", r"/contacts\?deleted=\d+"

    def undo(self, page):
        return self.go(".notice form button", page)


class ContactFormPage(Page):
    kind, pattern = "contact-form", r"/contacts/(new|\d+/edit)"

    def add_method(self, kind, value):
        """Fills in the last row of methods, made where the last one is used."""
        if self.all("[name='method_value']")[-1].get_property("value"):
            count = len(self.all("[name='method_value']"))
            self.desk.hands.activate(self.find("button[name='add']"))
            until(lambda: len(self.all("[name='method_value']")) == count + 1)
        self.desk.hands.choose(self.all("[name='method_type']")[-1], kind)
        self.desk.hands.write(self.all("[name='method_value']")[-1], value)

    def value(self, name):
        return self.find(f"main form [name='{name}']").get_property("value")

    def save(self, page):
        return self.go("main form > p.actions .button:not([name])", page)


class ConflictPage(ContactFormPage):
    kind = "contact-conflict"


class ContactPage(Page):
    kind, pattern = "contact", r"/contacts/\d+"

    def edit(self):
        return self.go("main a[href$='/edit']", ContactFormPage)

    def delete(self):
        return self.go("main a[href$='/delete']", DeletionPage)

    def links(self):
        return [link.get_dom_attribute("href") for link in self.all("main dd a")]


class DeletionPage(Page):
    kind, pattern = "contact-deletion", r"/contacts/\d+/delete"

    def no(self):
        return self.go("button[name='cancel']", ContactPage)

    def yes(self):
        return self.go("main form .button.danger", DeletedContactPage)


class RecentlyDeletedPage(Page):
    kind, pattern = "recently-deleted", "/account/deleted"

    def restore(self, page):
        return self.go("form[action$='/restore'] button", page)
