"""A portal's database that has grown: 10 000 people, and a million bookings of a hundred doctors."""

import contextlib
import random
import sqlite3

from bookings import BUSY_DOCTOR, insert_bookings, insert_clinic, insert_doctor
from countries import insert_figures
from people import contacts
from portal import PORTAL, make_portal

PEOPLE = 10_000
# The contacts of each of them.
EACH = 5
# With the busy one they are a hundred.
DOCTORS = range(BUSY_DOCTOR + 1, BUSY_DOCTOR + 100)


def grown_contacts():
    return contacts(PEOPLE, each=EACH)


def make(filler, directory, bookers):
    """Makes it. The first people have no bookings yet, so that they can book what is free."""
    make_portal(filler, directory, grown_contacts())
    insert_clinic(directory / PORTAL, bookers)
    insert_figures(directory / PORTAL)
    patients = range(bookers + 1, PEOPLE + 1)
    with contextlib.closing(sqlite3.connect(directory / PORTAL)) as database, database:
        for doctor in DOCTORS:
            insert_doctor(database, doctor)
            insert_bookings(database, doctor, random.Random(doctor).sample(patients, len(patients)))
