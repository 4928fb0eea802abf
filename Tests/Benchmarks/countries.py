"""COVID-19 figures of all countries: the same rows for the portal and for the reference."""

import contextlib
import random
import sqlite3
import time
from datetime import date, timedelta

from portal import ROOT

DAY = 86_400
# The country of ISO 3166-1 at each place, in the order of the codes, as the portal has a flag of each.
CODES = sorted(flag.stem.upper() for flag in (ROOT / "www" / "flags").glob("*.png"))


def choice(person):
    """The country that a person has chosen, by the number."""
    return CODES[person % len(CODES)]


def insert_choices(path, people):
    """Enters the people's choices into the reference; the portal's own are sealed and there already."""
    with contextlib.closing(sqlite3.connect(path)) as database, database:
        database.executemany(
            "INSERT INTO choices VALUES (?, ?)",
            [(person, choice(person)) for person in range(1, people + 1)])


def insert_figures(path):
    """Enters weekly figures of all countries, as a source reports them that knows the populations."""
    chance = random.Random(20240603)
    day = int(time.time()) // DAY - 2
    rows = [(code, *reports(chance, day), *totals(chance)) for code in CODES]
    with contextlib.closing(sqlite3.connect(path)) as database, database:
        database.executemany(
            "INSERT INTO covid_stats_countries (country, day, new_cases, new_deaths, previous_day,"
            " previous_cases, previous_deaths, is_weekly, cases, deaths, cases_per_million,"
            " deaths_per_million) VALUES (?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?)", rows)
        database.execute(
            "INSERT INTO covid_stats_refresh (id, source, day, revision, is_fictional)"
            " VALUES (1, 'owid', ?, 1, 0)",
            [written(day)])
    renew_refresh(path)


def written(day):
    """A day, counted from 1970, as the portal stores it."""
    return str(date(1970, 1, 1) + timedelta(days=day))


def reports(chance, day):
    """The last two reports, up to a week before a day: of each the day, new cases and new deaths."""
    last = day - chance.randrange(7)
    return *report(chance, last), *report(chance, last - 7)


def report(chance, day):
    cases = spread(chance, 1, 6)
    return written(day), cases, cases // chance.randrange(60, 200)


def totals(chance):
    """All cases and deaths, and of a million people."""
    population = spread(chance, 4, 9)
    cases = population // chance.randrange(4, 300)
    deaths = cases // chance.randrange(60, 2000)
    return cases, deaths, cases * 1e6 / population, deaths * 1e6 / population


def spread(chance, least, most):
    """A number of so many digits at least and at most, as many of each length."""
    return int(10 ** chance.uniform(least, most))


def renew_refresh(path):
    """Has the figures fetched an hour ago: nothing is due to be fetched, and no page says that it failed."""
    with contextlib.closing(sqlite3.connect(path)) as database, database:
        database.execute(
            "UPDATE covid_stats_refresh SET fetched_at = ?", [int(time.time()) - 3600])
