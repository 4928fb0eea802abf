"""What is asked for in each row of the figures, and what it is to cost."""

import random
from dataclasses import dataclass
from urllib.parse import urlencode

from bookings import BOOKINGS, BUSY_DOCTOR, next_month, times
from countries import CODES
from measuring import CONNECTIONS

LARGE = 100_000
# So many of the people have a certificate each, whose number is the person's.
HOLDERS = 50


@dataclass(frozen=True)
class Row:
    """A kind of request; `aim` is the most of the other's processor time that it may take, nginx's included.

    `rate` is the least of the other's requests a second. The other is the reference in C, or what `other` says.
    """

    name: str
    title: str
    aim: float | None
    status: int = 200
    other: str = ""
    rate: float | None = None
    connections: int = CONNECTIONS
    # What each request adds a row to, and by which each has to be another: it cannot be sent twice.
    table: str = ""

    @property
    def kind(self):
        """The name without the number of connections."""
        return self.name.partition("-")[0]


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
    Row("list-64", "50 of 1000 contacts, 64 clients", None, connections=64),
    Row("details-64", "details page, 64 clients", None, connections=64),
    *[Row(f"save-{count}", f"saving a contact, {clients}", None, status=303, connections=count, table="contacts")
      for count, clients in [(1, "one client"), (4, "4 clients"), (64, "64 clients")]],
]
# The portal beside itself: a month of a doctor beside the fixed page,
MONTH = Row("month", f"a doctor's month, of {BOOKINGS // 1000}\N{NO-BREAK SPACE}000 bookings", 5.0,
            other="of the fixed page")
# and a hundred thousand contacts of one person beside a thousand of another.
LEVELS = [
    Row("first", "first page of 100 000 contacts", 1.2, other="of 1000"),
    Row("middle", "middle page of 100 000 contacts", 1.2, other="of 1000"),
    Row("last", "last page of 100 000 contacts", 1.2, other="of 1000"),
]


def requests(row, people, cookies, fields):
    """The lines of a row's file; `fields` are what the responder's forms carry for each person. Those of
    bookings are as many as there are times in a year, and each can be sent once."""
    chance = random.Random(row.kind)
    pick = [people[chance.randrange(len(people))] for _ in range(4000)]
    match row.kind:
        case "fixed":
            return ["\t/robots.txt"]
        case "home":
            return ["\t/"]
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
                f"{cookies[time.patient - 1]}\t/appointments/new\t{time.form}&{fields[time.patient]}"
                for time in times(len(cookies))
            ]
        case "month":
            return [f"{cookie}\t/appointments/new?doctor={BUSY_DOCTOR}&month={next_month()}"
                    for cookie in cookies]


def level_requests(row, cookie, count):
    """One person's list at one of its pages."""
    pages = count // 50
    page = {"first": 1, "middle": pages // 2, "last": pages}[row.name]
    return [f"{cookie}\t/contacts?page={page}"]


def searches(chance, people, cookies):
    """What the page asks while people type: the first letter of a first name or a surname, the first two,
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
