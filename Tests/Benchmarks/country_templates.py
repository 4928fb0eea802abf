"""Learns the pages of COVID-19 figures as templates.py does the others."""

import html
import re

from countries import CODES, choice
from templates import NotLearnt, mark, marked, replaced, visitor

ROW = re.compile(r'<tr><th scope="row">.*?</tr>')
NAME = re.compile(r'value="(\w\w)">.*? src="([^"]+)".*?<bdi>([^<]+)</bdi></button>')
NUMBER = r"(?<=<bdi>)[\d,.]+(?=</bdi>)"
DATE = r"\b\d{1,2} [A-Z][a-z]+ \d{4}(?: at \d\d:\d\d)?"


def learn(fetch):
    """The templates, from what `fetch(target)` answers to the first person, and the countries' names."""
    page = fetch("/covid-stats/countries")
    rows = ROW.findall(page)
    names = [NAME.search(row).groups() for row in rows]
    if sorted(code for code, _, _ in names) != CODES:
        raise NotLearnt("a list without a row for each country")
    return {
        "country": country_page(fetch("/covid-stats"), names),
        "countries": list_page(page, rows),
        "country-row": row_template(rows[0], names[0]),
        "country-names": "".join(
            f"{code}\t{html.unescape(name)}\t{flag}\n" for code, flag, name in names),
    }


def country_page(page, names):
    code, flag, name = next(one for one in names if one[0] == choice(1))
    page = marked(own(page), rf"\b{code}\b", "country", None)
    page = marked(marked(page, re.escape(flag), "flag"), re.escape(name), "country-name", None)
    page = in_order(page, NUMBER, [
        "new-cases", "previous-cases", "new-deaths", "previous-deaths", "cases", "cases-rate", "deaths",
        "deaths-rate"])
    reports = ["report-day", "previous-day"]
    return in_order(page, DATE, [*reports, *reports, "updated", "fetched"])


def list_page(page, rows):
    page = marked(own(page), re.escape("".join(rows)), "rows")
    return in_order(page, DATE, ["updated", "fetched"])


def row_template(row, names):
    code, flag, name = names
    row = marked(row, rf'(?<=value="){code}(?=")', "country")
    row = marked(marked(row, re.escape(flag), "flag"), re.escape(name), "country-name")
    return in_order(row, NUMBER, ["new-cases", "cases", "cases-rate", "deaths", "deaths-rate"])


def own(page):
    """The page of the first person, with marks for what is the visitor's."""
    return visitor(replaced(page, r'(name="person" value=")1(?=")', rf"\g<1>{mark('person')}", None))


def in_order(page, pattern, names):
    """The page with a mark in each place of the pattern, which are as many as the names."""
    rest = iter(names)
    page, count = re.subn(pattern, lambda _: mark(next(rest, "")), page)
    if count != len(names):
        raise NotLearnt(f"{count} places for {', '.join(names)}")
    return page
