"""Page layouts and colours, compared with snapshots independently of fonts.

The snapshots are in `looks/`. After an intended change: RENEW_LOOKS=yes Tests/EndToEnd/run -k looks
"""

import os
from contextlib import ExitStack
from datetime import date

import pytest

import certificates
import pictures
import upstream
from browsers import DESKTOP, OVERFLOW, PHONE, SMALL
from conftest import unique
from fonts import FAMILIES
from geometry import (
    CRAMPED, LABELS, LETTERS, LONG, OVERLAPS, TARGETS, TOUCHING, Snapshot, add_rule, differences, measured, measured_bare,
    paints, steady,
)
from visitor import Visitor
from waiting import until

PAINTS = "paints"
RENEWING = os.environ.get("RENEW_LOOKS") == "yes"

# Small, dark, right-to-left and desktop.
WAYS = [("en", SMALL, "light"), ("en", PHONE, "dark"), ("he", PHONE, "light"), ("en", DESKTOP, "light")]
each_way = pytest.mark.parametrize(
    "language, size, scheme", WAYS, ids=[f"{way[0]}-{way[1][0]}-{way[2]}" for way in WAYS])
# A height without scroll bars, which would narrow the page, and with the bar of a phone below all content.
HEIGHT = 16_000

EMPTIED = "const form = document.querySelector('main form.form'); form.reset(); %s form.submit();"


# For print: visible controls, and elements with a colour other than black or grey.
PRESSED = """
return [...document.querySelectorAll('button, .button, input, nav, details, footer')]
  .filter((e) => e.getClientRects().length).map((e) => e.outerHTML.slice(0, 80));
"""
COLOURED = """
const grey = (colour) => {
  const [red, green, blue, alpha = 1] = colour.match(/[\\d.]+/g).map(Number);
  return alpha === 0 || (red === green && green === blue);
};
return [...document.querySelectorAll('body, body *')].filter((e) => e.getClientRects().length)
  .filter((e) => !grey(getComputedStyle(e).color) || !grey(getComputedStyle(e).backgroundColor)
    || parseInt(getComputedStyle(e).color.match(/\\d+/)[0]) > 60)
  .map((e) => e.outerHTML.slice(0, 80));
"""


class LooksUsers:
    """A user with a few contacts, and a second user without any."""

    def __init__(self, portal, language):
        self.visitor = Visitor(portal, language=language).register(unique("viewer"))
        self.contact = self.visitor.add_contact(
            "Vera Ames", birthday=date.today().replace(year=2000).isoformat(), workplace="Library",
            address="12 Linden Street\nFlat 3", notes="Likes to be called in the evening.",
            method_type=["phone", "email"], method_value=["+7 921 555-01-23", "vera@example.org"])
        self.visitor.add_contact("Noah Bennett", method_type="phone", method_value="+972545551234")
        gone = self.visitor.add_contact("Once There")
        self.visitor.submit(f"{gone}/delete", {})
        kept = certificates.keep(self.visitor, pictures.file(pictures.code()))
        self.certificate = kept.location.partition("?")[0]
        self.empty = Visitor(portal, language=language).register(unique("beginner"))


@pytest.fixture(scope="session")
def people(portal):
    # The job's first download always fails in tests; a failure after the import would appear on the pages.
    until(lambda: "the figures were not refreshed" in portal.said)
    # In the data directory, because the command runs as the owner of the data.
    file = portal.data / "who.csv"
    file.write_bytes(upstream.figures(["RU", "BY", "IL"], until=date(2026, 4, 29)))
    taken = portal.run("covid-stats", "refresh", "--from", file)
    assert taken.returncode == 0, taken.stderr
    return {language: LooksUsers(portal, language) for language in ["en", "ru", "he"]}


# Each page by name: user, path, and a script to run there.
PAGES = {
    "welcome": (None, "/", None),
    "sign-in": (None, "/login", None),
    "registration": (None, "/register", None),
    "registration-errors": (None, "/register", EMPTIED % ""),
    "privacy": (None, "/privacy", None),
    "not-found": (None, "/nothing", None),
    "error": (None, "/assets/nothing.css", None),
    "dashboard": ("visitor", "/", None),
    "dashboard-empty": ("empty", "/", None),
    "contacts": ("visitor", "/contacts", None),
    "contacts-empty": ("empty", "/contacts", None),
    "contacts-nothing-found": ("visitor", "/contacts?q=zzz", None),
    "contact": ("visitor", "{contact}", None),
    "contact-form": ("visitor", "{contact}/edit", None),
    "contact-form-errors": ("empty", "/contacts/new", EMPTIED % ""),
    "contact-conflict": (
        "visitor", "{contact}/edit",
        EMPTIED % "form.elements.workplace.value = 'Museum'; form.elements.version.value = 'old';"),
    "contact-deletion": ("visitor", "{contact}/delete", None),
    "recently-deleted": ("visitor", "/account/deleted", None),
    "profile": ("visitor", "/account", None),
    "sessions": ("visitor", "/account/sessions", None),
    "covid-country": ("visitor", "/covid-stats", None),
    "covid-countries": ("visitor", "/covid-stats/countries", None),
    "covid-trend": ("visitor", "/covid-stats/trend?country=RU&range=month", None),
    "covid-information": ("visitor", "/covid-stats/information", None),
    "certificates": ("visitor", "/vaccination-qr", None),
    "certificates-empty": ("empty", "/vaccination-qr", None),
    "certificate": ("visitor", "{certificate}", None),
    "certificate-screen": ("visitor", "{certificate}/show", None),
    "certificate-print": ("visitor", "/vaccination-qr/print", None),
    "vaccination-record": ("visitor", "/vaccination-qr/record", None),
    "offline": (None, "/offline", None),
}


class Gallery:
    """A browser that opens the pages of PAGES."""

    def __init__(self, portal, browser, user, size, scheme):
        self.portal = portal
        self.browser = browser
        self.driver = browser.driver
        self.user = user
        browser.start_over((size[0], HEIGHT))
        browser.use_scheme(scheme)

    def open(self, name):
        who, path, action = PAGES[name]
        self.driver.execute_cdp_cmd("Network.clearBrowserCookies", {})
        if who:
            for cookie, value in getattr(self.user, who).cookies.items():
                self.driver.execute_cdp_cmd("Network.setCookie", {
                    "name": cookie, "value": value, "url": self.portal.origin, "path": "/",
                    "secure": True, "httpOnly": True, "sameSite": "Lax"})
        self.driver.get(self.portal.origin + path.format(
            contact=self.user.contact, certificate=self.user.certificate))
        if action:
            self.driver.execute_script(action)
            until(lambda: self.driver.execute_script(
                "return document.readyState === 'complete'"
                " && !!document.querySelector('.summary, .notice.warning')"))
        assert self.driver.execute_script("return !!document.querySelector('main h1')")
        self.driver.execute_script("document.activeElement.blur()")
        return self.driver


@pytest.fixture
def gallery(portal, browsers, people):
    opened = []

    def open(language, size, scheme, family="dejavu"):
        opened.append(browsers(language, family))
        return Gallery(portal, opened[-1], people[language], size, scheme)

    yield open
    for browser in opened:
        browser.use_scheme("light")


@each_way
def test_page_layouts_and_colours_match_their_snapshots(gallery, language, size, scheme):
    seen, title = gallery(language, size, scheme), f"{language} {size[0]} {scheme}"
    painted, wrong = set(), []
    for name in PAGES:
        driver, snapshot = seen.open(name), Snapshot(name)
        boxes = measured(driver)
        painted |= paints(boxes)
        if RENEWING:
            snapshot.keep(title, steady(driver))
        assert title in snapshot.parts, f"no snapshot of {name}: see the head of this file"
        wrong += [f"{name}: {line}" for line in differences(snapshot.parts[title], boxes)]
    if RENEWING:
        Snapshot(PAINTS).keep(title, sorted(painted))
    wrong += sorted(painted - set(Snapshot(PAINTS).parts[title]))
    assert wrong == [], "\n".join(wrong)


@each_way
def test_no_page_has_overlaps_touching_boxes_small_targets_small_text_or_long_lines(gallery, language, size, scheme):
    seen, wrong = gallery(language, size, scheme), []
    for name in PAGES:
        driver = seen.open(name)
        for script in [OVERLAPS, TOUCHING, TARGETS, LETTERS, LONG]:
            wrong += [f"{name}: {line}" for line in driver.execute_script(script)]
    assert wrong == [], "\n".join(wrong)


# The families that people have, beside the one of the snapshots.
@pytest.mark.long
@pytest.mark.way
@pytest.mark.parametrize("family", ["liberation", "noto", "roboto"])
@pytest.mark.parametrize("language, size", [("en", PHONE), ("he", SMALL), ("en", DESKTOP)])
def test_nothing_overlaps_touches_or_is_too_small_in_other_fonts(gallery, language, size, family):
    seen, wrong = gallery(language, size, "light", family), []
    for name in PAGES:
        driver = seen.open(name)
        for script in [OVERFLOW, OVERLAPS, TOUCHING, TARGETS, LETTERS]:
            wrong += [f"{name}: {line}" for line in driver.execute_script(script)]
    assert wrong == [], "\n".join(wrong)


def test_a_browser_sees_no_other_fonts_than_those_of_its_test(browsers):
    widths = [browsers("en", family).start_over().driver.execute_script(WIDTH) for family in FAMILIES]
    assert len(set(widths)) == len(FAMILIES), "each family has its own widths"


NOTICE = """
const notice = document.createElement('div');
notice.className = 'notice warning';
notice.innerHTML = arguments[0];
document.querySelector('main').append(notice);
return [...notice.children].map((part) => [part.getBoundingClientRect().left, part.getBoundingClientRect().top]);
"""
# The width of a line in the fonts of pages, in pixels.
WIDTH = """
const pen = document.createElement('canvas').getContext('2d');
pen.font = '100px system-ui, sans-serif';
return pen.measureText('Wer jagt mein Quiz? Ёжик').width;
"""
PARAGRAPH = "<p>Two appointments are still booked.</p>"


@pytest.mark.parametrize("size", [PHONE, DESKTOP])
def test_only_buttons_stand_beside_the_text_of_a_notice(gallery, size):
    driver = gallery("en", size, "light").open("profile")
    for parts in [PARAGRAPH * 2, PARAGRAPH * 3, PARAGRAPH + "<ul><li>One</li><li>Two</li></ul>"]:
        places = driver.execute_script(NOTICE, parts)
        assert len({left for left, _ in places}) == 1, parts
        assert len({top for _, top in places}) == len(places), parts
    [[left, _], [button, _]] = driver.execute_script(NOTICE, PARAGRAPH + "<a class='button small'>Show</a>")
    assert button > left


@pytest.fixture
def large_text(gallery):
    """Opens a gallery with text of twice the size."""
    with ExitStack() as ends:
        def open(language, size):
            seen = gallery(language, size, "light")
            ends.enter_context(seen.browser.large_text())
            return seen

        yield open


# Shows the most unread notices that the bell counts.
UNREAD = """
const bell = document.querySelector('.bell');
if (bell) bell.insertAdjacentHTML('beforeend', '<span class="number">99+</span>');
"""

# Pages without a session, with one, and with tabs.
LARGE = ["welcome", "sign-in", "dashboard", "contacts", "covid-trend"]


@pytest.mark.parametrize("size", [SMALL, PHONE], ids=["320", "390"])
@pytest.mark.parametrize("language", ["en", "ru", "he"])
def test_nothing_collides_with_text_of_twice_the_size(large_text, language, size):
    seen, wrong = large_text(language, size), []
    for name in LARGE:
        driver = seen.open(name)
        assert driver.execute_script("return getComputedStyle(document.body).fontSize") == "32px"
        driver.execute_script(UNREAD)
        seen.browser.picture(f"large-{name}-{language}")
        for script in [OVERLAPS, CRAMPED, LETTERS]:
            wrong += [f"{name}: {line}" for line in driver.execute_script(script)]
    assert wrong == [], "\n".join(wrong)


@pytest.mark.long
@pytest.mark.parametrize("rule", [
    ".brand > span { position: static !important; width: auto !important; overflow: visible !important }",
    ".brand img { width: 5px !important }", ".segments.many > a { flex: 1 !important; width: 0 !important; overflow-wrap: anywhere !important }",
    ".modules > ul > li { min-width: 6rem !important }"])
def test_collisions_of_large_text_are_detected(large_text, rule):
    seen, found = large_text("en", PHONE), []
    for name in LARGE:
        driver = seen.open(name)
        add_rule(driver, rule)
        for script in [OVERLAPS, CRAMPED]:
            found += driver.execute_script(script)
    assert found, f"nobody would see {rule}"


BROKEN = [
    ".rows > li > a { padding: 0 }", ".form { padding: 0 }", ".field { width: 110% }",
    ".field { margin: 0 }", "input { min-height: 0; padding: 0 }", ".button { padding: 0; min-height: 0 }",
    "main { max-width: none }", ".details > div { display: block }", "h1 { margin: 4rem 0 }",
    ".modules ul { display: block }", "header.site { display: none }", ".fields { display: block }",
]


@pytest.mark.long
@pytest.mark.parametrize("rule", BROKEN)
def test_a_changed_style_rule_is_detected(gallery, rule):
    seen, found = gallery("en", DESKTOP, "light"), []
    for name in ["contact", "contact-form", "contacts", "registration"]:
        kept = Snapshot(name).parts[f"en {DESKTOP[0]} light"]
        found += differences(kept, measured(seen.open(name), rule))
    assert found, f"nobody would see {rule}"


@pytest.mark.long
def test_a_missing_style_sheet_is_detected_on_every_page(gallery):
    seen, title = gallery("en", PHONE, "dark"), f"en {PHONE[0]} dark"
    for name in PAGES:
        boxes = measured_bare(seen.open(name))
        assert differences(Snapshot(name).parts[title], boxes), name
        assert paints(boxes) - set(Snapshot(PAINTS).parts[title]), name


@pytest.mark.long
@pytest.mark.parametrize(
    "rule", [".lead { color: #ccd }", ".button { background: none }", "* { font-size: 15px }"])
def test_changed_colours_and_font_sizes_are_detected(gallery, rule):
    driver = gallery("en", DESKTOP, "light").open("welcome")
    known = Snapshot(PAINTS).parts[f"en {DESKTOP[0]} light"]
    assert paints(measured(driver, rule)) - set(known)


@pytest.mark.long
@pytest.mark.parametrize(
    "rule, script",
    [(".form > .actions { margin-top: -4rem }", OVERLAPS),
     (".panel { margin: 0 }", TOUCHING),
     ("button.button { min-height: 0; padding: 0; line-height: 1 }", TARGETS),
     ("svg text { font-size: 5rem !important }", LABELS), (".hint { font-size: 0.75rem }", LETTERS), (".prose > p { max-width: none }", LONG)])
def test_overlapping_touching_small_and_long_text_is_detected(gallery, rule, script):
    seen, found = gallery("en", DESKTOP, "light"), []
    for name in ["contact-form", "registration", "privacy", "covid-trend"]:
        driver = seen.open(name)
        add_rule(driver, rule)
        found += driver.execute_script(script)
    assert found, f"nobody would see {rule}"


@pytest.mark.long
@pytest.mark.parametrize("rule", [
    "* { font-family: serif !important }", "* { font-family: monospace, monospace !important }",
    "* { letter-spacing: 0.03em !important }"])
def test_another_font_matches_the_snapshots(gallery, rule):
    seen = gallery("en", PHONE, "dark")
    for name in PAGES:
        kept = Snapshot(name).parts[f"en {PHONE[0]} dark"]
        assert differences(kept, measured(seen.open(name), rule)) == [], name


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_printed_pages_are_black_and_grey_without_controls(gallery, scheme):
    seen = gallery("en", DESKTOP, scheme)
    for name, said in [("contact", "+7 921 555-01-23"), ("contacts", "Noah Bennett")]:
        driver = seen.open(name)
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "media": "print", "features": [{"name": "prefers-color-scheme", "value": scheme}]})
        assert driver.execute_script(PRESSED) == []
        assert driver.execute_script(COLOURED) == []
        assert said in driver.execute_script("return document.querySelector('main').innerText")
        driver.execute_script("[...document.styleSheets].find((one) => one.href.includes('print')).disabled = true")
        assert driver.execute_script(PRESSED) and driver.execute_script(COLOURED)
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
