"""A visitor without a browser: requests as they are written, forms as they are found."""

import http.client
import re
import ssl
from html.parser import HTMLParser
from urllib.parse import urlencode

FORM = "application/x-www-form-urlencoded"
PASSWORD = "seven quiet herons at dawn"


class Answer:
    """What came back."""

    def __init__(self, response):
        self.status = response.status
        self.headers = response.headers
        self.body = response.read()

    @property
    def text(self):
        return self.body.decode()

    @property
    def location(self):
        return self.headers["Location"]

    def fields(self, action=None):
        """The named fields of the form with this action, else of the last before the footer."""
        if action is not None:
            return next(fields for where, fields in self.forms if where == action)
        return next(fields for where, fields in reversed(self.forms) if where not in FRAME)

    @property
    def forms(self):
        """Where each form of the page is sent, and its named fields."""
        return Forms(self.text).forms

    def links(self, pattern):
        """The addresses that the page links to, where they look like this."""
        return re.findall(f'href="({pattern})"', self.text.replace("&amp;", "&"))


FRAME = {"/language", "/logout"}


class Forms(HTMLParser):
    """The forms of a page, each its action and its fields with what is filled in."""

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
        """The first of a list is sent, unless another is chosen."""
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
    """Somebody with cookies, at an address of this machine."""

    def __init__(self, portal, address="127.0.0.1", language="en"):
        self.portal = portal
        self.address = address
        self.language = language
        self.cookies = {}

    def request(self, method, target, body=None, headers=None):
        """Sends it as it stands, on a connection of its own, and keeps the cookies it is given."""
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
        """Sends fields as a form; a value that is a list is a field that repeats."""
        headers.setdefault("Content-Type", FORM)
        return self.request("POST", target, urlencode(fields, doseq=True), headers)

    def submit(self, page, fields, action=None):
        """Opens a page, fills in its form and sends it, hidden fields and all."""
        return self.post(action or page, self.filled(page, fields, action))

    def filled(self, page, fields, action=None):
        """The form of a page as it would be sent, with these fields in place of what it holds."""
        shown = self.get(page)
        assert shown.status == 200, f"{page}: {shown.status}"
        kept = [(name, value) for name, value in shown.fields(action) if name not in fields]
        if "method_value" in fields:
            kept = [(name, value) for name, value in kept if not name.startswith("method_")]
        return kept + list(fields.items())

    def register(self, login, password=PASSWORD, page="/register", **others):
        """Becomes known to the portal, and is signed in."""
        answer = self.submit(page, registration(login, password, **others))
        assert answer.status == 303, f"{answer.status}\n{answer.text}"
        self.login = login
        return self

    def sign_in(self, login, password=PASSWORD, **others):
        return self.submit("/login", {"login": login, "password": password, **others})

    def speak(self, language):
        """Chooses the language of all pages from now on."""
        self.language = language
        assert self.submit("/account", {"language": language}, "/language").status == 303

    def add_contact(self, name, **others):
        """Makes a contact, and returns the path of its page."""
        answer = self.submit("/contacts/new", {"name": name, **others})
        assert answer.status == 303, f"{answer.status}\n{answer.text}"
        return answer.location


def untrusting():
    """The certificate of a first run is signed by itself."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def registration(login, password=PASSWORD, **others):
    """What somebody fills in to register."""
    return {
        "login": login, "email": f"{login}@example.org", "name": "Anna", "surname": "Petrova",
        "country": "IL", "city": "Haifa", "street": "Herzl", "house_number": "12a/3",
        "password": password, "password_confirm": password, "consent": "yes", "role": "patient",
        **others,
    }
