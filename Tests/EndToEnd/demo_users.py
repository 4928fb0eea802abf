"""Users of the demonstration town, and its pages in a browser."""

import re
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from conftest import unique
from pages import BrowserSession, Page
from town import PASSWORD
from visitor import Visitor


def demo_user(town, login="", language="en"):
    """Returns a visitor signed in as one of the town's people, or a guest if no login is given."""
    visitor = Visitor(town, language=language)
    if login:
        answer = visitor.submit("/login", {"login": login, "password": PASSWORD})
        assert answer.status == 303, answer
        # An earlier test may have changed this person's language.
        visitor.set_language(language)
    return visitor


def at(kind, pattern):
    """Returns a page class with its name for screenshots and its path pattern."""
    return type("TownPage", (Page,), {"kind": f"town-{kind}", "pattern": pattern})


def open_session(town, browser, device, visitor):
    """Opens a browser that is signed in as the visitor."""
    browser.sign_in_as(visitor)
    return BrowserSession(browser, town, device)


def number(visitor):
    """Returns the id of the signed-in person, read from a form's hidden field."""
    page = "/account/password"
    return dict(visitor.get(page).fields(page))["person"]


def approve(chief, visitor, role):
    """Gives a person a role and signs them in again, because the change ends their sessions."""
    page = f"/admin/people/{number(visitor)}"
    asked = f"{page}/approve" if role == "doctor" else f"{page}/give"
    assert chief.post(asked, dict(chief.get(page).fields("/logout"), role=role)).status == 303
    assert visitor.sign_in(visitor.login).status == 303


def new_doctor(town, department=1):
    """Creates a doctor without appointments; returns the visitor and the doctor's id."""
    doctor = Visitor(town).register(unique("medic"), role="doctor")
    chief = demo_user(town, "admin")
    approve(chief, doctor, "doctor")
    form = f"/appointments/admin/departments/{department}/doctors/new"
    made = chief.submit(
        form, {"account": number(doctor), "doctor_name": "Dr. Quiet", "slot_minutes": "20"})
    assert made.status == 303, made
    return doctor, int(made.location.rpartition("/")[2])


class OpenClinic:
    """A clinic with a receptionist and a doctor who works all of today.

    The clinic is in a time zone where it is day, so that free times remain even at night. `today` is the
    date there. In a given zone the doctor works all of the next day instead.
    """

    ZONES = ["Europe/Minsk", "Asia/Tokyo", "America/Los_Angeles"]

    def __init__(self, town, zone=None):
        if zone:
            now = datetime.now(ZoneInfo(zone)) + timedelta(days=1)
        else:
            now = next(
                now for now in (datetime.now(ZoneInfo(zone)) for zone in self.ZONES)
                if 1 <= now.hour < 20)
        self.today = now.date().isoformat()
        chief = demo_user(town, "admin")
        made = chief.submit("/appointments/admin/clinics/new", {
            "name_en": "Morning Clinic", "country": "BY", "city": "Minsk", "street": "East Road",
            "house_number": "1", "phone": "+375 17 1", "time_zone": now.tzinfo.key})
        assert made.status == 303, made
        clinic = made.location
        department = chief.submit(f"{clinic}/departments/new", {"specialization": "urology"})
        self.department = int(re.findall(
            r"/appointments/admin/departments/(\d+)\"", chief.get(clinic).text)[0])
        assert department.status == 303
        self.doctor_visitor, self.doctor = new_doctor(town, self.department)
        extra = chief.submit(f"/appointments/admin/doctors/{self.doctor}/exceptions/new", {
            "exception": "extra", "first_day": self.today, "last_day": self.today,
            "starts": "00:00", "ends": "23:55"})
        assert extra.status == 303, extra
        self.receptionist = Visitor(town).register(unique("front"))
        approve(chief, self.receptionist, "receptionist")
        seated = chief.submit(f"{clinic}/desk/new", {"receptionist": number(self.receptionist)})
        assert seated.status == 303, seated
        self.clinic = int(clinic.rpartition("/")[2])
        self.chief = chief

    def book(self, name, surname):
        """Books the doctor's next time today for a patient without an account; returns the paths of the
        appointment and the person."""
        start = f"/appointments/desk/book?doctor={self.doctor}&date={self.today}"
        day = self.receptionist.get(start).text
        times = re.findall(r'href="(/appointments/desk/book\?[^"]+time=[^"]+)"', day)
        form = times[0].replace("&amp;", "&").replace("/desk/book", "/desk/new")
        made = self.receptionist.submit(
            form, {"name": name, "surname": surname}, action="/appointments/desk/new")
        assert made.status == 303, made
        day = self.receptionist.get(f"/appointments/desk?date={self.today}").text
        appointment = re.findall(r'action="(/appointments/\d+)/arrived"', day)[-1]
        people = re.findall(r'href="(/admin/people/\d+)"', self.chief.get("/admin/people").text)
        return appointment, max(people, key=lambda path: int(path.rpartition("/")[2]))
