"""What people are told: the inbox in the browser, and e-mails by a command that really runs."""

import email
import email.policy
import json
import re
import sqlite3
import stat

import pytest

from browsers import DESK, PHONE
from conftest import unique
from hands import Pointer
from pages import Desk, Page
from test_accounts import person_page
from visitor import PASSWORD, Visitor
from waiting import until

COMMAND = """#!/bin/sh
echo "said aloud to anna@example.org" >&2
cat > "$1/$$.new" && mv "$1/$$.new" "$1/$$.eml"
"""


@pytest.fixture(scope="module")
def mailing(start_portal, tmp_path_factory):
    """A portal that sends e-mails, and the directory in which they arrive."""
    portal, drop = start_portal(), tmp_path_factory.mktemp("mail drop")
    command = drop / "command"
    command.write_text(COMMAND)
    command.chmod(command.stat().st_mode | stat.S_IXUSR)
    with portal.configuration.open("a") as file:
        file.write(f"""
mail:
  command: '"{command}" "{drop}"'
  from: "Клиника у реки <desk@clinic.example>"
""")
    reloaded = portal.run("reload")
    assert reloaded.returncode == 0, reloaded.stderr
    portal.administrator = Visitor(portal).register(unique("admin"), page=portal.setup_path)
    return portal, drop


def arrived(drop, count):
    """So many messages, the latest last, as a mail program reads them."""
    until(lambda: len(list(drop.glob("*.eml"))) == count, seconds=60)
    files = sorted(drop.glob("*.eml"), key=lambda file: file.stat().st_mtime_ns)
    read = email.message_from_bytes
    return [read(file.read_bytes(), policy=email.policy.default) for file in files]


def apply_as_doctor(portal, **others):
    """Somebody who has asked to be a doctor, and what tells them that it was declined."""
    doctor = Visitor(portal, **others).register(unique("doctor"), role="doctor")
    page = person_page(portal.administrator, doctor.login)

    def decline():
        assert portal.administrator.submit(page, {}, action=f"{page}/decline").status == 303
        # A change of rights has ended the session.
        signed_in = doctor.submit("/login", {"login": doctor.login, "password": PASSWORD})
        assert signed_in.status == 303

    return doctor, decline


def test_an_address_is_confirmed_and_then_told(mailing):
    portal, drop = mailing
    doctor, decline = apply_as_doctor(portal, language="ru")
    page = "/notifications/preferences"
    assert doctor.submit(page, {}, action="/notifications/confirm").status == 303
    [confirmation] = arrived(drop, 1)
    assert confirmation["To"] == f"{doctor.login}@example.org"
    assert confirmation["From"].addresses[0].display_name == "Клиника у реки"
    assert confirmation["Subject"] == "Подтвердите адрес электронной почты"
    assert confirmation.get_content_type() == "text/plain"
    link = re.search(rf"^{portal.origin}(/notifications/confirm/\S+)$",
                     confirmation.get_content().replace("\r", ""), re.M)[1]
    assert doctor.get(link).status == 200
    assert doctor.submit(link, {}, action=link).location == "/notifications/confirmed"
    assert doctor.get(link).status == 404

    decline()
    message = arrived(drop, 2)[-1]
    assert message["Subject"] == "Для вас есть новое уведомление на портале"
    assert f"{portal.origin}/account" in message.get_content()
    assert message["Message-ID"] != confirmation["Message-ID"]
    assert json.loads(doctor.get("/notifications/poll").text)["unread"] == "1"
    with sqlite3.connect(f"file:{portal.database}?mode=ro", uri=True) as database:
        until(lambda: database.execute("SELECT count(*) FROM notifications_mail").fetchone() == (0,))
    assert "example.org" not in portal.said and "/confirm/" not in portal.said


class Inbox(Page):
    kind, pattern = "inbox", r"/notifications"


class Preferences(Page):
    kind, pattern = "notice-preferences", r"/notifications/preferences(\?.*)?"


class Profile(Page):
    kind, pattern = "account", r"/account"


@pytest.mark.parametrize("language", ["en", "he", "ru"])
@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_a_notice_is_counted_followed_and_read_in_the_browser(mailing, browsers, language, size):
    portal, _ = mailing
    doctor, decline = apply_as_doctor(portal, language=language)
    browser = browsers(language).start_over(size)
    desk = Desk(browser, portal, Pointer)
    browser.lend(doctor)
    empty = desk.open("/notifications", Inbox)
    assert not empty.find(".bell .number")
    decline()
    browser.lend(doctor)
    browser.inspected.discard((Inbox.kind, size))
    inbox = desk.open("/notifications", Inbox)
    assert inbox.find(".bell .number [aria-hidden]").text == "1"
    preferences = inbox.go("main .title a", Preferences)
    assert len(preferences.all("main fieldset input[type=checkbox]")) >= 2
    inbox = desk.open("/notifications", Inbox)
    profile = inbox.go("button.follow", Profile)
    assert not profile.find(".bell .number")
    browser.inspected.discard((Inbox.kind, size))
    read = desk.open("/notifications", Inbox)
    assert read.find(".inbox a") and not read.find("button.follow")
    assert browser.complaints() == []


SPOKEN = """
window.spoken = [];
window.Notification = function (title, options) { window.spoken.push([title, options.body]); };
window.Notification.permission = 'granted';
"""
SEEN_AGAIN = "document.dispatchEvent(new Event('visibilitychange'));"


def test_a_browser_counts_and_speaks_without_saying_what_it_is_about(mailing, browsers):
    portal, _ = mailing
    doctor, decline = apply_as_doctor(portal)
    browser = browsers("en").start_over(DESK)
    driver = browser.lend(doctor)
    driver.get(portal.origin + "/account")
    driver.execute_script("localStorage.clear();" + SPOKEN + SEEN_AGAIN)
    until(lambda: driver.execute_script("return localStorage.getItem('polyclinic-told')") == "0")
    decline()
    browser.lend(doctor)
    driver.get(portal.origin + "/account")
    driver.execute_script(SPOKEN + SEEN_AGAIN)
    until(lambda: driver.execute_script("return window.spoken.length") == 1)
    [[title, body]] = driver.execute_script("return window.spoken")
    assert body == "There is something new for you. Open the portal to read it."
    number = "return (document.querySelector('.bell .number') || {}).textContent"
    assert driver.execute_script(number) == "11 unread"
    driver.execute_script(SEEN_AGAIN)
    driver.get(portal.origin + "/account")
    assert driver.execute_script(number).strip() == "11 unread"
