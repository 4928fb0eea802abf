"""Notifications: the inbox in the browser, and e-mails sent by a real command."""

import email
import email.policy
import json
import os
import re
import sqlite3
import stat
import subprocess
from functools import partial

import pytest
from aiosmtpd.controller import Controller
from icalendar import Calendar

from browsers import DESKTOP, PHONE
from conftest import unique
from input_devices import Pointer
from pages import BrowserSession, Page
from test_accounts import person_page
from demo_users import OpenClinic
from portal import free_port
from visitor import PASSWORD, Visitor
from waiting import until
from ways import LANGUAGES, parametrized

COMMAND = """#!/bin/sh
echo "said aloud to anna@example.org" >&2
cat > "$1/$$.new" && mv "$1/$$.new" "$1/$$.eml"
"""


# As sendmail does, it takes the recipient from the message.
SENDMAIL = """#!/usr/bin/python3
import email, email.policy, smtplib, sys
message = sys.stdin.buffer.read()
headers = email.message_from_bytes(message, policy=email.policy.default)
sender, recipient = (headers[name].addresses[0].addr_spec for name in ("From", "To"))
with smtplib.SMTP("127.0.0.1", int(sys.argv[1])) as server:
    server.sendmail(sender, [recipient], message)
"""


def send_mail_from(portal, drop, text=COMMAND, argument=None):
    """Configures the portal to deliver e-mails by a command, to a directory if it has no argument."""
    command = drop / "command"
    command.write_text(text)
    command.chmod(command.stat().st_mode | stat.S_IXUSR)
    with portal.configuration.open("a") as file:
        file.write(f"""
mail:
  command: '"{command}" "{argument or drop}"'
  from: "Клиника у реки <desk@clinic.example>"
""")
    reloaded = portal.run("reload")
    assert reloaded.returncode == 0, reloaded.stderr


@pytest.fixture(scope="module")
def mailing(start_portal, tmp_path_factory):
    """A portal that sends e-mails, and their delivery directory."""
    portal, drop = start_portal(), tmp_path_factory.mktemp("mail drop")
    send_mail_from(portal, drop)
    portal.administrator = Visitor(portal).register(unique("admin"), page=portal.setup_path)
    return portal, drop


def arrived(drop, count):
    """Waits for that many e-mails and returns them parsed, the latest last."""
    until(lambda: len(list(drop.glob("*.eml"))) == count, seconds=60)
    files = sorted(drop.glob("*.eml"), key=lambda file: file.stat().st_mtime_ns)
    read = email.message_from_bytes
    return [read(file.read_bytes(), policy=email.policy.default) for file in files]


def confirm_address(user, arrived):
    """Confirms the e-mail address; returns the confirmation message and the path of its link.

    `arrived` waits for a number of e-mails and returns them.
    """
    page = "/notifications/preferences"
    assert user.submit(page, {}, action="/notifications/confirm").status == 303
    [confirmation] = arrived(1)
    link = re.search(rf"^{user.portal.origin}(/notifications/confirm/\S+)$",
                     confirmation.get_content().replace("\r", ""), re.M)[1]
    assert user.get(link).status == 200
    assert user.submit(link, {}, action=link).location == "/notifications/confirmed"
    return confirmation, link


def apply_as_doctor(portal, **others):
    """Registers an applicant for the role of doctor; returns the visitor and a function that declines them."""
    doctor = Visitor(portal, **others).register(unique("doctor"), role="doctor")
    page = person_page(portal.administrator, doctor.login)

    def decline():
        assert portal.administrator.submit(page, {}, action=f"{page}/decline").status == 303
        # The change of rights ends the session.
        signed_in = doctor.submit("/login", {"login": doctor.login, "password": PASSWORD})
        assert signed_in.status == 303

    return doctor, decline


def test_a_confirmed_address_receives_an_email_about_a_new_notice(mailing):
    portal, drop = mailing
    doctor, decline = apply_as_doctor(portal, language="ru")
    confirmation, link = confirm_address(doctor, partial(arrived, drop))
    assert confirmation["To"] == f"{doctor.login}@example.org"
    assert confirmation["From"].addresses[0].display_name == "Клиника у реки"
    assert confirmation["Subject"] == "Подтвердите адрес электронной почты"
    assert confirmation.get_content_type() == "text/plain"
    assert doctor.get(link).status == 410

    decline()
    message = arrived(drop, 2)[-1]
    assert message["Subject"] == "У вас новое уведомление"
    assert f"{portal.origin}/account" in message.get_content()
    assert message["Message-ID"] != confirmation["Message-ID"]
    assert json.loads(doctor.get("/notifications/poll").text)["unread"] == "1"
    with sqlite3.connect(f"file:{portal.database}?mode=ro", uri=True) as database:
        until(lambda: database.execute("SELECT count(*) FROM notifications_outbox").fetchone() == (0,))
    assert "example.org" not in portal.said and "/confirm/" not in portal.said


class Sink:
    """An SMTP server that keeps the messages that it receives."""

    def __init__(self):
        self.received = []
        self.controller = Controller(self, hostname="127.0.0.1", port=free_port())

    async def handle_DATA(self, server, session, envelope):
        self.received.append(envelope)
        return "250 OK"

    def arrived(self, count):
        """Waits for that many e-mails and returns them parsed, the latest last."""
        until(lambda: len(self.received) == count, seconds=60)
        read = email.message_from_bytes
        return [read(one.content, policy=email.policy.default) for one in self.received]


@pytest.fixture
def sink():
    sink = Sink()
    sink.controller.start()
    yield sink
    sink.controller.stop()


KHAL = """
[calendars]
[[own]]
path = {directory}/calendar
type = calendar
[default]
default_calendar = own
[sqlite]
path = {directory}/khal.db
[locale]
timeformat = %H:%M
dateformat = %Y-%m-%d
longdateformat = %Y-%m-%d
datetimeformat = %Y-%m-%d %H:%M
longdatetimeformat = %Y-%m-%d %H:%M
local_timezone = UTC
default_timezone = UTC
"""


class Khal:
    """A calendar program with one calendar."""

    def __init__(self, directory):
        (directory / "calendar").mkdir()
        self.file = directory / "event.ics"
        self.configuration = directory / "khal.conf"
        self.configuration.write_text(KHAL.format(directory=directory))

    def run(self, *arguments):
        done = subprocess.run(
            ["khal", "--config", str(self.configuration), *arguments], capture_output=True, text=True,
            timeout=60, env={**os.environ, "LC_ALL": "C.UTF-8"})
        assert done.returncode == 0, done.stderr
        return done.stdout

    def events_after(self, content):
        """Imports a file, and returns the start and the status of each event in the calendar."""
        self.file.write_text(content, newline="")
        self.run("import", "--batch", "-a", "own", str(self.file))
        listed = self.run(
            "list", "--day-format", "", "--format", "{start-long}|{title}|{status}", "today", "10d")
        return [line.strip().split("|") for line in listed.splitlines() if "|" in line]


def test_calendars_enter_move_and_cancel_the_appointment_of_an_email(start_portal, tmp_path, sink):
    town = start_portal(options=["--demo"])
    send_mail_from(town, tmp_path, SENDMAIL, sink.controller.port)
    khal = Khal(tmp_path)
    clinic = OpenClinic(town)
    anna = Visitor(town).register(unique("told"))
    confirm_address(anna, sink.arrived)
    day = anna.get(f"/appointments/book?doctor={clinic.doctor}&date={clinic.today}").text
    links = re.findall(r'href="(/appointments/book\?[^"]*time=[^"]*)"', day)
    times = [link.replace("&amp;", "&") for link in links if f"date={clinic.today}" in link]
    # The latest ones: a patient may move an appointment until two hours before it.
    booked = anna.submit(times[-1], {"purpose": "Chest pain"}, action="/appointments/book")
    assert booked.status == 303, booked
    page = booked.location.split("?")[0]

    def event(count, method):
        """Returns the event of the latest of so many e-mails, and its text for a calendar."""
        message = sink.arrived(count)[-1]
        assert message["Subject"] == "About your appointment"
        assert message.get_content_type() == "multipart/alternative"
        text, calendar = message.iter_parts()
        assert "Nobody reads replies" in text.get_content()
        assert calendar["Content-Type"].params == {"method": method, "charset": "utf-8"}
        content = calendar.get_content()
        parsed = Calendar.from_ical(content)
        assert parsed["METHOD"] == method
        [found] = parsed.walk("VEVENT")
        assert found["ORGANIZER"] == "mailto:desk@clinic.example"
        assert found["ORGANIZER"].params["CN"] == "Клиника у реки"
        assert found["ATTENDEE"] == f"mailto:{anna.login}@example.org"
        for said in ["Chest pain", "Away", "rology"]:
            assert said not in message.as_string() and said not in content
            assert said not in text.get_content()
        return found, content

    first, content = event(2, "REQUEST")
    assert first["SEQUENCE"] == 0 and f"appointment-{page.split('/')[-1]}@" in first["UID"]
    [[start, _, status]] = khal.events_after(content)
    assert status.strip() == "CONFIRMED"

    moved = anna.submit(f"{page}/edit?{times[-2].split('?')[1]}", {}, action=f"{page}/edit")
    assert moved.status == 303, moved
    second, content = event(3, "REQUEST")
    assert second["UID"] == first["UID"] and second["SEQUENCE"] == 1
    assert second["DTSTART"].dt < first["DTSTART"].dt
    [[earlier, _, _]] = khal.events_after(content)
    assert earlier < start

    off = clinic.chief.submit(f"/appointments/admin/doctors/{clinic.doctor}/exceptions/new", {
        "exception": "off", "first_day": clinic.today, "last_day": clinic.today,
        "starts": "", "ends": ""})
    displaced = off.location.split("?")[0]
    cancelled = clinic.chief.submit(f"{displaced}/cancel", {"cancellation_reason": "Away"})
    assert cancelled.status == 303, cancelled
    third, content = event(4, "CANCEL")
    assert third["UID"] == first["UID"] and third["SEQUENCE"] == 2
    assert third["STATUS"] == "CANCELLED" and not third.walk("VALARM")
    [[_, _, status]] = khal.events_after(content)
    assert status.strip() == "CANCELLED"
    town.stop()


class Inbox(Page):
    kind, pattern = "inbox", r"/notifications"


class Preferences(Page):
    kind, pattern = "notice-preferences", r"/notifications/preferences(\?.*)?"


class Profile(Page):
    kind, pattern = "account", r"/account"


@parametrized(
    "language, size", [(language, size) for language in LANGUAGES for size in [PHONE, DESKTOP]],
    [("ru", PHONE), ("he", DESKTOP)])
def test_a_new_notice_is_counted_and_is_read_after_following_it(mailing, browsers, language, size):
    portal, _ = mailing
    doctor, decline = apply_as_doctor(portal, language=language)
    browser = browsers(language).start_over(size)
    session = BrowserSession(browser, portal, Pointer)
    browser.sign_in_as(doctor)
    empty = session.open("/notifications", Inbox)
    assert not empty.find(".bell .number")
    decline()
    browser.sign_in_as(doctor)
    browser.forget(Inbox.kind)
    inbox = session.open("/notifications", Inbox)
    assert inbox.find(".bell .number [aria-hidden]").text == "1"
    preferences = inbox.go("main .title a", Preferences)
    assert len(preferences.all("main table input[type=checkbox]")) >= 2
    inbox = session.open("/notifications", Inbox)
    profile = inbox.go("main button.follow", Profile)
    assert not profile.find(".bell .number")
    browser.forget(Inbox.kind)
    read = session.open("/notifications", Inbox)
    assert read.find(".inbox a") and not read.find("main button.follow")
    assert browser.complaints() == []


SPOKEN = """
window.spoken = [];
window.Notification = function (title, options) { window.spoken.push([title, options.body]); };
window.Notification.permission = 'granted';
"""
SEEN_AGAIN = "document.dispatchEvent(new Event('visibilitychange'));"


def test_a_browser_notification_counts_unread_notices_without_their_content(mailing, browsers):
    portal, _ = mailing
    doctor, decline = apply_as_doctor(portal)
    browser = browsers("en").start_over(DESKTOP)
    driver = browser.sign_in_as(doctor)
    driver.get(portal.origin + "/account")
    driver.execute_script("localStorage.clear();" + SPOKEN + SEEN_AGAIN)
    until(lambda: driver.execute_script("return localStorage.getItem('polyclinic-told')") == "0")
    decline()
    browser.sign_in_as(doctor)
    driver.get(portal.origin + "/account")
    driver.execute_script(SPOKEN + SEEN_AGAIN)
    until(lambda: driver.execute_script("return window.spoken.length") == 1)
    [[title, body]] = driver.execute_script("return window.spoken")
    assert body == "You have a new notification. Open the portal to read it."
    number = "return (document.querySelector('.bell .number') || {}).textContent"
    assert driver.execute_script(number) == "11 unread"
    driver.execute_script(SEEN_AGAIN)
    driver.get(portal.origin + "/account")
    assert driver.execute_script(number).strip() == "11 unread"
