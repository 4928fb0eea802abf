"""Weights, blood pressure and API tokens in a browser."""

import re

import pytest
from selenium.webdriver import ActionChains, Keys

from browsers import DESKTOP, PHONE, SMALL
from conftest import unique
from input_devices import Keyboard, Pointer
from pages import Page
from test_cards import upload
from demo_users import at, open_session
from visitor import PASSWORD, Visitor
from ways import each_language, each_layout

SUBMIT = "main form.form > .actions .button:not([name])"
WEIGHTS, READINGS = "/health-metrics/weights", "/health-metrics/blood-pressure"


def page(kind, pattern):
    return at(f"metrics-{kind}", pattern + r"(\?.*)?")


WEIGHT = page("weight", WEIGHTS + r"/\d+")
READING = page("reading", READINGS + r"/\d+")
TOKENS = page("tokens", "/account/tokens")


@each_language
def test_a_weight_is_saved_changed_deleted_and_restored_by_keyboard(portal, browsers, language):
    browser = browsers(language).start_over(PHONE)
    anna = Visitor(portal, language=language).register(unique("keyboard"))
    session = open_session(portal, browser, Keyboard, anna)
    empty = session.open("/health-metrics", page("none", "/health-metrics")).go(
        f"main h2 a[href='{WEIGHTS}']", page("weights-none", WEIGHTS))
    form = empty.go(f"main a[href='{WEIGHTS}/new']", page("weight-new", f"{WEIGHTS}/new"))
    wrong = form.fill({"value": "7000"}).go(SUBMIT, page("weight-refused", f"{WEIGHTS}/new"))
    assert wrong.find("[name='value'][aria-invalid='true']") and wrong.find("#value-error")
    # Every language accepts both decimal separators.
    kept = wrong.fill({"value": "72,5", "note": "Before breakfast"}).go(SUBMIT, WEIGHT)
    assert "Before breakfast" in kept.text()
    changed = kept.go("main a[href$='/edit']", page("weight-edit", WEIGHTS + r"/\d+/edit")).fill(
        {"value": "71.9"}).go(SUBMIT, WEIGHT)
    assert re.search(r"71[.,]9", changed.text())
    gone = changed.go("main a[href$='/delete']", page("weight-delete", WEIGHTS + r"/\d+/delete")).go(
        "main form .button.danger", page("weights-deleted", WEIGHTS))
    assert not gone.find("main ul.rows")
    back = gone.go(".notice form button", page("weights", r"/health-metrics/weights(/\d+)?"))
    assert re.search(r"71[.,]9", back.text())
    assert browser.complaints() == []


@each_language
def test_an_unusual_reading_needs_confirmation_and_shows_advice_by_keyboard(
        portal, browsers, language):
    browser = browsers(language).start_over(PHONE)
    anna = Visitor(portal, language=language).register(unique("keyboard"))
    session = open_session(portal, browser, Keyboard, anna)
    new = page("reading-new", f"{READINGS}/new")
    form = session.open(f"{READINGS}/new", new)
    turned = form.fill({"systolic": "80", "diastolic": "120"}).go(SUBMIT, new)
    assert turned.find("#diastolic-error")
    asked = turned.fill({"systolic": "260", "diastolic": "120", "pulse": "88"}).go(SUBMIT, new)
    assert asked.find("[role='alert']")
    kept = asked.go(SUBMIT, READING)
    assert "260/120" in kept.text() and kept.find(".advice")
    charted = session.open(READINGS, page("readings", READINGS)).go(
        f"main nav.segments a[href='{READINGS}/chart']", page("chart", f"{READINGS}/chart"))
    year = charted.go("main nav a[href$='range=year']", page("chart-year", f"{READINGS}/chart"))
    # The script turns the picture into a slider over its readings.
    assert year.find("figure.chart svg[role='slider'] title") and year.find("table.periods")
    assert browser.complaints() == []


def test_a_reading_is_saved_without_scrolling_to_the_button(portal, browsers):
    browser = browsers("en").start_over(PHONE)
    anna = Visitor(portal).register(unique("sight"))
    session = open_session(portal, browser, Pointer, anna)
    form = session.open(f"{READINGS}/new", page("reading-new", f"{READINGS}/new"))
    box = form.driver.execute_script(
        "return document.querySelector(arguments[0]).getBoundingClientRect().bottom", SUBMIT)
    assert box <= PHONE[1], "Save is in sight"
    kept = form.fill({"systolic": "121", "diastolic": "79"}).go(SUBMIT, READING)
    assert kept.find(".notice.success[role='status']") and "121/79" in kept.text()
    assert browser.complaints() == []


def test_the_chart_tells_each_reading_by_keyboard_and_by_pointer(portal, browsers):
    browser = browsers("en").start_over(PHONE)
    anna = Visitor(portal).register(unique("readout"))
    for day, upper in [("01", "121"), ("02", "131"), ("03", "141")]:
        fields = {"systolic": upper, "diastolic": "80", "measured_at": f"2026-05-{day}T08:00"}
        assert anna.submit(f"{READINGS}/new", fields).status == 303
    session = open_session(portal, browser, Keyboard, anna)
    path = f"{READINGS}/chart?range=custom&from=2026-05-01&to=2026-05-07"
    chart = session.open(path, page("chart", f"{READINGS}/chart"))
    assert "131/80" in chart.find(".figure").text, "the average of the range"
    drawing = chart.find("figure.chart svg")
    for key, told in [(Keys.HOME, "121/80"), (Keys.ARROW_RIGHT, "131/80"), (Keys.END, "141/80")]:
        drawing.send_keys(key)
        assert told in chart.find(".readout").text
        assert told in drawing.get_attribute("aria-valuetext")
    ActionChains(browser.driver).move_to_element(chart.find("figure.chart .hit")).perform()
    assert "121/80" in chart.find(".readout").text
    assert browser.complaints() == []


def test_a_token_is_created_shown_once_and_revoked_by_keyboard(portal, browsers):
    browser = browsers("en").start_over(PHONE)
    anna = Visitor(portal).register(unique("keyboard"))
    session = open_session(portal, browser, Keyboard, anna)
    form = session.open("/account/tokens", TOKENS).go(
        "main a[href='/account/tokens/new']", page("token-new", "/account/tokens/new"))
    form.fill({"name": "My scale"})
    scope = next(one for one in form.all("main form select") if "health" in one.get_attribute("name"))
    session.device.choose(scope, "write")
    form.fill({"current_password": PASSWORD})
    made = form.go(SUBMIT, page("token-made", "/account/tokens/new"))
    assert made.find("main [role='status'] code")
    listed = made.go("main .actions a[href='/account/tokens']", TOKENS)
    assert "My scale" in listed.text() and not listed.find("main code")
    revoked = listed.go(
        "main a[href$='/revoke']", page("token-revoke", r"/account/tokens/\d+/revoke")).go(
        "main form .button.danger", TOKENS)
    assert revoked.find("main .empty") and "My scale" not in revoked.text()
    assert browser.complaints() == []


class Shown(Page):
    """Any page, named after its path."""

    pattern = r"/.*"

    def __init__(self, session, path):
        self.kind = "metrics-" + "-".join(re.findall(r"[a-z]+", re.sub(r"/\d+", "/one", path)))
        super().__init__(session)


@each_layout
def test_import_token_and_chart_pages_pass_the_layout_and_accessibility_checks(portal, browsers, language, size):
    anna = Visitor(portal, language=language).register(unique("files"))
    browser = browsers(language).start_over(size)
    session = open_session(portal, browser, Pointer, anna)
    right = "measured_at,systolic,diastolic,pulse\r\n2026-05-04T08:00:00+03:00,120,80,60\r\n"
    wrong = right + "2026-05-04T09:00:00+03:00,80,120,60\r\n"
    paths = [
        f"{READINGS}/import", f"{WEIGHTS}/import", f"{READINGS}?imported=1", "/account/tokens",
        "/account/tokens/new", "/account/export", "/health-metrics/weights/chart",
        f"{READINGS}/chart?range=custom&from=2026-05-04&to=2026-01-01",
    ]
    for path in paths:
        session.open(path, lambda session, path=path: Shown(session, path))
    # The portal keeps only a user's latest upload. The last file has columns for the user to choose from.
    unknown = right.replace("measured_at,systolic,diastolic", "When it was,Upper,Lower")
    for name, text in [("taken", right), ("refused", wrong), ("columns", unknown)]:
        preview = upload(anna, text, page=f"{READINGS}/import")
        shown = session.open(preview, at(f"metrics-import-{name}", READINGS + r"/import/\d+"))
        assert bool(shown.find("[name='column_systolic']")) == (name == "columns")
    # The target of a treatment is a band of the chart.
    fields = {"systolic": "121", "diastolic": "80", "measured_at": "2026-05-04T08:00"}
    assert anna.submit(f"{READINGS}/new", fields).status == 303
    assert anna.submit("/health-metrics/preferences", {"treated": "yes"}).status == 303
    chart = session.open(
        f"{READINGS}/chart?range=custom&from=2026-05-01&to=2026-05-07", at("metrics-chart-target", READINGS + "/chart.*"))
    assert chart.find("figure.chart .band")
    assert browser.complaints() == []
