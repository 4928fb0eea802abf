"""Symptoms, advice and useful contacts of the module CovidStats for guests."""

import pytest

from browsers import DESKTOP, PHONE, SMALL
from input_devices import Keyboard
from pages import BrowserSession, Page
from portal import command
from visitor import Visitor
from waiting import until
from ways import each_language_and_size

INFORMATION = "/covid-stats/information"
CONTACTS = """
useful_contacts:
  FR: [ { name: { en: "Urgences", he: "חירום" }, phone: "15", emergency: true },
        { name: "Santé", url: "https://sante.example" } ]
"""


class InformationPage(Page):
    kind, pattern = "covid-information", INFORMATION + r"(\?.*)?"


@pytest.fixture(scope="module")
def open_portal(start_portal):
    """A portal with the public module and configured contacts for France."""
    portal = start_portal()
    text = portal.configuration.read_text()
    assert "public: false" in text
    portal.stop()
    text = text.replace("covid-stats: { enabled: false", "covid-stats: { enabled: true")
    portal.configuration.write_text(text.replace("public: false", "public: true") + CONTACTS)
    return portal.start()


@each_language_and_size
def test_the_advice_is_readable_by_keyboard_without_an_account_or_scripts(
        open_portal, browsers, language, size):
    browser = browsers(language).start_over(size, scripts=False)
    page = BrowserSession(browser, open_portal, Keyboard).open(INFORMATION, InformationPage)
    assert page.find("main .danger h2 a[href='tel:103']")
    assert len(page.all("main section a[href^='https://www.who.int/']")) == 4
    folded = page.find("main details")
    assert not folded.find_element("css selector", "a[href='tel:*5400']").is_displayed()
    page.session.device.activate(folded.find_element("css selector", "summary"))
    until(lambda: folded.find_element("css selector", "a[href='tel:*5400']").is_displayed())
    browser.inspect("covid-contacts")
    assert browser.complaints() == []


def test_the_page_without_figures_links_to_the_advice(open_portal, browsers):
    browser = browsers("en").start_over(PHONE)
    empty = type("EmptyPage", (Page,), {"kind": "covid-empty", "pattern": "/covid-stats"})
    page = BrowserSession(browser, open_portal, Keyboard).open("/covid-stats", empty)
    page.go(f"main a[href='{INFORMATION}']", InformationPage)


def test_configured_contacts_replace_the_built_in_ones(open_portal):
    text = Visitor(open_portal).get(f"{INFORMATION}?country=FR").text
    own, others = text.split("<details class=\"panel prose\">")
    assert "Urgences" in own and 'href="tel:15"' in own and "https://sante.example" in own
    assert "tel:112" not in own and "tel:112" in others
    assert "חירום" in Visitor(open_portal, language="he").get(f"{INFORMATION}?country=FR").text


def test_a_contact_with_a_javascript_address_is_refused_with_its_line_number(open_portal, tmp_path):
    configuration = tmp_path / "polyclinic.yaml"
    text = open_portal.configuration.read_text().replace("https://sante.example", "javascript:alert(1)")
    configuration.write_text(text)
    line = text[:text.index("javascript:")].count("\n") + 1
    refused = command("check", "--config", configuration, data=open_portal.data)
    assert refused.returncode == 2
    assert f"{configuration}:{line}:" in refused.stderr
    assert "useful_contacts.FR.url: must be an https address" in refused.stderr
