"""Backups of a portal under load, and portals to restore them to."""

import http.client
import re
import shutil
import sqlite3
import threading
import time
from urllib.parse import urlencode

from portal import Portal, command
from visitor import FORM, Visitor, untrusting


class Writer:
    """A user who adds contacts one after another and records those that were acknowledged."""

    def __init__(self, portal, login, pause=0.0):
        self.login = login
        self.visitor = Visitor(portal).register(login)
        self.fields = self.visitor.filled("/contacts/new", {"name": ""})
        self.saved = []
        self.failures = []
        self.pause = pause
        self.stop = threading.Event()
        self.thread = threading.Thread(target=self.write)

    def write(self):
        connection, number = None, 0
        cookies = "; ".join(f"{name}={value}" for name, value in self.visitor.cookies.items())
        due = time.monotonic()
        while not self.stop.is_set():
            number += 1
            name = f"{self.login} contact {number}"
            body = urlencode([*((k, v) for k, v in self.fields if k != "name"), ("name", name)])
            try:
                connection = connection or http.client.HTTPSConnection(
                    "localhost", self.visitor.portal.port, timeout=40, context=untrusting())
                began = time.monotonic()
                connection.request(
                    "POST", "/contacts/new", body, {"Content-Type": FORM, "Cookie": cookies})
                answer = connection.getresponse()
                answer.read()
                if answer.status == 303:
                    self.saved.append((name, answer.headers["Location"], time.monotonic() - began))
                else:
                    self.failures.append(answer.status)
            except (OSError, http.client.HTTPException) as error:
                self.failures.append(repr(error))
                connection = None
            due = max(due + self.pause, time.monotonic() - 1)
            self.stop.wait(max(0, due - time.monotonic()))


class Writers:
    """Several writers that run concurrently while the block runs."""

    def __init__(self, portal, names, rate=None):
        pause = len(names) / rate if rate else 0.0
        self.all = [Writer(portal, name, pause) for name in names]

    def __enter__(self):
        self.began = time.monotonic()
        for writer in self.all:
            writer.thread.start()
        return self

    def __exit__(self, *_):
        for writer in self.all:
            writer.stop.set()
        for writer in self.all:
            writer.thread.join()
        self.seconds = time.monotonic() - self.began

    @property
    def count(self):
        return sum(len(writer.saved) for writer in self.all)

    @property
    def failures(self):
        return [failure for writer in self.all for failure in writer.failures]

    def acknowledged(self):
        """Returns the contacts acknowledged so far, by login."""
        return {writer.login: list(writer.saved) for writer in self.all}


def back_up(portal, path):
    """Makes a backup and returns the output of the command."""
    answer = portal.run("backup", path)
    assert answer.returncode == 0, answer.stderr
    return answer.stdout


def elsewhere(portal, directory, with_key=True):
    """Returns another portal with the same configuration that has never been started."""
    other = Portal(directory)
    other.data.mkdir()
    shutil.copy(portal.configuration, other.configuration)
    if with_key:
        other.key.parent.mkdir(mode=0o700)
        shutil.copy(portal.key, other.key)
    return other


def restore(other, path, *arguments, input=None):
    return command(
        "restore", path, *arguments, "--config", other.configuration, data=other.data, input=input)


def restore_and_verify(other, path, acknowledged, said):
    """Restores a backup to another portal and checks it for all contacts acknowledged before the backup."""
    answer = restore(other, path)
    assert answer.returncode == 0, answer.stderr
    rows = re.search(r"(\d+) people, (\d+) rows in (\d+) tables", said)
    assert rows and rows[0] in answer.stdout, answer.stdout
    check = command("check", "--config", other.configuration, data=other.data)
    assert check.returncode == 0, check.stdout + check.stderr
    with sqlite3.connect(f"file:{other.database}?mode=ro", uri=True) as database:
        contacts = dict(database.execute("SELECT id_contact, sealed FROM contacts"))
    assert None not in contacts.values(), "a contact without its content"
    for login, saved in acknowledged.items():
        missing = [path for _, path, _ in saved if int(path.rsplit("/", 1)[1]) not in contacts]
        assert not missing, f"{login} was told that these are saved: {missing}"
    other.start()
    try:
        for login, saved in acknowledged.items():
            visitor = Visitor(other)
            assert visitor.sign_in(login).status == 303
            for name, path, _ in saved[:1] + saved[-2:]:
                page = visitor.get(path)
                assert page.status == 200 and name in page.text, path
                assert name in visitor.get("/contacts?q=" + name.replace(" ", "+")).text
    finally:
        other.stop()
