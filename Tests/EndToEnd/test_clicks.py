"""The number of clicks from the first page of a role to a booked appointment or a saved reading."""

from browsers import DESKTOP, PHONE
from conftest import unique
from demo_users import OpenClinic, at, open_session
from input_devices import Pointer
from visitor import Visitor

ANY = at("clicks", r"/.*")
SUBMIT = "main form.form > .actions .button:not([name])"


class Clicks:
    """A session that counts the clicks with which it goes from page to page."""

    def __init__(self, session, path):
        self.page = session.open(path, ANY)
        self.count = 0

    def on(self, selector):
        self.page = self.page.go(selector, ANY)
        self.count += 1
        return self


def test_a_patient_books_from_home_within_five_clicks(town, browsers):
    anna = Visitor(town).register(unique("clicks"))
    session = open_session(town, browsers("en").start_over(PHONE), Pointer, anna)
    clicks = Clicks(session, "/")
    clicks.on("main a[href$='with=doctor']").on("main ul.rows a").on("main ul.rows a")
    clicks.on("main details[open] .times a").page.fill({"birth_date": "04151980"})
    clicks.on(SUBMIT)
    assert clicks.page.find("[role='status']") and clicks.count <= 5


def test_a_patient_saves_a_reading_from_home_within_two_clicks(town, browsers):
    anna = Visitor(town).register(unique("clicks"))
    session = open_session(town, browsers("en").start_over(PHONE), Pointer, anna)
    clicks = Clicks(session, "/")
    clicks.on("main a[href='/health-metrics/blood-pressure/new']").page.fill({"systolic": "121", "diastolic": "79"})
    clicks.on(SUBMIT)
    assert "121/79" in clicks.page.text() and clicks.count <= 2


def test_a_receptionist_books_for_a_patient_within_six_clicks(town, browsers):
    clinic = OpenClinic(town)
    # Names have no digits.
    name = "Clickable" + unique("").translate(str.maketrans("0123456789", "abcdefghij", "-"))
    Visitor(town).register(unique("called"), name=name, surname="Caller")
    session = open_session(town, browsers("en").start_over(DESKTOP), Pointer, clinic.receptionist)
    clicks = Clicks(session, "/appointments/desk")
    clicks.page.fill({"q": name})
    clicks.on("main form[role='search'] .button").on("main ul.rows a").on("main ul.rows a")
    clicks.on("main details[open] .times a").on(SUBMIT)
    assert name in clicks.page.text() and clicks.count <= 6
