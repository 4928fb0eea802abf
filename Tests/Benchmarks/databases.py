"""The databases of the portal and of the reference, with the same rows."""

import contextlib
import shutil
import sqlite3
import time

from bookings import copy_tables, insert_clinic
from countries import insert_choices, insert_figures, renew_refresh
from people import EACH
from portal import make_portal
from reference import compile_reference, make_reference

PORTAL = "portal/polyclinic.sqlite"
REFERENCE = "reference.sqlite"


def make_databases(directory, filler, everybody, owners, kept=None):
    """Makes all that is needed in a directory, and returns the cookies of its people.

    With `kept` they are made there, unless they are there, and copied: making them takes a minute.
    """
    if not kept:
        return made(directory, filler, everybody, owners)
    if not (kept / "complete").exists():
        shutil.rmtree(kept, ignore_errors=True)
        kept.mkdir(parents=True)
        made(kept, filler, everybody, owners)
        (kept / "complete").touch()
    shutil.copytree(kept, directory, dirs_exist_ok=True)
    compile_reference(directory)
    for name in [PORTAL, REFERENCE]:
        renew_sessions(directory / name)
        renew_refresh(directory / name)
    return (directory / "portal" / "cookies.txt").read_text().split()


def made(directory, filler, everybody, owners):
    cookies = make_portal(filler, directory, everybody)
    make_reference(directory, everybody[:owners * EACH], cookies[:owners])
    copy_tables(directory / PORTAL, directory / REFERENCE)
    for name in [PORTAL, REFERENCE]:
        insert_clinic(directory / name, owners)
        insert_figures(directory / name)
    insert_choices(directory / REFERENCE, owners)
    return cookies


def renew_sessions(path):
    """Begins all sessions now: they would have ended by the time the databases are used again."""
    with contextlib.closing(sqlite3.connect(path)) as database:
        now = int(time.time())
        database.execute("UPDATE sessions SET created_at = ?, seen_at = ?", [now, now])
        database.commit()


def stored(path, table):
    """How many contacts or appointments there are."""
    with contextlib.closing(sqlite3.connect(path)) as database:
        return database.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
