"""The reference in C: compiled, given the portal's rows in plain text, and run."""

import base64
import contextlib
import hashlib
import socket
import sqlite3
import subprocess
import time
from pathlib import Path

from fastcgi import ask
from people import VISITOR
from portal import THREADS
from processes import Responder

REFERENCE = "reference.sqlite"
SOURCES = sorted((Path(__file__).parent / "Reference").glob("*.c"))
SCHEMA = """
CREATE TABLE people (id_person INTEGER PRIMARY KEY AUTOINCREMENT) STRICT;
CREATE TABLE profiles (
  person INTEGER PRIMARY KEY REFERENCES people ON DELETE CASCADE, name TEXT NOT NULL) STRICT;
CREATE TABLE accounts (
  person INTEGER PRIMARY KEY REFERENCES people ON DELETE CASCADE, state TEXT NOT NULL,
  roles TEXT NOT NULL, language TEXT NOT NULL) STRICT;
CREATE TABLE sessions (
  id_session INTEGER PRIMARY KEY AUTOINCREMENT, token_hash BLOB NOT NULL UNIQUE,
  person INTEGER NOT NULL REFERENCES people ON DELETE CASCADE, created_at INTEGER NOT NULL,
  seen_at INTEGER NOT NULL, device TEXT NOT NULL, carried BLOB) STRICT;
CREATE INDEX sessions_person ON sessions (person);
CREATE TABLE answered_forms (
  form BLOB NOT NULL PRIMARY KEY, answer INTEGER NOT NULL, answered_at INTEGER NOT NULL) STRICT;
CREATE INDEX answered_forms_answered_at ON answered_forms (answered_at);
CREATE TABLE contacts (
  id_contact INTEGER PRIMARY KEY AUTOINCREMENT,
  person INTEGER NOT NULL REFERENCES people ON DELETE CASCADE, name TEXT NOT NULL,
  folded TEXT NOT NULL, reach TEXT NOT NULL, created_at INTEGER NOT NULL,
  deleted_at INTEGER) STRICT;
CREATE TABLE contact_details (
  id_contact INTEGER PRIMARY KEY REFERENCES contacts ON DELETE CASCADE, birthday TEXT,
  workplace TEXT NOT NULL, address TEXT NOT NULL, notes TEXT NOT NULL) STRICT;
CREATE TABLE communication_methods (
  id_contact INTEGER NOT NULL REFERENCES contacts ON DELETE CASCADE, position INTEGER NOT NULL,
  type TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (id_contact, position)) STRICT;
CREATE TABLE choices (
  person INTEGER PRIMARY KEY REFERENCES people ON DELETE CASCADE, country TEXT NOT NULL) STRICT;
CREATE TABLE certificates (
  id_certificate INTEGER PRIMARY KEY, person INTEGER NOT NULL REFERENCES people ON DELETE CASCADE,
  label TEXT NOT NULL, payload TEXT NOT NULL, grid BLOB NOT NULL) STRICT;
CREATE TABLE certificate_keys (kid BLOB PRIMARY KEY, public_key BLOB NOT NULL) STRICT;
CREATE TABLE address_books (
  person INTEGER PRIMARY KEY REFERENCES people ON DELETE CASCADE, contacts INTEGER NOT NULL) STRICT;
"""
# Made when the rows are there, which is quicker. The first covers the list.
INDEXES = """
CREATE INDEX contacts_in_order ON contacts (person, folded, name, id_contact, reach)
  WHERE deleted_at IS NULL;
CREATE INDEX contacts_deleted_of_person ON contacts (person, deleted_at)
  WHERE deleted_at IS NOT NULL;
CREATE INDEX contacts_deleted_at ON contacts (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE VIRTUAL TABLE contacts_words USING fts5 (
  name, workplace, email, content = '', prefix = '1 2 3', tokenize = 'unicode61 remove_diacritics 2');
INSERT INTO contacts_words (rowid, name, workplace, email)
  SELECT id_contact, name, workplace, value
  FROM contacts JOIN contact_details USING (id_contact) JOIN communication_methods USING (id_contact)
  WHERE type = 'email';
INSERT INTO contacts_words (contacts_words) VALUES ('optimize');
ANALYZE;
PRAGMA wal_checkpoint(TRUNCATE);
"""


class Reference(Responder):
    """The responder in C, which answers once this is made."""

    name = "C"

    def __init__(self, directory, pages):
        self.database = directory / REFERENCE
        self.socket = directory / "reference.sock"
        self.socket.unlink(missing_ok=True)
        began = time.monotonic()
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(self.socket))
            listener.listen(1024)
            super().__init__(
                [directory / "reference", self.database, pages, THREADS],
                directory / "reference.log", stdin=listener)
        self.await_that(lambda: "Status: 200" in ask(self.socket, "/robots.txt"))
        self.seconds_to_answer = time.monotonic() - began

    @property
    def worker(self):
        return self.process.pid


def compile_reference(directory):
    # SHA-256 by the functions that need no context made for each call.
    subprocess.run(
        ["cc", "-O2", "-g", "-Wall", "-Wextra", "-Werror", "-DOPENSSL_API_COMPAT=0x10100000L", "-o",
         directory / "reference", *SOURCES, "-lfcgi", "-lsqlite3", "-lcrypto", "-lpthread", "-lm", "-lz"],
        check=True)


def make_reference(directory, people, cookies):
    """Makes its database with the same rows and sessions."""
    with contextlib.closing(sqlite3.connect(directory / REFERENCE)) as database:
        database.execute("PRAGMA journal_mode = WAL")
        database.executescript(SCHEMA)
        for person, cookie in enumerate(cookies, start=1):
            insert_person(database, person, cookie)
        insert_contacts(database, people)
        database.commit()
        database.executescript(INDEXES)


def insert_person(database, person, cookie):
    token = base64.urlsafe_b64decode(cookie.partition("=")[2] + "=")
    now = int(time.time())
    database.execute("INSERT INTO people VALUES (?)", [person])
    database.execute("INSERT INTO profiles VALUES (?, ?)", [person, VISITOR])
    database.execute("INSERT INTO accounts VALUES (?, 'active', 'patient', '')", [person])
    database.execute("INSERT INTO address_books VALUES (?, 0)", [person])
    database.execute(
        "INSERT INTO sessions (token_hash, person, created_at, seen_at, device)"
        " VALUES (?, ?, ?, ?, ?)",
        [hashlib.sha256(token).digest(), person, now, now, "Firefox on Linux"])


def insert_contacts(database, people):
    now = int(time.time())
    database.executemany(
        "INSERT INTO contacts VALUES (?, ?, ?, ?, ?, ?, NULL)",
        ((one.id, one.owner, one.name, one.folded, one.phone, now) for one in people))
    database.executemany(
        "INSERT INTO contact_details VALUES (?, ?, ?, ?, ?)",
        ((one.id, one.birthday, one.workplace, one.stored_address, one.notes) for one in people))
    database.executemany(
        "INSERT INTO communication_methods VALUES (?, ?, ?, ?)",
        (row for one in people
         for row in [(one.id, 0, "phone", one.phone), (one.id, 1, "email", one.email)]))
    database.execute(
        "UPDATE address_books SET contacts ="
        " (SELECT count(*) FROM contacts WHERE contacts.person = address_books.person)")
