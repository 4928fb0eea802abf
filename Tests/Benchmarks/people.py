"""The people of the database and their contacts: the same in every run."""

import random
import unicodedata
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import urlencode

from names import FIRST, LAST

VISITOR = "Anna Petrova"
EACH = 1000
# The number of the person for whom another one acts: `ownerInCare` of BenchmarkData.
IN_CARE = 100
WORKPLACES = [
    "Riverside Bakery", "Harbour School", "Old Town Library", "Northern Railways",
    "Green Field Farm", "City Theatre", "Lindholm & Sons", "St. Mary's Hospital",
]
STREETS = ["Long Street", "Mill Lane", "Church Road", "Park Avenue", "Station Road", "Hill Street"]
TOWNS = ["Ashford", "Bridgeport", "Cedarville", "Dunmore", "Eastfield", "Fairview"]
NOTES = [
    "Met at the swimming course; likes to be called in the evening.",
    "Knows a good dentist. Allergic to nuts.",
    "Neighbour of the summer house, has the spare key.",
    "Colleague from the old office, moved in spring.",
]


@dataclass(frozen=True)
class Contact:
    """The values of the contact; `id` is the place among all contacts, from 1."""

    id: int
    owner: int
    name: str
    birthday: str
    workplace: str
    address: str
    notes: str
    phone: str
    email: str

    @property
    def telephone(self):
        return "".join(filter(lambda letter: letter in "+0123456789", self.phone))

    @property
    def hue(self):
        """The number of the colour of the avatar: FNV-1a of the name."""
        value = 0x811C9DC5
        for byte in self.name.encode():
            value = (value ^ byte) * 0x01000193 & 0xFFFFFFFF
        return (value >> 24) % 8

    @property
    def initials(self):
        """The first letters of the first and the last word."""
        first, *_, last = self.name.split()
        return first[0] + last[0]

    @cached_property
    def folded(self):
        return folded(self.name)

    @cached_property
    def words(self):
        return words(f"{self.name} {self.workplace} {self.email}")

    @property
    def stored_address(self):
        """Browsers send lines that end in CR LF."""
        return self.address.replace("\r\n", "\n")

    @property
    def form(self):
        """The form as a browser sends it, without the hidden fields."""
        return urlencode([
            ("name", self.name), ("birthday", self.birthday), ("workplace", self.workplace),
            ("address", self.address), ("notes", self.notes), ("method_type", "phone"),
            ("method_value", self.phone), ("method_type", "email"), ("method_value", self.email),
        ])


def contacts(owners, more=0, each=EACH):
    """The contacts of each owner, whose rows lie among one another, and behind them one more's."""
    chance = random.Random(20240601)
    rows = [owner for owner in range(1, owners + 1) for _ in range(each)]
    chance.shuffle(rows)
    # Behind all others, so that these have the same numbers with them and without.
    rows += [owners + 1] * more
    return [made(chance, number, owner) for number, owner in enumerate(rows, start=1)]


def made(chance, number, owner):
    first, last = chance.choice(FIRST), chance.choice(LAST)
    year = chance.randrange(1940, 2005)
    month, day = chance.randrange(1, 13), chance.randrange(1, 29)
    mailbox = "".join(filter(str.isalnum, folded(f"{first}{last}")))
    return Contact(
        number, owner, f"{first} {last}", f"{year}-{month:02}-{day:02}", chance.choice(WORKPLACES),
        f"{chance.randrange(1, 200)} {chance.choice(STREETS)}\r\n{chance.choice(TOWNS)}",
        chance.choice(NOTES), f"+49 30 {chance.randrange(1_000_000, 10_000_000)}",
        f"{mailbox}{number}@example.org")


def folded(text):
    """Without case and accents, as the portal folds the letters of these names."""
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter)).lower()


def in_order(rows):
    """One owner's contacts in the order of the list."""
    return sorted(rows, key=lambda one: (one.folded.encode(), one.name.encode(), one.id))


def words(text):
    """The words whose beginnings a search compares."""
    return "".join(letter if letter.isalnum() else " " for letter in folded(text)).split()


def found(rows, query):
    """Those of whom each word of the query begins a word of the name, the workplace or the e-mail address."""
    wanted = words(query)
    return [
        one for one in rows
        if all(any(word.startswith(start) for word in one.words) for start in wanted)
    ]
