"""Notifications: the inbox in the browser, and e-mails sent by a real command."""

import email
import email.policy
import json
import re
import sqlite3
import stat

import pytest
from icalendar import Calendar

from browsers import DESKTOP, PHONE
from conftest import unique
from input_devices import Pointer
from pages import BrowserSession, Page
from test_accounts import person_page
from demo_users import OpenClinic
from visitor import PASSWORD, Visitor
from waiting import until
from ways import LANGUAGES, parametrized

COMMAND = """#!/bin/sh
echo "said aloud to anna@example.org" >&2
cat > "$1/$$.new" && mv "$1/$$.new" "$1/$$.eml"
"""


def send_mail_from(portal, drop):
    """Configures the portal to deliver e-mails to a directory."""
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


def confirm_address(user, drop):
    """Confirms the e-mail address; returns the confirmation message and the path of its link."""
    page = "/notifications/preferences"
    assert user.submit(page, {}, action="/notifications/confirm").status == 303
    [confirmation] = arrived(drop, 1)
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
    confirmation, link = confirm_address(doctor, drop)
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
        until(lambda: database.execute("SELECT count(*) FROM notifications_mail").fetchone() == (0,))
    assert "example.org" not in portal.said and "/confirm/" not in portal.said


def test_an_email_about_a_cancelled_appointment_has_a_calendar_attachment(
        start_portal, tmp_path):
    town = start_portal(options=["--demo"])
    send_mail_from(town, tmp_path)
    clinic = OpenClinic(town)
    anna = Visitor(town).register(unique("told"))
    confirm_address(anna, tmp_path)
    day = anna.get(f"/appointments/book?doctor={clinic.doctor}&date={clinic.today}").text
    time = day.split('class="times"')[1].split('href="')[1].split('"')[0].replace("&amp;", "&")
    booked = anna.submit(time, {"purpose": "Chest pain"}, action="/appointments/book")
    assert booked.status == 303, booked
    off = clinic.chief.submit(f"/appointments/admin/doctors/{clinic.doctor}/exceptions/new", {
        "exception": "off", "first_day": clinic.today, "last_day": clinic.today,
        "starts": "", "ends": ""})
    displaced = off.location.split("?")[0]
    cancelled = clinic.chief.submit(f"{displaced}/cancel", {"cancellation_reason": "Away"})
    assert cancelled.status == 303, cancelled
    message = arrived(tmp_path, 2)[-1]
    assert message["Subject"] == "About your appointment"
    text, file = message.iter_parts()
    assert "Your appointment was cancelled: " in text.get_content()
    assert file.get_filename() == "appointment.ics"
    [event] = Calendar.from_ical(file.get_content()).walk("VEVENT")
    assert event["STATUS"] == "CANCELLED" and event["SEQUENCE"] == 1
    for said in ["Chest pain", "Away", "rology"]:
        assert said not in message.as_string() and said not in event.to_ical().decode()
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
