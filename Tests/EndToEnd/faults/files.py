"""Files of the portal that are taken away, may not be written, or hold another byte."""

import os
import random
import re
import shutil
import sqlite3
import subprocess
from contextlib import closing, contextmanager

from visitor import Visitor
from waiting import until

from faults.killed import kill
from faults.load import Person, pairs
from faults.ledger import Sightings
from faults.report import Report, Skipped
from faults.stage import fault, now


def during(stage, harm, mend, failed_gets=None, after=lambda portal: None):
    """Does harm while people work, until they have seen it or gone on regardless, and mends it."""
    with stage.portal() as portal:
        crowd = stage.crowd(portal)
        seen = crowd.sightings
        with crowd.at_work():
            before = len(seen.all)
            harm(portal)
            until(lambda: len(seen.all) > before + 40, 60)
            mend(portal)
            began = now()
            after(portal)
        return stage.judge(crowd, portal, began, failed_gets=failed_gets, failed_posts=None, within=2)


@fault("database taken away and put back")
def database_removed(stage):
    def move(portal, source, target):
        for path in [*portal.database.parent.glob(f"{source}*")]:
            if not path.name.endswith("lock"):
                path.rename(path.with_name(path.name.replace(source, target, 1)))

    name = "polyclinic.sqlite"
    return during(
        stage, lambda portal: move(portal, name, "away"), lambda portal: move(portal, "away", name))


@fault("database read-only")
def database_read_only(stage):
    """Permissions do not bind root: so the file itself is made immutable, for those who open it anew."""
    def set_immutable(portal, sign):
        done = subprocess.run(
            ["chattr", f"{sign}i", portal.database], capture_output=True, text=True)
        if done.returncode:
            raise Skipped(f"chattr: {done.stderr.strip()}")
        kill(*portal.workers)

    return during(
        stage, lambda portal: set_immutable(portal, "+"), lambda portal: set_immutable(portal, "-"))


@fault("key taken away and put back")
def key_removed(stage):
    """A running process has the file in memory. A starting one reports that it is missing, and starts
    when it is back."""
    def harm(portal):
        portal.key.rename(portal.key.with_name("away"))
        kill(portal.workers[0])

    def mend(portal):
        portal.key.with_name("away").rename(portal.key)

    return during(stage, harm, mend, after=lambda portal: until(lambda: len(portal.workers) == 2, 30))


@fault("socket removed")
def socket_removed(stage):
    def path(portal):
        return portal.data / "run" / "polyclinic.sock"

    return during(
        stage, lambda portal: path(portal).unlink(),
        lambda portal: until(lambda: path(portal).exists(), 60))


class Reader:
    """Somebody who knows what is on each of the own pages."""

    def __init__(self, portal, number, contacts):
        self.person = Person(portal, number, Sightings())
        for _ in range(contacts):
            self.person.visitor.add_contact(self.person.ledger.next_name(), notes="n" * 200)
        shown = pairs(self.person.answered("/contacts"), self.person.login)
        self.expected = dict(shown)

    def read(self):
        """The faults of the pages shown now, and True if anything reports a problem."""
        visitor, wrong, told = self.person.visitor, [], False
        visitor.drop()
        answer = visitor.get("/contacts")
        if answer.status == 200:
            if dict(pairs(answer.text, self.person.login)) != self.expected:
                wrong.append("the list")
        else:
            told = answer.status != 303
            wrong += strange(answer, "the list")
        for path, name in self.expected.items():
            answer = visitor.get(path)
            if answer.status == 200:
                if name not in answer.text or "n" * 200 not in answer.text:
                    wrong.append("a contact")
            else:
                told = told or answer.status != 303
                wrong += strange(answer, "a contact")
        return wrong, told


def strange(answer, what):
    """A fault page says that something is wrong; a lost session leads to signing in; a record whose key
    is another one now is not found at its address, and then `check` must name it."""
    if answer.status in (404, 500, 503) and "<h1" in answer.text:
        return []
    if answer.status == 303 and answer.location.startswith("/login"):
        return []
    return [f"{answer.status} for {what}"]


@fault("a byte of the database changed")
def byte_changed(stage):
    """Wherever the byte is: what is shown is right, or it is said that it cannot be shown; and where
    that is said, `check` names it too."""
    places = stage.pick(short=6, long=100)
    report = Report(f"{places}")
    chance = random.Random(7)
    with stage.portal() as portal:
        readers = [Reader(portal, number, contacts=12) for number in range(2)]
        portal.stop()
        fold(portal.database)
        keep = portal.data / "keep.sqlite"
        shutil.copy(portal.database, keep)
        told = found = 0
        for _ in range(places):
            for log in ["-wal", "-shm"]:
                portal.database.with_name(portal.database.name + log).unlink(missing_ok=True)
            shutil.copyfile(keep, portal.database)
            offset = chance.choice(offsets(portal.database))
            with portal.database.open("r+b") as file:
                file.seek(offset)
                byte = file.read(1)[0]
                file.seek(offset)
                file.write(bytes([byte ^ chance.randrange(1, 256)]))
            answer = look(portal, readers, report, offset)
            checked = portal.run("check").returncode
            told += answer
            found += checked != 0
            report.require(
                not answer or checked, f"byte {offset}: visitors are told, and check finds nothing")
    report.saw = f"told of {told}, check found {found}"
    return report


def fold(database):
    """Moves what stands in the log into the file: whoever copies that has all of it then."""
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def offsets(database):
    """The position of a byte that holds something: pages of nothing but zeros are left out."""
    content = database.read_bytes()
    return [index for index, byte in enumerate(content) if byte]


def look(portal, readers, report, offset):
    """Starts the portal on what there is and reads all pages; whether somebody was told."""
    try:
        portal.start()
    except RuntimeError:
        return True
    try:
        told = False
        for reader in readers:
            wrong, said = reader.read()
            told = told or said
            report.require(not wrong, f"byte {offset}: wrong are {sorted(set(wrong))}")
        return told
    finally:
        portal.stop()
