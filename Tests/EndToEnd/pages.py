"""Page objects of the portal. Each page is inspected when it opens."""

import re
from urllib.parse import parse_qs, urlsplit

from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.by import By

from visitor import PASSWORD, registration
from waiting import until

# The document's start time, which identifies it; null until it has loaded.
SINCE = "return document.readyState === 'complete' ? performance.timeOrigin : null"


class BrowserSession:
    """A browser at a portal, with the input device that operates it."""

    def __init__(self, browser, portal, device):
        self.browser = browser
        self.driver = browser.driver
        self.portal = portal
        self.device = device(browser)

    def open(self, path, page):
        self.driver.get(self.portal.origin + path)
        return page(self)


class Page:
    """The base of all pages. Subclasses define the path pattern, and the name for screenshots."""

    kind = ""
    pattern = ""

    def __init__(self, session):
        self.session = session
        self.driver = session.driver
        until(lambda: re.fullmatch(self.pattern, session.browser.path) and self.find("main h1"))
        session.browser.inspect(self.kind)

    def find(self, selector):
        """Returns the first match, or None."""
        return next(iter(self.all(selector)), None)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def text(self, selector="main"):
        """Returns the visible text of the first match."""
        return self.find(selector).text

    def activate(self, selector):
        """Follows a link or presses a button, and waits for the next page."""
        element = self.find(selector)
        assert element, f"{selector} is not on {self.session.browser.path}"
        before = self.driver.execute_script(SINCE)
        self.session.device.activate(element)
        until(lambda: self.is_another(before))

    def is_another(self, before):
        """Returns true if another document has loaded. Scripts fail while it loads."""
        try:
            return self.driver.execute_script(SINCE) not in (before, None)
        except WebDriverException:
            return False

    def go(self, selector, page):
        self.activate(selector)
        return page(self.session)

    def fill(self, fields):
        for name, value in fields.items():
            element = self.find(f"main form [name='{name}']")
            # Scripts repeat a new password and hide the field.
            if name == "password_confirm" and not element.is_displayed():
                continue
            if element.tag_name == "select":
                self.session.device.choose(element, value)
            elif element.get_attribute("type") == "checkbox":
                self.session.device.tick(element)
            else:
                self.session.device.write(element, value)
        return self

    def go_by_menu(self, path, page):
        """Follows a link of the menu "More" at the bottom of a phone."""
        self.open_menu("nav.modules details")
        return self.go(f"nav.modules details a[href='{path}']", page)

    def open_menu(self, selector="details.account"):
        menu = self.find(selector)
        if menu.get_attribute("open") is None:
            self.session.device.activate(menu.find_element(By.TAG_NAME, "summary"))
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
        return self.go("main form > .actions .button", page)


class ExpiredPage(SignInPage):
    """The sign-in page shown after a form is sent in an ended session."""

    kind, pattern = "session-ended", "/contacts/.*"


class RegistrationPage(Page):
    kind, pattern = "registration", r"/(register|setup/.*)"
    submit = "main form .actions .button:not([name])"
    # The fields that the page asks for. The profile asks for the others.
    asked = ["name", "surname", "email", "login", "password", "password_confirm", "consent"]

    def register(self, login, page, **others):
        fields = {**registration(login), **others}
        self.fill({name: fields[name] for name in self.asked})
        return self.go(self.submit, page)


class RegisteredPage(Page):
    """The page after registration, with the first steps."""

    kind, pattern = "registered", "/account/welcome"

    def home(self):
        return self.go("main .actions a[href='/']", DashboardPage)


class WrongRegistrationPage(RegistrationPage):
    kind = "registration-errors"

    def problems(self):
        return [link.get_attribute("href").rpartition("#")[2] for link in self.all(".summary a")]


class DashboardPage(Page):
    kind, pattern = "dashboard", "/"

    def contacts(self):
        """Follows the tab, or on a phone the entry of the menu "More"."""
        if self.session.browser.size[0] < 704:
            return self.go_by_menu("/contacts", ContactsPage)
        return self.go("nav.modules > ul a[href='/contacts']", ContactsPage)


class ContactsPage(Page):
    kind, pattern = "contacts", r"/contacts(\?.*)?"

    @property
    def names(self):
        """The names on the list, read by one script because the list may change between two."""
        return self.driver.execute_script(
            "return [...document.querySelectorAll('#results strong')].map((e) => e.textContent)")

    def new(self):
        return self.go("main a[href='/contacts/new']", ContactFormPage)

    def open(self, name):
        link = next(link for link in self.all("#results a") if name in link.text)
        return self.go(f"#results a[href$='{link.get_dom_attribute('href')}']", ContactPage)

    def search(self, words):
        """Types the words and waits for the results; presses the button if scripts are off."""
        self.session.device.write(self.find("#q"), words)
        if not self.session.browser.scripts:
            self.activate("form.search button")
        # The script writes the words into the address after it has shown the results.
        until(lambda: parse_qs(urlsplit(self.driver.current_url).query).get("q") == [words])


class NoContactsPage(ContactsPage):
    kind = "contacts-none"


class DeletedContactPage(ContactsPage):
    """The contact list right after a deletion, with "Undo"."""

    kind, pattern = "contacts-undo", r"/contacts\?deleted=\d+"

    def undo(self, page):
        return self.go(".notice form button", page)


class ContactFormPage(Page):
    kind, pattern = "contact-form", r"/contacts/(new|\d+/edit)"

    def add_method(self, kind, value):
        """Fills in the last row of contact methods and adds a row if the last is in use."""
        if self.all("[name='method_value']")[-1].get_property("value"):
            count = len(self.all("[name='method_value']"))
            self.session.device.activate(self.find("button[name='add']"))
            until(lambda: len(self.all("[name='method_value']")) == count + 1)
        self.session.device.choose(self.all("[name='method_type']")[-1], kind)
        self.session.device.write(self.all("[name='method_value']")[-1], value)

    def value(self, name):
        return self.find(f"main form [name='{name}']").get_property("value")

    def save(self, page):
        return self.go("main form > .actions .button:not([name])", page)


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
