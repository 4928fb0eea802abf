"""Learns from the portal's own answers what the reference writes, so that both send the same bytes.

A template is an answer, head and body, with marks where something differs: a name between the
control characters 1 and 2. Each mark has to be found as often as it is expected, so that a page
that was made anew is learnt anew, or the measuring stops.
"""

import html
import os
import re
from urllib.parse import urlencode

from people import VISITOR, found, in_order

TOKEN = re.compile(r'(name="(?:csrf|once)" value=")[\w-]+')
COOKIE = re.compile(r"(__Host-visitor=)[\w-]{43}")
ROWS_OF_PAGE = 50
MONTHS = (
    "January February March April May June July August September October November December"
).split()


class NotLearnt(Exception):
    """An answer has no place, or too many, for what the reference is to put there."""


def mark(name):
    return f"\1{name}\2"


def learn(fetch, mine):
    """All templates, from what `fetch(target)` answers to the owner of these contacts.

    `fetch` with a second argument asks as a stranger.
    """
    mine = in_order(mine)
    whole = fetch("/contacts")
    row = row_template(whole, mine)
    listed = without_rows(whole, row, mine[:ROWS_OF_PAGE])
    listed = marked(listed, number(f"{len(mine):,}"), "total")
    return {
        "fixed": fetch("/robots.txt"),
        "home": replaced(marked_tokens(fetch("/", "")), COOKIE, rf"\g<1>{mark('visitor-token')}"),
        "row": row,
        "list": visitor(listed),
        "found-some": search(fetch, mine, row, 2, 49),
        "found-many": search(fetch, mine, row, ROWS_OF_PAGE + 1, len(mine)),
        "found-one": search(fetch, mine, row, 1, 1),
        "found-none": search(fetch, mine, row, 0, 0),
        "contact": contact_page(fetch, mine),
    }


def saved(answer):
    """The response to a saved form."""
    return replaced(answer, r"(Location: /(?:contacts|appointments)/)\d+", rf"\g<1>{mark('id')}")


def comparable(answer):
    """An answer without what is random in it."""
    return COOKIE.sub(r"\1", TOKEN.sub(r"\1", answer))


def replaced(text, pattern, replacement, count=1):
    """The text with a pattern replaced, which has to be there so often; at all, for None."""
    text, times = re.subn(pattern, replacement, text)
    if times != count if count else times == 0:
        raise NotLearnt(f"{times} places for {replacement!r}")
    return text


def marked(text, pattern, name, count=1):
    return replaced(text, pattern, mark(name), count)


def number(value):
    """A number by itself, not a part of a longer one or of a name."""
    return rf"(?<![\w.,:/-]){re.escape(str(value))}(?![\w.,:/-])"


def marked_tokens(text):
    return replaced(text, TOKEN, rf"\g<1>{mark('csrf')}", None)


def visitor(page):
    """The part of the frame about the signed-in person."""
    place = '<span class="who"><span class="initial" aria-hidden="true">'
    page = marked(page, rf"(?<={place}){VISITOR[0]}(?=<)", "initial")
    return marked_tokens(marked(page, re.escape(html.escape(VISITOR)), "visitor", None))


def row_template(page, contacts):
    """A row of the list: what lies between two neighbours' numbers, from where it repeats."""
    places = [re.search(rf"/contacts/{one.id}\b", page).start() for one in contacts[:2]]
    lead = len(os.path.commonprefix([page[:place][::-1] for place in places]))
    first = contacts[0]
    row = page[places[0] - lead:places[1] - lead]
    row = replaced(row, rf"/contacts/{first.id}\b", f"/contacts/{mark('id')}")
    row = marked(row, re.escape(escaped(first.name)), "contact", None)
    row = marked(row, re.escape(escaped(first.phone)), "reach")
    return avatar_marked(marked(row, re.escape(first.telephone), "telephone"), first)


def avatar_marked(page, contact):
    """The page with marks in place of the contact's colour and letters."""
    return replaced(
        page, rf'hue-{contact.hue}(" aria-hidden="true">){contact.initials}(?=<)',
        rf"hue-{mark('hue')}\g<1>{mark('initials')}")


def without_rows(page, row, contacts):
    """The page with one mark in place of its rows."""
    return marked(page, re.escape("".join(row_of(row, one) for one in contacts)), "rows")


def row_of(template, contact):
    values = {
        "id": contact.id, "contact": contact.name, "reach": contact.phone,
        "telephone": contact.telephone, "hue": contact.hue, "initials": contact.initials,
    }
    return re.sub("\1(.*?)\2", lambda found: escaped(str(values[found[1]])), template)


def search(fetch, mine, row, fewest, most):
    """The page of a search that finds so many, by words that stand out on it."""
    queries = [one.folded[:length] for length in (None, 4, 1) for one in mine] + ["qx"]
    for query in queries:
        hits = in_order(found(mine, query))
        if not fewest <= len(hits) <= most or not query.replace(" ", "").isalpha():
            continue
        try:
            page = fetch(f"/contacts?{urlencode({'q': query})}")
            return found_marked(page, query, row, hits)
        except NotLearnt:
            continue
    raise NotLearnt(f"no search that finds {fewest} to {most} contacts")


def found_marked(page, query, row, hits):
    if hits:
        page = without_rows(page, row, hits[:ROWS_OF_PAGE])
    if len(hits) > 1:
        page = marked(page, number(len(hits)), "total")
    pages = -(-len(hits) // ROWS_OF_PAGE)
    if pages > 1:
        page = replaced(page, rf"(?<= of ){pages}(?=<)", mark("page-count"))
    sent = re.escape(urlencode({"q": query}))
    page = marked(page, rf"(?<=/contacts\?){sent}(?![\w+])", "query", 1 if pages <= 1 else 2)
    return visitor(marked(page, rf'(?<=value="){query}(?=")', "words"))


def contact_page(fetch, mine):
    """The page of the first contact all of whose fields stand out on it."""
    failure = NotLearnt("no contacts")
    for one in mine[:100]:
        try:
            return visitor(contact_marked(fetch(f"/contacts/{one.id}"), one))
        except NotLearnt as error:
            failure = error
    raise failure


def contact_marked(page, one):
    year, month, day = map(int, one.birthday.split("-"))
    page = replaced(page, rf"/contacts/{one.id}\b", f"/contacts/{mark('id')}", None)
    for value, name in [
        (one.email, "email"), (one.notes, "notes"), (one.stored_address, "address"),
        (one.workplace, "workplace"), (one.phone, "phone"), (one.telephone, "telephone"),
        (one.name, "contact"), (f"{day} {MONTHS[month - 1]} {year}", "birthday"),
    ]:
        page = marked(page, re.escape(escaped(value)), name, None)
    page = avatar_marked(page, one)
    ages = [age for age in turning(year) if re.search(number(age), page)]
    if len(ages) != 1:
        raise NotLearnt("no age")
    page = marked(page, re.escape(f"{day} {MONTHS[month - 1]} {year + ages[0]}"), "turning-day")
    return marked(page, number(ages[0]), "age")


def turning(year):
    """The next age of a person born in that year."""
    import datetime

    this = datetime.datetime.now(datetime.timezone.utc).year
    return [this - year, this - year + 1]


def escaped(text):
    return html.escape(text).replace("&#x27;", "&#39;")
