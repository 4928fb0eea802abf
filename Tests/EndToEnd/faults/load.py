"""People who read and save all the time, and say what they saw."""

import http.client
import itertools
import re
import threading
import time
from contextlib import contextmanager

from visitor import Visitor, untrusting
from waiting import until

from faults.ledger import Audit, Ledger, Sighting, Sightings

CONTEXT = untrusting()


class KeptVisitor(Visitor):
    """Somebody whose connection stays open, as a browser's does."""

    patience = 40
    kept = None

    def connect(self):
        if self.kept is None:
            self.kept = http.client.HTTPSConnection(
                "localhost", self.portal.port, timeout=self.patience, context=CONTEXT,
                source_address=(self.address, 0))
        return self.kept

    def leave(self, connection):
        """Drops a broken connection."""

    def drop(self):
        if self.kept is not None:
            self.kept.close()
        self.kept = None


class Person:
    """Somebody who is signed in, reads own pages, and saves contacts of which the ledger knows."""

    def __init__(self, portal, number, sightings):
        self.login = f"person-{number}"
        self.visitor = KeptVisitor(portal, address=f"127.0.0.{10 + number}").register(self.login)
        self.ledger = Ledger(self.login)
        self.sightings = sightings

    def look(self, target):
        """Asks for a page; nothing when the connection broke."""
        return self.ask("GET", target, lambda: self.visitor.get(target))

    def ask(self, method, target, exchange):
        began = time.monotonic()
        try:
            answer = exchange()
        except (OSError, http.client.HTTPException):
            self.visitor.drop()
            answer = None
        now = time.monotonic()
        seen = Sighting(now, now - began, method, answer and answer.status)
        seen.oddity = oddity(target, answer)
        self.sightings.add(seen)
        return answer

    def live(self, stop):
        """Looks and saves in turn until it is told to stop."""
        while not stop.is_set():
            self.look("/")
            self.check_list()
            if not stop.is_set():
                self.save(stop)

    def check_list(self):
        """The list is whole, or it says that it is not to be had: never a part of it."""
        known = len(self.ledger.acknowledged)
        answer = self.look("/contacts")
        if answer and answer.status == 200:
            shown = re.search(r'role="status">([\d,]+)', answer.text)
            if int(shown[1].replace(",", "") if shown else 0) < known:
                self.sightings.add(Sighting(time.monotonic(), 0, "GET", 200, "a list with less than was saved"))
        if known:
            name = self.ledger.acknowledged[-1]
            found = self.look(f"/contacts?q={name}")
            if found and found.status == 200 and len(pairs(found.text, self.login)) != 1:
                self.sightings.add(Sighting(time.monotonic(), 0, "GET", 200, "a search without what was saved"))

    def save(self, stop):
        """Fills in the form and presses the button, again and again as long as that fails."""
        form = self.look("/contacts/new")
        if form and form.status == 303:
            # A session ends when the clock says that it was idle for long.
            return self.ask("POST", "/login", lambda: self.visitor.sign_in(self.login))
        if not form or form.status != 200:
            return pause(stop)
        name = self.ledger.next_name()
        fields = [(field, value) for field, value in form.fields() if field != "name"]
        fields.append(("name", name))
        while True:
            answer = self.ask(
                "POST", "/contacts/new", lambda: self.visitor.post("/contacts/new", fields))
            if answer and answer.status == 303:
                return self.ledger.acknowledge(name)
            if answer and answer.status < 500 and answer.status != 429:
                return None
            if stop.is_set():
                return None
            pause(stop)

    def names(self):
        """All names in the list, on all its pages, the last of which stands for those behind it."""
        found, last = [], None
        for page in itertools.count(1):
            rows = pairs(self.answered(f"/contacts?page={page}"), self.login)
            if not rows or rows == last:
                return found
            found += [name for _, name in rows]
            last = rows

    def answered(self, target):
        """The text of a page, asked for until it comes: 404 is a text too."""
        def ask():
            try:
                answer = self.visitor.get(target)
            except (OSError, http.client.HTTPException):
                return self.visitor.drop()
            return answer.text if answer.status in (200, 404) else None

        return until(ask, 60)

    def unreadable(self):
        """The names in the first page of the list whose own pages do not show them."""
        rows = pairs(self.answered("/contacts"), self.login)
        return [name for path, name in rows if name not in self.answered(path)]


def pairs(text, login):
    """The addresses and names in a list: each row once."""
    return set(re.findall(rf'href="(/contacts/\d+)"(?:(?!href=).)*?({login}-\d{{6}})\b', text, re.S))


def oddity(target, answer):
    """The fault of an answer beside its status; empty if there is none."""
    if answer is None or answer.status < 500 and answer.status != 429:
        return "" if answer is None or answer.status in (200, 303) else f"{answer.status} from {shape(target)}"
    if "<h1" not in answer.text:
        return f"a bare {answer.status}"
    if answer.status != 500 and not answer.headers["Retry-After"]:
        return f"a {answer.status} without Retry-After"
    return ""


def shape(target):
    return re.sub(r"\d+", "N", target.partition("?")[0])


def pause(stop):
    stop.wait(0.05)


class Crowd:
    """Several people at once."""

    def __init__(self, portal, size):
        self.sightings = Sightings()
        self.people = [Person(portal, number, self.sightings) for number in range(size)]

    @contextmanager
    def at_work(self, to_the_end=True):
        """All of them read and save while the body runs, and until each has saved since: unless nobody
        can, for the portal is gone."""
        stop = threading.Event()
        threads = [threading.Thread(target=person.live, args=(stop,)) for person in self.people]
        for thread in threads:
            thread.start()
        try:
            self.save_some(1)
            yield
            if to_the_end:
                self.save_some(1)
        finally:
            stop.set()
            for thread in threads:
                thread.join(60)

    def secrets(self):
        """The texts that no file may contain: a login, and the values that the same person has saved."""
        first = self.people[0]
        return {"login": first.login} | {
            f"contact {name}": name for name in first.ledger.acknowledged[-3:]}

    def save_some(self, count):
        """Waits until each has so many more acknowledged."""
        before = [len(person.ledger.acknowledged) for person in self.people]
        until(lambda: all(
            len(person.ledger.acknowledged) >= old + count
            for person, old in zip(self.people, before)), 60)

    @property
    def saved(self):
        return sum(len(person.ledger.acknowledged) for person in self.people)

    def audit(self):
        whole = Audit()
        for person in self.people:
            audit = person.ledger.audit(person.names())
            audit.lost += [name for name in person.unreadable() if name not in audit.lost]
            whole += audit
        return whole
