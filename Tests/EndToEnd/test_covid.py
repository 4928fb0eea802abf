"""COVID-19 figures in a real browser: countries, trend, sharing and offline reading."""

import re
import struct
from contextlib import contextmanager
from xml.etree import ElementTree

import pytest

from browsers import DESKTOP, PHONE, SMALL
from input_devices import Keyboard, Pointer
from pages import BrowserSession, Page
from demo_users import open_session, demo_user
from visitor import Visitor
from waiting import until
from ways import each_language_and_size

FIGURES = "/covid-stats"
COUNTRIES = "/covid-stats/countries"
# The pages in the service worker's cache, without assets.
KEPT = """
const done = arguments[arguments.length - 1];
caches.open('public').then((cache) => cache.keys()).then((kept) => done(
  kept.map((one) => new URL(one.url).pathname).filter((path) => !path.startsWith('/assets/'))), done);
"""
KEPT_TEXT = """
const done = arguments[arguments.length - 1];
caches.match(arguments[0]).then((answer) => answer.text()).then(done, done);
"""


class CountryPage(Page):
    kind, pattern = "covid-country", FIGURES + r"(\?.*)?"


class CountriesPage(Page):
    kind, pattern = "covid-countries", COUNTRIES + r"(\?.*)?"


class TrendPage(Page):
    kind, pattern = "covid-trend", r"/covid-stats/trend\?.*"


class SharePage(Page):
    kind, pattern = "covid-share", r"/covid-stats/share/[A-Z]{2}"


class OfflinePage(Page):
    kind, pattern = "offline", r"/.*"


@pytest.fixture(scope="module")
def open_town(start_portal):
    """The demonstration town with public figures."""
    town = start_portal(options=["--demo"])
    town.stop()
    text = town.configuration.read_text()
    assert "public: false" in text
    town.configuration.write_text(text.replace("public: false", "public: true"))
    town.start()
    # The town's figures are ready a moment after the start.
    until(lambda: "notice warning" in Visitor(town).get(FIGURES).text)
    return town


@each_language_and_size
def test_a_guest_finds_a_country_and_its_trend_by_keyboard_without_scripts(
        open_town, browsers, language, size):
    browser = browsers(language).start_over(size, scripts=False)
    page = BrowserSession(browser, open_town, Keyboard).open(FIGURES, CountryPage)
    assert page.find("main .notice.warning").is_displayed()
    countries = page.go(f"main a[href='{COUNTRIES}']", CountriesPage)
    countries.session.device.write(countries.find("main [name='q']"), "belar")
    found = countries.go("main form.search button", CountriesPage)
    assert len(found.all("main tbody tr")) == 1
    chosen = found.go("main button[value='BY']", CountryPage)
    name = {"en": "Belarus", "ru": "Беларусь", "he": "בלארוס"}[language]
    assert name in chosen.text("main h1")
    if size != SMALL:
        cut = "return [...document.querySelectorAll('main .scroll')].filter((e) => e.scrollWidth > e.clientWidth)"
        assert browser.driver.execute_script(cut) == []
    trend = chosen.go("main a[href^='/covid-stats/trend']", TrendPage)
    deaths = trend.go("main a[href*='count=deaths']", TrendPage)
    all_days = deaths.go("main a[href*='range=all']", TrendPage)
    assert name in all_days.text("main h1") and all_days.find("main svg polyline")
    assert all_days.find("main table caption")
    share = chosen.session.open("/covid-stats/share/BY", SharePage)
    assert name in share.find("main img").get_attribute("alt")
    # Copying and the share sheet need scripts.
    assert not share.find("[data-copy]").is_displayed()
    assert browser.complaints() == []


def test_the_country_list_is_sorted_by_the_chosen_column(open_town, browsers):
    browser = browsers("en").start_over(DESKTOP)
    page = BrowserSession(browser, open_town, Pointer).open(COUNTRIES, CountriesPage)
    assert len(page.all("main tbody tr")) == 249
    sorted_page = page.go("main th a[href*='order=deaths']", CountriesPage)
    deaths = [int(cell.text.replace(",", "")) for cell in sorted_page.all("main tr td:nth-child(5)")[:20]]
    assert deaths == sorted(deaths, reverse=True)
    assert sorted_page.find("th[aria-sort='descending']").text.startswith("All deaths")


@pytest.mark.parametrize("language", ["en", "ru", "he"])
def test_a_share_card_is_an_image_of_1200_by_630_pixels(open_town, language):
    guest = Visitor(open_town, language=language)
    picture = guest.get("/covid-stats/share/IL.png")
    assert picture.headers["Content-Type"] == "image/png"
    assert picture.body[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", picture.body[16:24]) == (1200, 630)
    card = ElementTree.fromstring(guest.get("/covid-stats/share/IL.svg").text)
    assert card.tag == "{http://www.w3.org/2000/svg}svg" and card.get("width") == "1200"
    # A second request returns the same bytes.
    assert guest.get("/covid-stats/share/IL.png").body == picture.body


def test_the_share_sheet_is_offered_with_the_picture(open_town, browsers):
    browser = browsers("en").start_over(PHONE)
    shared = """
      window.shared = [];
      navigator.canShare = () => true;
      navigator.share = (what) => { window.shared.push(what); return Promise.resolve(); };
    """
    script = browser.driver.execute_cdp_cmd(
        "Page.addScriptToEvaluateOnNewDocument", {"source": shared})
    try:
        page = BrowserSession(browser, open_town, Pointer).open("/covid-stats/share/RU", SharePage)
        page.session.device.activate(page.find("button[data-share]"))
        until(lambda: browser.driver.execute_script("return window.shared.length"))
        what = browser.driver.execute_script(
            "const [one] = window.shared; return [one.url, one.text, one.files[0].type]")
    finally:
        browser.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)
    assert what[0] == f"{open_town.origin}/covid-stats?country=RU"
    assert "Russia" in what[1] and "made up" in what[1]
    assert what[2] == "image/png"


@contextmanager
def without(network, town, browser):
    """Stops the portal or emulates a missing network while the block runs."""
    if network == "emulated":
        with browser.offline():
            yield
        return
    town.stop()
    try:
        yield
    finally:
        town.start()


@pytest.mark.parametrize("login, network", [("", "stopped"), ("patient", "stopped"), ("patient", "emulated")])
def test_the_last_viewed_country_is_readable_offline_and_no_personal_data_is_cached(
        open_town, browsers, login, network):
    browser = browsers("en").start_over(PHONE)
    visitor = demo_user(open_town, login)
    session = open_session(open_town, browser, Pointer, visitor)
    session.open(f"{FIGURES}?country=IL", CountryPage)
    page = session.open(f"{FIGURES}?country=BY", CountryPage)
    ask = browser.driver.execute_async_script
    until(lambda: sorted(ask(KEPT)) == ["/covid-stats", "/covid-stats/information", "/offline"])
    # A page of another country may name this one too.
    until(lambda: re.search("<h1.*?</h1>", ask(KEPT_TEXT, FIGURES), re.S)[0].count("Belarus"))
    for path in ask(KEPT):
        kept = ask(KEPT_TEXT, path)
        assert "/logout" not in kept and "Alice" not in kept, path
    page.session.open("/", OfflinePage)
    with without(network, open_town, browser):
        kept = session.open(FIGURES, CountryPage)
        assert "Belarus" in kept.text("main h1")
        assert kept.find(".notice.offline").is_displayed()
        assert not any(form.is_displayed() for form in kept.all("form"))
        assert browser.driver.execute_script(
            "return getComputedStyle(document.body).marginTop") == "0px", "the styles are gone"
        flag = "return document.querySelector('h1 img').naturalWidth"
        assert browser.driver.execute_script(flag) == 160
        advice = session.open("/covid-stats/information", OfflinePage)
        assert advice.find("main a[href^='tel:']")
        other = session.open("/appointments", OfflinePage)
        assert "No network" in other.text("h1")
        until(lambda: len(other.all("main ul[data-kept] a")) == 2)
        other.go("main ul[data-kept] a[href='/covid-stats']", CountryPage)
    browser.start_over(PHONE)


def test_signing_out_empties_the_public_page_cache(open_town, browsers):
    browser = browsers("en").start_over(DESKTOP)
    session = open_session(open_town, browser, Pointer, demo_user(open_town, "patient2"))
    page = session.open(FIGURES, CountryPage)
    ask = browser.driver.execute_async_script
    until(lambda: FIGURES in ask(KEPT))
    page.session.device.activate(page.find("details.account summary"))
    session.driver.find_element("css selector", "form[action='/logout'] button").click()
    until(lambda: session.browser.path == "/")
    assert ask(KEPT) == []


def test_a_portal_without_public_figures_caches_only_the_offline_page(town, browsers):
    browser = browsers("en").start_over(DESKTOP)
    session = open_session(town, browser, Pointer, demo_user(town, "patient3"))
    session.open(FIGURES, CountryPage)
    until(lambda: browser.driver.execute_async_script(KEPT) == ["/offline"])
    browser.start_over()
