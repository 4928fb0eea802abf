"""Accounts and rights: approval of doctors, suspension, modules and sessions."""

import re

import pytest

from browsers import DESKTOP, PHONE
from conftest import unique
from input_devices import Pointer
from pages import (
    ConflictPage, ContactFormPage, ContactPage, DashboardPage, BrowserSession, ExpiredPage, Page, SignInPage,
)
from test_processes import status
from visitor import PASSWORD, Visitor
from waiting import until
from ways import each_language

CURIOUS = ["/admin", "/admin/people", "/admin/people/1", "/admin/modules", "/admin/audit"]


def person_page(administrator, login):
    """Returns the path of the administration page of the person with this login."""
    found = administrator.get(f"/admin/people?q={login}")
    return re.search(r'href="(/admin/people/\d+)"', found.text)[1]


def test_the_one_time_link_makes_an_administrator_once(portal, administrator):
    assert administrator.get("/admin").status == 200
    assert Visitor(portal).get(portal.setup_path).status == 410


def test_a_doctor_awaiting_approval_sees_a_notice_until_approved(portal, administrator, visitor):
    doctor = visitor().register(unique("doctor"), role="doctor")
    waiting = doctor.get("/").text
    assert "approv" in waiting or "administrator" in waiting
    page = person_page(administrator, doctor.login)
    assert administrator.submit(page, {}, action=f"{page}/approve").status == 303
    assert "approv" not in doctor.sign_in(doctor.login).text


def test_administration_pages_and_actions_are_refused_to_patients(person):
    user = person()
    token = user.get("/contacts/new").fields()
    for path in CURIOUS:
        assert user.get(path).status == 403
    for action in ["approve", "give", "take", "link"]:
        answer = user.post(f"/admin/people/1/{action}", [*token, ("role", "administrator")])
        assert answer.status == 403
    assert user.post("/admin/modules/contacts/disable", token).status == 403


def test_suspending_a_person_ends_their_session_and_blocks_sign_in(portal, administrator, person):
    user = person()
    page = person_page(administrator, user.login)
    assert administrator.submit(f"{page}/suspend", {}).status == 303
    assert user.get("/account").status == 303
    assert user.sign_in(user.login).status == 422
    assert administrator.submit(page, {}, action=f"{page}/reinstate").status == 303
    assert user.sign_in(user.login).status == 303


def test_a_one_time_link_resets_the_password_and_ends_old_sessions(portal, administrator, person, visitor):
    user = person()
    page = person_page(administrator, user.login)
    shown = administrator.submit(page, {}, action=f"{page}/link")
    link = re.search(r"/reset/[\w-]+", shown.text)[0]
    new = "eleven calm otters by night"
    assert visitor().submit(link, {"password": new, "password_confirm": new}).status == 303
    assert visitor().get(link).status == 410
    assert user.get("/account").status == 303, "the old sessions have ended"
    assert visitor().sign_in(user.login, PASSWORD).status == 422
    assert visitor().sign_in(user.login, new).status == 303


def test_a_disabled_module_is_hidden_and_keeps_its_data_when_enabled_again(start_portal):
    portal = start_portal()
    administrator = Visitor(portal).register("chief", page=portal.setup_path)
    contact = administrator.add_contact("Outlives The Switch")

    def switch(action):
        path = f"/admin/modules/contacts/{action}"
        before = status(portal)["generation"]
        assert administrator.get("/admin/modules").links(re.escape(path)) == [path]
        assert administrator.submit(path, {}, action=path).status == 303
        # The old workers still answer for a moment.
        until(lambda: status(portal)["generation"] > before and all(
            entry["state"] == "ready" for entry in status(portal)["processes"]))

    switch("disable")
    assert administrator.get(contact).status == 404
    assert administrator.get("/contacts").status == 404
    assert 'href="/contacts"' not in administrator.get("/").text
    assert "enabled: false" in portal.configuration.read_text()
    switch("enable")
    assert "Outlives The Switch" in administrator.get(contact).text
    assert portal.run("module", "disable", "contacts").returncode == 0
    assert administrator.get(contact).status == 404
    assert portal.run("module", "enable", "contacts").returncode == 0
    assert administrator.get(contact).status == 200


def test_ending_other_sessions_signs_out_the_other_browser(visitor, person):
    here = person()
    there = visitor()
    assert there.sign_in(here.login).status == 303
    assert here.submit(
        "/account/sessions/end-others", {"current_password": PASSWORD}).status == 303
    assert there.get("/account").status == 303
    assert here.get("/account").status == 200


def test_a_changed_password_ends_the_other_sessions(visitor, person):
    here, new = person(), "nine brave badgers at noon"
    there = visitor()
    there.sign_in(here.login)
    changed = here.submit("/account/password", {
        "current_password": PASSWORD, "password": new, "password_confirm": new})
    assert changed.status == 303
    assert there.get("/account").status == 303
    assert here.get("/account").status == 200


@each_language
def test_a_form_sent_after_the_session_ended_comes_back_filled_in(portal, browsers, language):
    login = unique("forgetful")
    Visitor(portal, language=language).register(login)
    session = BrowserSession(browsers(language).start_over(PHONE), portal, Pointer)
    session.open("/login", SignInPage).enter(login, DashboardPage)
    form = session.open("/contacts/new", ContactFormPage)
    form.fill({"name": "Typed Long Ago", "notes": "Not lost"})
    form.add_method("email", "long@example.org")
    session.driver.delete_cookie("__Host-session")
    form.save(ExpiredPage).enter(login, ContactFormPage)
    back = ContactFormPage(session)
    assert back.value("name") == "Typed Long Ago" and back.value("notes") == "Not lost"
    assert "Not lost" in back.save(ContactPage).text()


def test_a_form_of_an_ended_session_is_not_shown_to_another_user_who_signs_in(person):
    anna, boris = person(), person()
    fields = anna.filled("/contacts/new", {"name": "Only Anna May Read"})
    del anna.cookies["__Host-session"]
    ended = anna.post("/contacts/new", fields)
    assert ended.status == 401
    answer = anna.post("/login", {
        **dict(ended.fields("/login")), "login": boris.login, "password": PASSWORD})
    assert answer.status == 303
    assert "Only Anna May Read" not in anna.get(answer.location).text
    assert "Only Anna May Read" not in anna.get("/contacts/new").text


@pytest.mark.parametrize("language", ["en", "he"])
def test_an_edit_conflict_between_two_tabs_shows_both_versions(portal, browsers, language):
    user = Visitor(portal, language=language).register(unique("tabs"))
    contact = user.add_contact("Before")
    session = BrowserSession(browsers(language).start_over(PHONE), portal, Pointer)
    session.open("/login", SignInPage).enter(user.login, DashboardPage)
    form = session.open(f"{contact}/edit", ContactFormPage).fill({"name": "From This Tab"})
    assert user.submit(f"{contact}/edit", {"name": "From The Other"}).status == 303
    conflict = form.save(ConflictPage)
    assert "From The Other" in conflict.text(".compare")
    assert "From This Tab" in conflict.text(".compare")
    assert "From This Tab" in conflict.save(ContactPage).text()


KINDS = ["/privacy", "/account", "/account/edit", "/account/password", "/account/sessions",
         "/account/tokens", "/account/tokens/new", "/account/access-log", "/nothing", "/admin",
         "/admin/people", "/admin/modules", "/admin/audit"]


@each_language
def test_account_and_administration_pages_pass_the_layout_and_accessibility_checks(
        portal, administrator, browsers, language):
    browser = browsers(language)
    administrator.set_language(language)
    for size in [PHONE, DESKTOP]:
        session = BrowserSession(browser.start_over(size), portal, Pointer)
        browser.sign_in_as(administrator)
        session.open("/admin", Overview)
        person = person_page(administrator, administrator.login)
        for path in [*KINDS, person]:
            kind = re.sub(r"\d+", "person", path.strip("/").replace("/", "-"))
            session.open(path, type("Shown", (Page,), {"kind": kind, "pattern": re.escape(path)}))
    administrator.set_language("en")


class Overview(Page):
    kind, pattern = "admin", "/admin"
