"""Nothing on a page moves while it loads: its cumulative layout shift (https://web.dev/articles/cls)."""

import pytest

from browsers import DESKTOP, PHONE
from demo_users import demo_user
from geometry import add_rule
from test_html import MORE
from test_town import ROLES

# A tenth of what counts as good.
LIMIT = 0.01
# A busy machine shows a page in parts, which shifts the first ones. What scripts move shifts at each load.
LOADS = 3
# Pages in addition to those of other tests, on which scripts show something.
MORE_PAGES = {"patient": ["/vaccination-qr/new", "/vaccination-qr/print"]}

# Sums up the shifts until a quarter of a second after the page has loaded.
SHIFTS = """
const done = arguments[0], found = [];
new PerformanceObserver((list) => found.push(...list.getEntries())).observe({type: 'layout-shift', buffered: true});
setTimeout(() => done([
  found.reduce((sum, one) => sum + one.value, 0),
  found.flatMap((one) => one.sources).map((one) =>
    one.node && one.node.nodeType === 1 ? one.node.outerHTML.slice(0, 80) : ''),
]), 250);
"""


def shift(driver, address):
    """Returns the least shift of several loads, with the elements that moved."""
    found = []
    for _ in range(LOADS):
        driver.get(address)
        found.append(driver.execute_async_script(SHIFTS))
        if found[-1][0] < LIMIT:
            break
    return min(found)


@pytest.mark.parametrize(
    "size", [PHONE, pytest.param(DESKTOP, marks=pytest.mark.long)], ids=["390", "1280"])
def test_nothing_moves_while_a_page_loads(town, browsers, size):
    moved = []
    for role in ROLES:
        driver = browsers("en").start_over(size).driver
        if role:
            browsers("en").sign_in_as(demo_user(town, role))
        for path in [*ROLES[role], *MORE.get(role, []), *MORE_PAGES.get(role, [])]:
            total, elements = shift(driver, town.origin + path)
            if total >= LIMIT:
                moved.append(f"{role or 'everybody'} {path}: {total:.3f} {elements}")
    assert moved == [], "\n".join(moved)


def test_a_shift_is_detected(town, browsers):
    driver = browsers("en").start_over(PHONE).driver
    driver.get(f"{town.origin}/privacy")
    add_rule(driver, "main { margin-block-start: 100px }")
    assert driver.execute_async_script(SHIFTS)[0] >= LIMIT
