#!/usr/bin/env python3
"""bench.py PORTAL FILLER: the portal's figures beside those of a reference in C, as Markdown.

Both answer the same bytes of the same rows behind one nginx, in turns, so that what else the
machine does meets both. Judged is the processor time of one request, in user and kernel mode, of
all the processes of each, with that of nginx: the median of the ratios of neighbouring rounds. The first round of each
is not counted, and in it every answer's status is looked at.
"""

import argparse
import contextlib
import os
import signal
import re
import statistics
import sys
import tempfile
import time
from pathlib import Path

import certificates
import country_templates
import imports
import templates
from databases import PORTAL, REFERENCE, make_databases, stored
from fastcgi import ask
from measuring import CONNECTIONS, load, proportional_memory
from nginx import Nginx
from bookings import Time, starts, today
from pages import LARGE, LEVELS, MONTH, ROWS, level_requests, requests
from people import EACH, contacts
from portal import Portal
from reference import Reference
from table import HEAD, Comparison, plain

PEOPLE = 200
# More than can be sent in a round: there has to be memory for them.
MOST_LINES = 40_000


def main():
    names = [row.name for row in [*ROWS, MONTH, *LEVELS]] + imports.NAMES
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("portal", type=Path)
    options.add_argument("filler", type=Path)
    options.add_argument("--rounds", type=int, default=7)
    options.add_argument("--seconds", type=int, default=1, help="of each round")
    options.add_argument(
        "--only", action="append", choices=names, metavar="ROW", help=", ".join(names))
    options.add_argument(
        "--keep", type=Path, metavar="DIRECTORY", help="where the filled databases stay for next time")
    chosen = options.parse_args()
    # Ends what was started, also when the time is over.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("bench.py: ended"))
    with tempfile.TemporaryDirectory(prefix="polyclinic-bench-") as directory:
        Bench(chosen, Path(directory)).run()


class Bench:
    """The databases, and all that is measured on them."""

    def __init__(self, chosen, directory):
        self.chosen = chosen
        self.directory = directory
        self.rows = self.chosen_of(ROWS)
        self.months = self.chosen_of([MONTH])
        self.levels = self.chosen_of(LEVELS)
        say("Making the databases…")
        everybody = contacts(PEOPLE, more=LARGE if self.levels or chosen.keep else 0)
        self.people = everybody[:PEOPLE * EACH]
        cookies = make_databases(directory, chosen.filler, everybody, PEOPLE, chosen.keep)
        self.cookies, self.large = cookies[:PEOPLE], cookies[PEOPLE:]

    def chosen_of(self, rows):
        return [row for row in rows if not self.chosen.only or row.name in self.chosen.only]

    def run(self):
        starts = [self.started(lambda: Portal(self.chosen.portal, self.directory))]
        with Portal(self.chosen.portal, self.directory) as portal:
            certificates.keep(portal, self.cookies, self.directory)
            pages = self.learn(portal)
            with Reference(self.directory, pages) as reference:
                both = [portal, reference]
                self.compare_answers(*both)
                fresh = [proportional_memory(one.worker) / 1e6 for one in both]
                sockets = [portal.socket, reference.socket]
                with Nginx(self.directory, sockets, portal.site) as nginx:
                    self.nginx = nginx
                    self.measure(both, nginx.ports)
                if not self.chosen.only or "import" in self.chosen.only:
                    for line in imports.measure(portal, self.cookies[PEOPLE - 1]):
                        print(line, flush=True)
                # An idle worker gives memory back after a second, and all that it can after ten.
                time.sleep(11)
                memory = [proportional_memory(one.worker) / 1e6 for one in both]
        starts.append(self.started(lambda: Reference(self.directory, pages)))
        print(plain("memory (PSS) of an idle worker, before all this", "MB", fresh, 40))
        print(plain("memory (PSS) of an idle worker, after all this", "MB", memory, 40))
        print(plain("first answer after the start", "ms", starts, 150))
        print(f"\nMedians of {self.chosen.rounds} rounds of {self.chosen.seconds} s, wrk with "
              f"{CONNECTIONS} connections, {os.cpu_count()} processors.")

    @staticmethod
    def started(start):
        """Milliseconds from the start to the first answer."""
        times = []
        for _ in range(5):
            with start() as responder:
                times.append(responder.seconds_to_answer * 1e3)
        return statistics.median(times)

    def owned(self, owner):
        return [one for one in self.people if one.owner == owner]

    def learn(self, portal):
        """The directory of the templates that the reference writes."""
        pages = self.directory / "pages"
        pages.mkdir()
        mine = self.owned(1)

        def fetch(target, cookie=self.cookies[0]):
            return ask(portal.socket, target, cookie)

        learnt = templates.learn(fetch, mine) | country_templates.learn(fetch) | certificates.learn(fetch)
        fields = self.fields(portal)[PEOPLE]
        form = f"{mine[0].form}&{fields}&once=learnt"
        learnt["saved"] = templates.saved(
            ask(portal.socket, "/contacts/new", self.cookies[PEOPLE - 1], form))
        form = f"{tomorrow().form}&{fields}&once=learnt"
        learnt["booked"] = templates.saved(
            ask(portal.socket, "/appointments/new", self.cookies[PEOPLE - 1], form))
        for name, template in learnt.items():
            (pages / name).write_text(template)
        return pages

    def compare_answers(self, *responders):
        """Stops unless all send the same, but for what is random."""
        some = [one for owner in range(2, 12) for one in self.owned(owner)]
        asked = requests(self.row("fixed"), some, self.cookies, None) + ["\t/"]
        asked += requests(self.row("list"), some, self.cookies[1:11], None)
        asked += requests(self.row("details"), some, self.cookies, None)[:100]
        asked += requests(self.row("search"), some, self.cookies, None)
        # The last of the people has been booked, and is notified of it.
        asked += requests(self.row("country"), some, self.cookies[:-1], None)
        asked += requests(self.row("countries"), some, self.cookies[:2], None)
        asked += requests(self.row("certificate"), some, self.cookies, None)
        for line in asked:
            cookie, target = line.split("\t")
            one, other = (
                templates.comparable(ask(one.socket, target, cookie)) for one in responders)
            if one != other:
                start = max(0, len(os.path.commonprefix([one, other])) - 40)
                raise RuntimeError(
                    f"the reference answers {target} otherwise than the portal: "
                    f"{other[start:start + 120]!r} for {one[start:start + 120]!r}")

    @staticmethod
    def row(name):
        return next(row for row in ROWS if row.name == name)

    def fields(self, responder):
        """The hidden fields of each person's form for a new contact, but for `once`."""
        fields = {}
        for person, cookie in enumerate(self.cookies, start=1):
            page = ask(responder.socket, "/contacts", cookie)
            token = re.search(r'name="csrf" value="([\w-]+)"', page)[1]
            fields[person] = f"csrf={token}&person={person}"
        return fields

    def measure(self, responders, ports):
        print(HEAD)
        for row in self.rows:
            sides = []
            for responder, port in zip(responders, ports):
                fields = self.fields(responder) if row.table else None
                lines = requests(row, self.people, self.cookies, fields)
                files = self.files(row, responder.name, lines)
                sides.append(self.side(row, responder, port, files))
            with self.counted(row, sides) if row.table else contextlib.nullcontext():
                self.compare(row, sides)
        for row in self.months:
            fixed = self.row("fixed")
            self.compare_with_itself(row, responders[0], ports[0], [
                (one.name, requests(one, self.people, self.cookies, None)) for one in [row, fixed]])
        for row in self.levels:
            self.compare_with_itself(row, responders[0], ports[0], [
                (str(count), level_requests(row, cookie, count))
                for cookie, count in [(self.large[0], LARGE), (self.cookies[0], EACH)]])

    def compare_with_itself(self, row, portal, port, both):
        self.compare(row, [
            self.side(row, portal, port, self.files(row, name, lines)) for name, lines in both])

    def side(self, row, responder, port, files):
        return Side(responder, port, files, row.status, self.nginx, row.connections)

    def files(self, row, side, lines):
        """A file for all rounds; of what can be sent once, one for each."""
        rounds = self.chosen.rounds + 1 if row.name == "book" else 1
        paths = [self.directory / f"{row.name}-{side}-{number}.txt" for number in range(rounds)]
        for number, path in enumerate(paths):
            path.write_text("\n".join(lines[number::rounds][:MOST_LINES]) + "\n")
        return paths

    def compare(self, row, sides):
        for number in range(self.chosen.rounds + 1):
            # Who comes first changes, so that a machine that grows slower or faster favours nobody.
            for side in sides if number % 2 else reversed(sides):
                side.add(self.chosen.seconds, number)
            say(f"{row.title}, {number} of {self.chosen.rounds}")
        print(Comparison(row, *(side.rounds for side in sides)).line(), flush=True)

    @contextlib.contextmanager
    def counted(self, row, sides):
        """Stops unless something is stored for each form that was answered."""
        databases = [self.directory / PORTAL, self.directory / REFERENCE]
        before = [stored(path, row.table) for path in databases]
        yield
        for side, path, earlier in zip(sides, databases, before):
            rounds = self.chosen.rounds + 1
            # Some are under way when a round ends.
            if not 0 <= stored(path, row.table) - earlier - side.answered <= row.connections * rounds:
                raise RuntimeError(f"{side.responder.name} answered forms that it did not save")


class Side:
    """A responder under the load of a file of requests, round after round, or of another in each."""

    def __init__(self, responder, port, files, status, front, connections):
        self.responder = responder
        self.port = port
        self.files = files
        self.status = status
        self.front = front
        self.connections = connections
        self.rounds = []
        self.answered = 0
        self.size = None

    def add(self, seconds, number):
        expected = self.status if number == 0 else None
        file = self.files[number % len(self.files)]
        result = load(
            self.port, file, seconds, self.responder, expected, self.front.pids, self.connections)
        self.answered += result.requests
        if number == 0:
            self.size = result.size
            return
        # A redirect or a page of words is no error to the client, and much smaller.
        if abs(result.size / self.size - 1) > 0.1:
            raise RuntimeError(
                f"{self.responder.name} answered {file.name} otherwise than before")
        self.rounds.append(result)


def tomorrow():
    """A time that is in no file."""
    return Time(1, starts(today() + 1)[0], PEOPLE)


def say(text):
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
