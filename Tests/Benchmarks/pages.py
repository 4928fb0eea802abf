"""The requests of each row of the figures, with their aims."""

import random
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from bookings import BOOKINGS, BUSY_DOCTOR, next_month, times
from countries import CODES
from measuring import CONNECTIONS
from people import IN_CARE

LARGE = 100_000
# So many of the people have a certificate each, whose number is the person's.
HOLDERS = 50


@dataclass(frozen=True)
class Row:
    """A kind of request. The other, beside which it is, is the reference in C, or what `other` says.

    `aim` is the most of the other's processor time that it may take, each with its nginx. `rate` is the
    least that it is to have of the other's requests a second.
    """

    name: str
    title: str
    aim: float | None
    status: int = 200
    other: str = ""
    rate: float | None = None
    connections: int = CONNECTIONS
    # The table to which each request adds a row.
    table: str = ""
    # True if one more client saves contacts meanwhile.
    is_beside_saves: bool = False

    @property
    def kind(self):
        """The name without what follows a hyphen: the requests are those of the row of this name."""
        return self.name.partition("-")[0]

    def by(self, clients):
        """The row at another number of clients, which has no aim."""
        number = "one client" if clients == 1 else f"{clients} clients"
        return replace(
            self, name=f"{self.name}-{clients}", title=f"{self.title}, {number}", aim=None, rate=None,
            connections=clients)

    @property
    def beside_saves(self):
        """The row while one more client saves contacts; it has no aim."""
        return replace(
            self, name=f"{self.name}-saving", title=f"{self.title}, while one client saves", aim=None,
            rate=None, is_beside_saves=True)


ROWS = [
    Row("fixed", "fixed page", 0.6, rate=1.0),
    Row("home", "public home", None),
    Row("list", "50 of 1000 contacts", 1.0, rate=1.0),
    Row("details", "details page", 1.05, rate=1.0),
    Row("search", "search by prefix among 1000 contacts", 1 / 24),
    Row("country", "COVID-19 figures of a country", 1.25),
    Row("countries", f"COVID-19 figures of {len(CODES)} countries", 1.25),
    Row("certificate", "kept certificate", 1.5),
    Row("save", "saving a contact", 1.0, status=303, rate=1.3, table="contacts"),
    Row("book", "booking a time", 1.0, status=303, rate=1.3, table="appointments"),
]
NAMED = {row.name: row for row in ROWS}
CLIENTS = [
    *[NAMED[name].by(64) for name in ["fixed", "list", "details", "search", "book"]],
    *[NAMED["save"].by(clients) for clients in [1, 4, 64]],
    *[NAMED[name].beside_saves for name in ["list", "details"]],
]
# The portal beside itself: a month of a doctor beside the fixed page,
MONTH = Row("month", f"a doctor's month, of {BOOKINGS // 1000}\N{NO-BREAK SPACE}000 bookings", 5.0,
            other="of the fixed page")
# the list of doctors beside the other page for visitors,
DOCTORS = Row("doctors", "list of doctors", None, other="of the public home")
# a list for programs beside the page of the same records,
JSON = Row("json", "50 of 1000 contacts as JSON", 1.5, other="of their page")
# a person's list as a guardian reads it beside the same list as the person reads it,
CARE = Row("care", "appointments of a person in care", 1.05, other="of one's own")
# and a hundred thousand contacts of one person beside a thousand of another.
LEVELS = [
    Row("first", "first page of 100 000 contacts", 1.2, other="of 1000"),
    Row("middle", "middle page of 100 000 contacts", 1.2, other="of 1000"),
    Row("last", "last page of 100 000 contacts", 1.2, other="of 1000"),
]
# A database that has grown beside one of 200 people and 10 000 appointments.
GROWN = [
    Row("details-grown", "details page of one of 10\N{NO-BREAK SPACE}000 people", 1.2, other="of 200"),
    Row("month-grown", "a doctor's month, of a million bookings", 1.2, other="of 10\N{NO-BREAK SPACE}000"),
    Row("book-grown", "booking a time beside a million bookings", 1.2, status=303,
        other="beside 10\N{NO-BREAK SPACE}000", table="appointments"),
]
# The portal on PostgreSQL beside the same portal on SQLite, both of the same number of threads,
POSTGRESQL = [
    Row("home-postgresql", "public home", 2.0),
    Row("dashboard-postgresql", "home of a patient", 2.0),
    Row("list-postgresql", "50 of 1000 contacts", 2.0),
    Row("details-postgresql", "details page", 2.0),
    Row("save-postgresql", "saving a contact", 2.0, status=303, table="contacts"),
    Row("book-postgresql", "booking a time", 2.0, status=303, table="appointments"),
]
# and with a thread for each client, so that as many write at a time.
THREADED = [
    replace(row, name=f"{row.name}-threads", title=f"{row.title}, {CONNECTIONS} threads", aim=None)
    for row in POSTGRESQL if row.table]
# The rows whose requests cannot be sent twice. Each sends a part of the times.
BOOKING = [
    row.name for row in [*ROWS, *CLIENTS, *GROWN, *POSTGRESQL, *THREADED] if row.kind == "book"]
# Of a hundred requests of a mixed load, the number of each row's.
MIX = {"list": 30, "details": 40, "search": 12, "country": 8, "month": 5, "save": 5}


def requests(row, people, cookies, fields):
    """The lines of a row's file; `fields` are what the responder's forms carry for each person. Each line
    of a booking can be sent once."""
    chance = random.Random(row.kind)
    pick = [people[chance.randrange(len(people))] for _ in range(10_000)]
    match row.kind:
        case "fixed":
            return ["\t/robots.txt"]
        case "home":
            return ["\t/"]
        case "doctors":
            return ["\t/appointments/doctors"]
        case "dashboard":
            return [f"{cookie}\t/" for cookie in cookies]
        case "list":
            return [f"{cookie}\t/contacts" for cookie in cookies]
        case "details":
            return [f"{cookies[one.owner - 1]}\t/contacts/{one.id}" for one in pick]
        case "search":
            return searches(chance, people, cookies)
        case "country":
            return [f"{cookie}\t/covid-stats" for cookie in cookies]
        case "countries":
            return [f"{cookie}\t/covid-stats/countries" for cookie in cookies]
        case "certificate":
            return [f"{cookie}\t/vaccination-qr/{number}"
                    for number, cookie in enumerate(cookies[:HOLDERS], start=1)]
        case "save":
            return [
                f"{cookies[one.owner - 1]}\t/contacts/new\t{one.form}&{fields[one.owner]}"
                for one in pick
            ]
        case "book":
            return [
                f"{cookies[time.patient - 1]}\t/appointments/book\t{time.form}&{fields[time.patient]}"
                for time in times(len(cookies))[BOOKING.index(row.name)::len(BOOKING)]
            ]
        case "month":
            return [f"{cookie}\t/appointments/book?doctor={BUSY_DOCTOR}&weeks={next_month()}-01"
                    for cookie in cookies]
        case "json":
            return [f"{cookie}\t/api/v1/contacts?limit=50" for cookie in cookies]


def care_requests(cookies, guardian):
    """A guardian's request for a list of the person in care, and the person's own."""
    return f"{guardian}\t/for/{IN_CARE}/appointments", f"{cookies[IN_CARE - 1]}\t/appointments"


def mixed(people, cookies, fields):
    """The lines of a mixed load."""
    chance = random.Random("mixed")
    lines = {kind: requests(Row(kind, "", None), people, cookies, fields) for kind in MIX}
    return [chance.choice(lines[kind]) for kind in chance.choices(list(MIX), MIX.values(), k=20_000)]


def level_requests(row, cookie, count):
    """One person's list at one of its pages."""
    pages = count // 50
    page = {"first": 1, "middle": pages // 2, "last": pages}[row.name]
    return [f"{cookie}\t/contacts?page={page}"]


def searches(chance, people, cookies):
    """The requests of the page while people type: the first letter of a first name or a surname, the first two,
    three and four; now and then of both, or of nobody's.
    """
    lines = []
    owners = {}
    for one in people:
        owners.setdefault(one.owner, []).append(one)
    for owner, mine in owners.items():
        first, last = chance.choice(mine).words[:2]
        kinds = [first, last, f"{first[0]} {last}", "qxyz"]
        word = chance.choices(kinds, weights=[45, 45, 5, 5])[0]
        for length in range(1, min(4, len(word)) + 1):
            query = urlencode({"q": word[:length].strip()})
            lines.append(f"{cookies[owner - 1]}\t/contacts?{query}")
    return lines
