"""The bytes of style and scripts that a page loads, before compression."""

import re

from demo_users import demo_user
from test_html import pages
from test_town import EVERYBODY, ROLES

# Every page loads fewer. The sheet for print counts too, because browsers fetch it with every page.
LIMIT = 61_440
LOADED = re.compile(r'<(?:link rel="stylesheet" href|script src)="(/assets/[^"]+)"')


def all_pages(town, role):
    """Yields the path and the HTML of each page of a role, with those that are open to everybody."""
    yield from pages(town, role)
    if role:
        visitor = demo_user(town, role)
        yield from ((path, visitor.get(path).body) for path in EVERYBODY)


def weights(town, role, sizes):
    """Yields the path and the bytes of style and scripts of each page of a role."""
    visitor = demo_user(town, role)
    for path, body in all_pages(town, role):
        files = LOADED.findall(body.decode())
        for file in set(files) - set(sizes):
            sizes[file] = len(visitor.get(file).body)
        yield path, sum(sizes[file] for file in files)


def too_heavy(weighed):
    return [f"{path}: {size} bytes" for path, size in weighed if size >= LIMIT]


def test_no_page_loads_more_style_and_scripts_than_a_slow_phone_takes(town):
    sizes = {}
    weighed = [
        (f"{role or 'everybody'} {path}", size)
        for role in ROLES for path, size in weights(town, role, sizes)]
    assert len(weighed) > 70
    assert any("/assets/styles/style" in file for file in sizes)
    assert any("/assets/scripts/rows" in file for file in sizes), "the scripts of forms are weighed"
    assert any("/assets/styles/print" in file for file in sizes), "the sheet for print is weighed"
    shown = {page for page, _ in weighed}
    assert {f"{role or 'everybody'} /appointments/clinics/map" for role in ROLES} <= shown
    print(max(weighed, key=lambda one: one[1]))
    assert too_heavy(weighed) == []


def test_a_page_with_one_more_script_is_detected(town):
    style = next(size for path, size in weights(town, "", {}) if path == "/privacy")
    assert too_heavy([("/privacy", style), ("/heavy", LIMIT)]) == [f"/heavy: {LIMIT} bytes"]
