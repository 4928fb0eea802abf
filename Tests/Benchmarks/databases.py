"""The databases of the portal and of the reference, with the same rows."""

import contextlib
import shutil
import sqlite3
import time

import grown
from bookings import copy_tables, insert_clinic
from countries import insert_choices, insert_figures, renew_refresh
from people import EACH
from portal import PORTAL, cookies_in, make_portal
from reference import REFERENCE, compile_reference, make_reference


def make_databases(directory, filler, everybody, owners, kept=None):
    """Makes all that is needed in a directory, and returns the cookies of its people."""
    copied_from(kept and kept / "ordinary", directory, lambda place: made(place, filler, everybody, owners))
    compile_reference(directory)
    for name in [PORTAL, REFERENCE]:
        renew(directory / name)
    return cookies_in(directory)


def make_grown(directory, filler, owners, kept=None):
    """Makes the database that has grown, and returns the cookies of its people."""
    copied_from(kept and kept / "grown", directory, lambda place: grown.make(filler, place, owners))
    renew(directory / PORTAL)
    return cookies_in(directory)


def copied_from(kept, directory, make):
    """Has something made in the directory. With `kept` it is made there, unless it is there, and copied."""
    directory.mkdir(parents=True, exist_ok=True)
    if not kept:
        return make(directory)
    if not (kept / "complete").exists():
        shutil.rmtree(kept, ignore_errors=True)
        kept.mkdir(parents=True)
        make(kept)
        (kept / "complete").touch()
    shutil.copytree(kept, directory, dirs_exist_ok=True)


def made(directory, filler, everybody, owners):
    cookies = make_portal(filler, directory, everybody)
    make_reference(directory, everybody[:owners * EACH], cookies[:owners])
    copy_tables(directory / PORTAL, directory / REFERENCE)
    for name in [PORTAL, REFERENCE]:
        insert_clinic(directory / name, owners)
        insert_figures(directory / name)
    insert_choices(directory / REFERENCE, owners)


def renew(path):
    """Begins all sessions now, and has the figures fetched just before: kept databases are older."""
    renew_refresh(path)
    with contextlib.closing(sqlite3.connect(path)) as database:
        now = int(time.time())
        database.execute("UPDATE sessions SET created_at = ?, seen_at = ?", [now, now])
        database.commit()
