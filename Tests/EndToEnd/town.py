"""The demonstration data, a fictional town: its people, its doctors' free times and its stored rows."""

import itertools
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import parse_qs, urlsplit
from zoneinfo import ZoneInfo

from visitor import Visitor
from waiting import until

PASSWORD = "four kind otters rowing home"
ROLES = {
    "administrator": "administrator,patient", "receptionist": "patient,receptionist",
    "doctor": "doctor,patient", "patient": "patient",
}
LOGINS = {
    "administrator": "admin", "receptionist": "desk", "doctor": "doctor", "patient": "patient",
}


@dataclass(frozen=True)
class FreeTime:
    """A bookable time of a doctor."""

    doctor: int
    date: str
    clock: str
    # The path of its booking form.
    page: str

    @property
    def fields(self):
        return {"doctor": self.doctor, "date": self.date, "time": self.clock}


class Town:
    """A portal that was started with `--demo`."""

    def __init__(self, portal):
        self.portal = portal
        self.guests = itertools.count()
        # The first login of each role has no number.
        self.logins = {
            person: f"{login}{number + 1}" if number else login
            for role, login in LOGINS.items() for number, person in enumerate(self.people(role))}

    def rows(self, query, *values):
        """Returns the rows of a database query."""
        return self.portal.rows(query, *values)

    def column(self, query, *values):
        return [row[0] for row in self.rows(query, *values)]

    def people(self, role):
        """Returns the ids of the people with a role, in the order of their logins."""
        return self.column("SELECT person FROM accounts WHERE roles = ? ORDER BY person", ROLES[role])

    def doctor_of(self, doctor):
        """Returns the id of the person who is the doctor."""
        return self.column("SELECT person FROM appointments_doctors WHERE id_doctor = ?", doctor)[0]

    def signed_in(self, person, kind=Visitor):
        """Signs a person in with English pages, from their own IP address."""
        self.portal.execute("UPDATE accounts SET language = 'en' WHERE person = ?", person)
        guest = next(self.guests)
        visitor = kind(self.portal, address=f"127.0.{4 + guest // 250}.{guest % 250 + 1}")
        visitor.person = person
        answer = visitor.sign_in(self.logins[person], PASSWORD)
        # Retries after 429, because the portal checks only a few passwords at a time.
        until(lambda: answer.status != 429 or visitor.sign_in(self.logins[person], PASSWORD).status == 303)
        assert visitor.get("/account").status == 200, f"{self.logins[person]}: {answer.status}"
        return visitor

    def forget_bookings_of(self, doctors):
        """Deletes all appointments of these doctors."""
        for doctor in doctors:
            self.portal.execute("DELETE FROM appointments WHERE doctor = ?", doctor)

    def forget_waiting_lists_of(self, doctors):
        """Deletes the waiting lists of these doctors. The demonstration opens one for a doctor who is at work."""
        for doctor in doctors:
            self.portal.execute(
                "DELETE FROM appointments_tickets WHERE session IN"
                " (SELECT id_session FROM appointments_sessions WHERE doctor = ?)", doctor)
            self.portal.execute("DELETE FROM appointments_sessions WHERE doctor = ?", doctor)

    def work_all_day(self, doctors):
        """Gives these doctors hours all of today, because nobody can join a waiting list while the clinic is closed."""
        today = datetime.now(ZoneInfo("Europe/Minsk")).date().isoformat()
        for doctor in doctors:
            self.portal.execute(
                "INSERT INTO appointments_exceptions (doctor, date, starts, ends, kind)"
                " VALUES (?, ?, 0, 1440, 'extra') ON CONFLICT DO NOTHING", doctor, today)

    def all_signed_in(self, people, kind=Visitor):
        return with_each(lambda person: self.signed_in(person, kind), people)


def free_times(visitor, doctor, count=1, pages="/appointments/book"):
    """Returns the doctor's next free times from tomorrow on, because bookings for the next two hours
    cannot be cancelled."""
    found = []
    today = datetime.now(ZoneInfo("Europe/Minsk")).date().isoformat()
    month = visitor.get(f"{pages}?doctor={doctor}")
    while True:
        for day in month.links(rf"{pages}\?doctor={doctor}&date=[0-9-]+"):
            if day.endswith(today):
                continue
            for page in visitor.get(day).links(rf"{pages}\?doctor={doctor}&date=[^\"]+&time=[^\"]+"):
                if page not in [time.page for time in found]:
                    found.append(free_time(page))
                if len(found) == count:
                    return found
        [following] = re.findall(r'rel="next" href="([^"]+)"', month.text)
        month = visitor.get(following.replace("&amp;", "&"))


def free_time(page):
    asked = {name: values[0] for name, values in parse_qs(urlsplit(page).query).items()}
    return FreeTime(int(asked["doctor"]), asked["date"], asked["time"], page)


def with_each(work, items):
    """Returns the results of the work for all items, eight at a time."""
    with ThreadPoolExecutor(8) as pool:
        return list(pool.map(work, items))
