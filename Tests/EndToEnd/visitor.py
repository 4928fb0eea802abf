"""An HTTP client with cookies that reads and submits the portal's forms."""

import html
import http.client
import re
import ssl
from html.parser import HTMLParser
from urllib.parse import urlencode

from authenticator import earlier_code, key_on

FORM = "application/x-www-form-urlencoded"
PASSWORD = "seven quiet herons at dawn"


class Markup(str):
    """The text of a response. A failing assertion prints the words of its `<main>`."""

    @property
    def words(self):
        """The words of `<main>`, separated by single spaces; the unchanged text if there is none."""
        main = re.search(r"<main\b.*?</main>", self, re.DOTALL)
        if not main:
            return str(self)
        shown = re.sub(r"<(script|style|template)\b.*?</\1>", " ", main[0], flags=re.DOTALL)
        return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", shown)).split())

    def __repr__(self):
        return repr(self.words)


class Answer:
    """A response, read completely."""

    def __init__(self, response):
        self.status = response.status
        self.headers = response.headers
        self.body = response.read()

    @property
    def text(self):
        return Markup(self.body.decode())

    def __repr__(self):
        """The status, the redirect and the words of the page, which a failing assertion prints."""
        lead = f"{self.status}, leads to {self.location}" if self.location else f"{self.status}"
        return f"{lead}: {Markup(self.body.decode(errors='replace')).words}" if self.body else lead

    @property
    def location(self):
        return self.headers["Location"]

    def fields(self, action=None):
        """Returns the named fields of the form with this action, by default of the last form before the footer."""
        if action is not None:
            return next(fields for where, fields in self.forms if where == action)
        return next(fields for where, fields in reversed(self.forms) if where not in FRAME)

    @property
    def forms(self):
        """The action and the named fields of each form of the page."""
        return Forms(self.text).forms

    def links(self, pattern):
        """Returns the link addresses that match the pattern."""
        return re.findall(f'href="({pattern})"', self.text.replace("&amp;", "&"))


FRAME = {"/language", "/logout"}


class Forms(HTMLParser):
    """Parses the forms of a page: each action with its fields and their values."""

    def __init__(self, text):
        super().__init__()
        self.forms = []
        self.open = None
        self.area = None
        self.choice = None
        self.index = 0
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if tag == "form":
            self.open = []
            self.forms.append((given.get("action"), self.open))
        elif self.open is None or tag == "template":
            return
        elif tag == "input" and "name" in given:
            if given.get("type") != "checkbox" or "checked" in given:
                self.open.append((given["name"], given.get("value") or ""))
        elif tag == "textarea":
            self.area = (given["name"], [])
        elif tag == "select":
            self.choice = given["name"]
        elif tag == "option":
            self.offer(given)

    def offer(self, option):
        """Adds the value of a list: its first option, unless another is selected."""
        if self.choice is not None:
            self.open.append((self.choice, option["value"]))
            self.choice = None
            self.index = len(self.open) - 1
        elif "selected" in option:
            self.open[self.index] = (self.open[self.index][0], option["value"])

    def handle_data(self, data):
        if self.area:
            self.area[1].append(data)

    def handle_endtag(self, tag):
        if tag == "form":
            self.open = None
        elif tag == "textarea" and self.area:
            self.open.append((self.area[0], "".join(self.area[1]).removeprefix("\n")))
            self.area = None


class Visitor:
    """A visitor with cookies and an IP address of this machine."""

    def __init__(self, portal, address="127.0.0.1", language="en"):
        self.portal = portal
        self.address = address
        self.language = language
        self.cookies = {}

    def request(self, method, target, body=None, headers=None):
        """Sends a request on a new connection and stores the cookies of the response."""
        connection = self.connect()
        sent = {"Accept-Language": self.language, **(headers or {})}
        if self.cookies:
            sent["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        try:
            connection.request(method, target, body, sent)
            answer = Answer(connection.getresponse())
        finally:
            self.leave(connection)
        for cookie in answer.headers.get_all("Set-Cookie", []):
            name, _, value = cookie.partition(";")[0].partition("=")
            if "Max-Age=0" in cookie:
                self.cookies.pop(name, None)
            else:
                self.cookies[name] = value
        return answer

    def connect(self):
        return http.client.HTTPSConnection(
            "localhost", self.portal.port, timeout=40, context=untrusting(),
            source_address=(self.address, 0))

    def leave(self, connection):
        connection.close()

    def get(self, target, **headers):
        return self.request("GET", target, headers=headers)

    def post(self, target, fields, **headers):
        """Sends fields as a form; a list value repeats its field."""
        headers.setdefault("Content-Type", FORM)
        return self.request("POST", target, urlencode(fields, doseq=True), headers)

    def submit(self, page, fields, action=None):
        """Opens a page, fills in its form and submits it with its hidden fields."""
        return self.post(action or page, self.filled(page, fields, action))

    def filled(self, page, fields, action=None):
        """Returns the form fields of a page with these values filled in."""
        shown = self.get(page)
        assert shown.status == 200, f"{page}: {shown.status}"
        kept = [(name, value) for name, value in shown.fields(action) if name not in fields]
        if "method_value" in fields:
            kept = [(name, value) for name, value in kept if not name.startswith("method_")]
        # The first booking asks for the patient's birth date.
        if page.startswith("/appointments/book?"):
            kept = [(name, "1980-04-15" if name == "birth_date" else value) for name, value in kept]
        return kept + list(fields.items())

    def register(self, login, password=PASSWORD, page="/register", **others):
        """Registers a new account and signs the visitor in, with a second factor if the account must have one."""
        answer = self.submit(page, registration(login, password, **others))
        assert answer.status == 303, answer
        self.login = login
        if answer.location.startswith("/login?"):
            asked = self.sign_in(login, password)
            sheet = self.send_code(asked, earlier_code(key_on(asked.text)))
            assert sheet.status == 200, sheet
        return self

    def send_code(self, page, code):
        """Answers the page that asks for a code at sign-in."""
        return self.post("/login/code", dict(page.fields("/login/code")) | {"code": code})

    def sign_in(self, login, password=PASSWORD, **others):
        return self.submit("/login", {"login": login, "password": password, **others})

    def set_language(self, language):
        """Changes the language of the visitor's pages."""
        self.language = language
        assert self.submit("/account", {"language": language}, "/language").status == 303

    def add_contact(self, name, **others):
        """Creates a contact and returns the path of its page."""
        answer = self.submit("/contacts/new", {"name": name, **others})
        assert answer.status == 303, answer
        return answer.location


def untrusting():
    """Returns a TLS context without verification, because a first run has a self-signed certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def registration(login, password=PASSWORD, **others):
    """Returns the values of a registration form."""
    return {
        "login": login, "email": f"{login}@example.org", "name": "Anna", "surname": "Petrova",
        "country": "IL", "city": "Haifa", "street": "Herzl", "house_number": "12a/3",
        "password": password, "password_confirm": password, "consent": "yes", "role": "patient",
        **others,
    }
