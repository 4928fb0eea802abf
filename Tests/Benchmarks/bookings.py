"""A clinic whose doctors can be booked: the same rows for the portal and for the reference."""

import contextlib
import datetime
import random
import sqlite3
from dataclasses import dataclass
from urllib.parse import urlencode

# Those whose times are booked, each the account of the person of this number.
DOCTORS = range(1, 21)
# The one who has been booked, in the past year and for the coming one.
BUSY_DOCTOR = 21
BOOKINGS = 10_000
MINUTES = 10
UNIT = 300
DAY = 86_400
WORK, BREAK = (8 * 60, 18 * 60), (13 * 60, 14 * 60)
PURPOSE = "Pain in the left knee since last week, worse on stairs."


@dataclass(frozen=True)
class Time:
    """A time of a doctor that can be booked, and who books it, by numbers; `moment` is in Unix seconds."""

    doctor: int
    moment: int
    patient: int

    @property
    def form(self):
        """The form as a browser sends it, without the hidden fields that all have."""
        moment = datetime.datetime.fromtimestamp(self.moment, datetime.timezone.utc)
        return urlencode([
            ("clinic", 1), ("department", 1), ("doctor", self.doctor), ("date", moment.date()),
            ("time", f"{moment:%H:%M}"), ("offset", ""), ("purpose", PURPOSE)])


def starts(day):
    """The starts of the appointments of a day, given as days since 1970."""
    minutes = [*range(WORK[0], BREAK[0], MINUTES), *range(BREAK[1], WORK[1], MINUTES)]
    return [day * DAY + 60 * minute for minute in minutes]


def today():
    return int(datetime.datetime.now(datetime.timezone.utc).timestamp()) // DAY


def times(people):
    """The times that can be booked within a year, in an order that is the same each day. Nobody has two at once or
    is the doctor, and the last of the people, whose are the bookings that are there, has none."""
    moments = [moment for day in range(today() + 2, today() + 364) for moment in starts(day)]
    found = [
        Time(doctor, moment, (number * len(DOCTORS) + doctor) % (people - 1) + 1)
        for number, moment in enumerate(moments) for doctor in DOCTORS if doctor < people
    ]
    random.Random(20240601).shuffle(found)
    return [time for time in found if time.patient != time.doctor]


def copy_tables(source, target):
    """Makes the portal's tables in the reference's database."""
    with contextlib.closing(sqlite3.connect(source)) as database:
        texts = [row[0] for row in database.execute(
            "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND (name LIKE 'appointments%'"
            " OR name IN ('covid_stats_countries', 'covid_stats_refresh'))"
            " ORDER BY type = 'trigger', rowid")]
    with contextlib.closing(sqlite3.connect(target)) as database:
        database.executescript(";\n".join(texts))


def insert_clinic(path, people):
    """Enters the clinic and its doctors, who all work the same hours, and what is booked already."""
    with contextlib.closing(sqlite3.connect(path)) as database, database:
        database.execute(
            "INSERT INTO appointments_clinics (name_en, name_ru, name_he, about_en, about_ru, about_he,"
            " street, house_number, city, country, phone, time_zone, pediatric, hospital)"
            " VALUES ('Riverside Polyclinic', '', '', '', '', '', 'Long Street', '12', 'Minsk', 'BY',"
            " '+375 17 200 00 00', 'UTC', 0, 0)")
        database.execute(
            "INSERT INTO appointments_departments (clinic, specialization) VALUES (1, 'cardiology')")
        for doctor in DOCTORS:
            insert_doctor(database, doctor, doctor if doctor < people else None)
        insert_doctor(database, BUSY_DOCTOR, people)
        insert_bookings(database, BUSY_DOCTOR, [people])


def insert_doctor(database, doctor, person=None):
    database.execute(
        "INSERT INTO appointments_doctors (person, department, slot_minutes) VALUES (?, 1, ?)",
        [person, MINUTES])
    database.executemany(
        "INSERT INTO appointments_hours (doctor, weekday, starts, ends, kind) VALUES (?, ?, ?, ?, ?)",
        [(doctor, weekday, *minutes, kind) for weekday in range(1, 8)
         for minutes, kind in [(WORK, "work"), (BREAK, "break")]])


def insert_bookings(database, doctor, patients):
    """Enters a doctor's bookings of the past year and the coming one, by the patients in turn. The patients
    of the next days have been reminded."""
    chance = random.Random(20240602 + doctor)
    moments = [moment for day in range(today() - 364, today() + 364) for moment in starts(day)]
    first, = database.execute("SELECT ifnull(max(id_appointment), 0) + 1 FROM appointments").fetchone()
    booked = [
        (first + number, patients[number % len(patients)], moment)
        for number, moment in enumerate(sorted(chance.sample(moments, BOOKINGS)))]
    database.executemany(
        "INSERT INTO appointments (id_appointment, person, created_at, doctor, status, starts_at, ends_at,"
        " time_zone, changed_at, reminded) VALUES (?, ?, ?, ?, 'booked', ?, ?, 'UTC', ?, ?)",
        ((number, patient, moment - DAY, doctor, moment, moment + 60 * MINUTES, moment - DAY,
          2 if moment // DAY < today() + 2 else 0) for number, patient, moment in booked))
    database.executemany(
        "INSERT INTO appointments_claimed_units (doctor, unit, appointment) VALUES (?, ?, ?)",
        ((doctor, moment // UNIT + unit, number) for number, _, moment in booked
         for unit in range(60 * MINUTES // UNIT)))
    database.executemany(
        "INSERT INTO appointments_history (appointment, sequence, status, starts_at, at, actor,"
        " actor_role) VALUES (?, 0, 'booked', ?, ?, ?, 'patient')",
        ((number, moment, moment - DAY, patient) for number, patient, moment in booked))


def next_month():
    """The next month that lies wholly in the future, as `YYYY-MM`."""
    first = datetime.datetime.now(datetime.timezone.utc).date().replace(day=1)
    return f"{first + datetime.timedelta(days=32):%Y-%m}"
