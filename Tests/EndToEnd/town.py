"""The fictional town of the demonstration: its people, what is free with its doctors, and what is stored."""

import itertools
import re
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
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
    """A time that a doctor's pages offer."""

    doctor: int
    date: str
    clock: str
    # Where the form for it is.
    page: str

    @property
    def fields(self):
        return {"doctor": self.doctor, "date": self.date, "time": self.clock}


class Town:
    """A portal that was started with `--demo`."""

    def __init__(self, portal):
        self.portal = portal
        self.guests = itertools.count()
        # The first of each kind has no number.
        self.logins = {
            person: f"{login}{number + 1}" if number else login
            for role, login in LOGINS.items() for number, person in enumerate(self.people(role))}

    def rows(self, query, *values):
        """What is stored now."""
        with closing(sqlite3.connect(self.portal.database, timeout=30)) as database:
            return database.execute(query, values).fetchall()

    def column(self, query, *values):
        return [row[0] for row in self.rows(query, *values)]

    def people(self, role):
        """The numbers of those with a role, in the order of their logins."""
        return self.column("SELECT person FROM accounts WHERE roles = ? ORDER BY person", ROLES[role])

    def doctor_of(self, doctor):
        """Whose account a doctor has."""
        return self.column("SELECT person FROM appointments_doctors WHERE id_doctor = ?", doctor)[0]

    def signed_in(self, person, kind=Visitor):
        """Somebody who reads English, signed in from an address of their own."""
        with closing(sqlite3.connect(self.portal.database, timeout=30)) as database, database:
            database.execute("UPDATE accounts SET language = 'en' WHERE person = ?", [person])
        guest = next(self.guests)
        visitor = kind(self.portal, address=f"127.0.{4 + guest // 250}.{guest % 250 + 1}")
        visitor.person = person
        answer = visitor.sign_in(self.logins[person], PASSWORD)
        # Passwords are compared a few at a time, and others may be at it.
        until(lambda: answer.status != 429 or visitor.sign_in(self.logins[person], PASSWORD).status == 303)
        assert visitor.get("/account").status == 200, f"{self.logins[person]}: {answer.status}"
        return visitor

    def forget_bookings_of(self, doctors):
        """As if these doctors had never been booked."""
        with closing(sqlite3.connect(self.portal.database, timeout=30)) as database, database:
            database.execute("PRAGMA foreign_keys = ON")
            database.executemany(
                "DELETE FROM appointments WHERE doctor = ?", [[doctor] for doctor in doctors])

    def all_signed_in(self, people, kind=Visitor):
        return with_each(lambda person: self.signed_in(person, kind), people)


def free_times(visitor, doctor, count=1, pages="/appointments/new"):
    """The doctor's next free times from tomorrow on, as the pages offer them: what is booked for the
    next two hours cannot be cancelled."""
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
    """What the work returns for each; a few at a time."""
    with ThreadPoolExecutor(8) as pool:
        return list(pool.map(work, items))
