#!/usr/bin/env python3
"""bench.py PORTAL FILLER: the portal's figures beside those of a reference in C, as Markdown.

Both answer the same bytes of the same rows, each behind an nginx with the portal's site, in turns, so
that what else the machine does meets both. Judged is the processor time of one request, in user and
kernel mode, of all processes of the responder and its nginx: the median of the ratios of neighbouring
rounds. The first round of each is not counted, and in it every answer's status is looked at.

A second table has the portal on a PostgreSQL server beside the portal on SQLite.
"""

import argparse
import contextlib
import os
import re
import shutil
import signal
import statistics
import sys
import tempfile
import time
from pathlib import Path

import certificates
import country_templates
import imports
import postgresql
import templates
from databases import make_databases, make_grown
from fastcgi import ask
from grown import grown_contacts
from measuring import CONNECTIONS, load, proportional_memory
from nginx import Nginx
from bookings import Time, starts, today
from pages import (
    CARE, CLIENTS, DOCTORS, GROWN, JSON, LARGE, LEVELS, MONTH, NAMED, POSTGRESQL, ROWS, THREADED, care_requests,
    level_requests, mixed, requests)
from people import EACH, contacts
from portal import THREADS, Portal, guardian_in
from reference import Reference
from side import Side
from table import HEAD, Comparison, figure, plain

PEOPLE = 200
# More than can be sent in a round: there has to be memory for them.
MOST_LINES = 40_000


def main():
    rows = [*ROWS, *CLIENTS, MONTH, DOCTORS, JSON, CARE, *LEVELS, *GROWN, *POSTGRESQL, *THREADED]
    names = [row.name for row in rows] + imports.NAMES + ["mixed"]
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("portal", type=Path)
    options.add_argument("filler", type=Path)
    options.add_argument("--rounds", type=int, default=7)
    options.add_argument("--seconds", type=int, default=1, help="of each round")
    options.add_argument("--mixed", type=int, default=20, metavar="SECONDS", help="of the mixed load")
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
        self.levels = self.chosen_of(LEVELS)
        say("Making the databases…")
        everybody = contacts(PEOPLE, more=LARGE if self.levels or chosen.keep else 0)
        self.people = everybody[:PEOPLE * EACH]
        cookies = make_databases(directory, chosen.filler, everybody, PEOPLE, chosen.keep)
        self.moved = directory / "postgresql"
        if self.chosen_of([*POSTGRESQL, *THREADED]):
            shutil.copytree(directory / "portal", self.moved / "portal")
        self.cookies, self.large = cookies[:PEOPLE], cookies[PEOPLE:]

    def chosen_of(self, rows):
        return [row for row in rows if self.wants(row.name)]

    def wants(self, name):
        return not self.chosen.only or name in self.chosen.only

    def run(self):
        starts = [self.started(lambda: Portal(self.chosen.portal, self.directory))]
        with Portal(self.chosen.portal, self.directory) as portal:
            portal.await_backup()
            certificates.keep(portal, self.cookies, self.directory)
            pages = self.learn(portal)
            with Reference(self.directory, pages) as reference:
                both = [portal, reference]
                self.compare_answers(*both)
                fresh = [proportional_memory(one.worker) / 1e6 for one in both]
                print(HEAD)
                with (Nginx(self.directory, portal, portal) as front,
                      Nginx(self.directory, portal, reference) as other):
                    self.measure(front, other)
                    self.measure_grown(front)
                    if self.wants("import"):
                        for line in imports.measure(portal, self.cookies[PEOPLE - 1]):
                            print(line, flush=True)
                    if self.wants("mixed"):
                        self.measure_mixed(front)
                    served = self.measure_on_server(front)
                # An idle worker gives memory back after a second, and all that it can after ten.
                time.sleep(11)
                memory = [proportional_memory(one.worker) / 1e6 for one in both]
        starts.append(self.started(lambda: Reference(self.directory, pages)))
        print(plain("memory (PSS) of an idle worker, before all this", "MB", fresh, 40))
        print(plain("memory (PSS) of an idle worker, after all this", "MB", memory, 40))
        print(plain("first answer after the start", "ms", starts, 150))
        if served:
            print("", postgresql.HEAD, *served, "", postgresql.NOTE, sep="\n")
        print(f"\nMedians of {self.chosen.rounds} rounds of {self.chosen.seconds} s, wrk with "
              f"{CONNECTIONS} connections where no other number is named, {os.cpu_count()} processors.")

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
        fields = self.fields(portal, self.cookies)[PEOPLE]
        form = f"{mine[0].form}&{fields}&once=learnt"
        learnt["saved"] = templates.saved(
            ask(portal.socket, "/contacts/new", self.cookies[PEOPLE - 1], form))
        form = f"{tomorrow().form}&{fields}&once=learnt"
        learnt["booked"] = templates.saved(
            ask(portal.socket, "/appointments/book", self.cookies[PEOPLE - 1], form))
        for name, template in learnt.items():
            (pages / name).write_text(template)
        return pages

    def compare_answers(self, *responders):
        """Stops unless all send the same, but for what is random."""
        some = [one for owner in range(2, 12) for one in self.owned(owner)]
        asked = requests(NAMED["fixed"], some, self.cookies, None) + ["\t/"]
        asked += requests(NAMED["list"], some, self.cookies[1:11], None)
        asked += requests(NAMED["details"], some, self.cookies, None)[:100]
        asked += requests(NAMED["search"], some, self.cookies, None)
        # The last of the people has been booked, and is notified of it.
        asked += requests(NAMED["country"], some, self.cookies[:-1], None)
        asked += requests(NAMED["countries"], some, self.cookies[:2], None)
        asked += requests(NAMED["certificate"], some, self.cookies, None)
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
    def fields(responder, cookies):
        """The hidden fields of each person's form for a new contact, but for `once`."""
        fields = {}
        for person, cookie in enumerate(cookies, start=1):
            page = ask(responder.socket, "/contacts", cookie)
            token = re.search(r'name="csrf" value="([\w-]+)"', page)[1]
            fields[person] = f"csrf={token}&person={person}"
        return fields

    def measure(self, *fronts):
        for row in self.chosen_of([*ROWS, *CLIENTS]):
            self.compare(row, [self.side(row, front, self.people, self.cookies) for front in fronts])
        portal = fronts[0]
        for row, other in [(MONTH, NAMED["fixed"]), (DOCTORS, NAMED["home"]), (JSON, NAMED["list"])]:
            if self.wants(row.name):
                self.compare(row, [
                    self.side(one, portal, self.people, self.cookies) for one in [row, other]])
        if self.wants(CARE.name):
            self.compare(CARE, [
                Side(CARE, portal, self.files(f"{CARE.name}-{number}", [line]))
                for number, line in enumerate(care_requests(self.cookies, guardian_in(self.directory)))])
        for row in self.levels:
            self.compare(row, [
                Side(row, portal, self.files(f"{row.name}-{count}", level_requests(row, cookie, count)))
                for cookie, count in [(self.large[0], LARGE), (self.cookies[0], EACH)]])

    def measure_grown(self, front):
        rows = self.chosen_of(GROWN)
        if not rows:
            return
        say("Making the database that has grown…")
        directory = self.directory / "grown"
        cookies = make_grown(directory, self.chosen.filler, PEOPLE, self.chosen.keep)
        with Portal(self.chosen.portal, directory) as portal, Nginx(directory, portal, portal) as grown:
            portal.await_backup()
            for row in rows:
                # Times are booked by the same people here and there.
                of = cookies[:PEOPLE] if row.table else cookies
                self.compare(row, [
                    self.side(row, grown, grown_contacts(), of),
                    self.side(row, front, self.people, self.cookies)])

    def measure_on_server(self, front):
        """The lines of the portal on PostgreSQL beside the one of this web server; printed after the table."""
        lines = []
        if not self.moved.exists():
            return lines
        say("Moving the database to PostgreSQL…")
        with postgresql.Server() as server:
            postgresql.move(self.chosen.portal, self.moved, server, "bench")
            for threads, rows in [(THREADS, POSTGRESQL), (CONNECTIONS, THREADED)]:
                postgresql.set_threads(self.moved, threads)
                with (postgresql.PortalOnPostgreSQL(
                        self.chosen.portal, self.moved, server, "bench") as portal,
                      Nginx(self.moved, portal, portal) as served):
                    portal.await_backup()
                    for row in self.chosen_of(rows):
                        sides = [self.side(row, one, self.people, self.cookies) for one in [served, front]]
                        self.take_rounds(row, sides)
                        lines.append(postgresql.line(row, sides))
                        say(lines[-1])
        return lines

    def measure_mixed(self, front):
        """The memory of the worker under a load of all kinds, in its last moment."""
        lines = mixed(self.people, self.cookies, self.fields(front.responder, self.cookies))
        seconds = self.chosen.mixed
        [file] = self.files("mixed", lines)
        before = front.responder.stored("contacts")
        load(front, file, seconds)
        memory = proportional_memory(front.responder.worker) / 1e6
        if front.responder.stored("contacts") == before:
            raise RuntimeError("the mixed load saved nothing")
        print(figure(
            f"memory (PSS) of a worker after {seconds} s of mixed load", "MB", memory, None, 0), flush=True)

    def side(self, row, front, people, cookies):
        """The side of a responder in a row, with the files of what these people send."""
        has_forms = row.table or row.is_beside_saves
        fields = self.fields(front.responder, cookies) if has_forms else None
        # Requests that can be sent only once have a file for each round.
        rounds = self.chosen.rounds + 1 if row.kind == "book" else 1
        is_served = isinstance(front.responder, postgresql.PortalOnPostgreSQL)
        side = (postgresql.ServedSide if is_served else Side)(row, front, self.files(
            f"{row.name}-{front.port}", requests(row, people, cookies, fields), rounds))
        if row.is_beside_saves:
            [side.forms] = self.files(
                f"{row.name}-forms-{front.port}", requests(NAMED["save"], people, cookies, fields))
        return side

    def files(self, name, lines, rounds=1):
        """Files with the lines, each with another part of them."""
        paths = [self.directory / f"{name}-{number}.txt" for number in range(rounds)]
        for number, path in enumerate(paths):
            path.write_text("\n".join(lines[number::rounds][:MOST_LINES]) + "\n")
        return paths

    def compare(self, row, sides):
        self.take_rounds(row, sides)
        for line in Comparison(row, *(side.rounds for side in sides)).lines():
            print(line, flush=True)

    def take_rounds(self, row, sides):
        table = "contacts" if row.is_beside_saves else row.table
        with contextlib.ExitStack() as counted:
            for side in sides if table else []:
                counted.enter_context(side.counted(table))
            for number in range(self.chosen.rounds + 1):
                # The order alternates, so that a machine that grows slower or faster favours neither.
                for side in sides if number % 2 else reversed(sides):
                    side.add(self.chosen.seconds, number)
                say(f"{row.title}, {number} of {self.chosen.rounds}")


def tomorrow():
    """A time that is in no file."""
    return Time(1, starts(today() + 1)[0], PEOPLE)


def say(text):
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
