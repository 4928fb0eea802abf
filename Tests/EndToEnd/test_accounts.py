"""Who may do what: doctors wait, administrators decide, modules come and go, sessions end."""

import re

import pytest

from browsers import DESK, PHONE
from conftest import unique
from hands import Pointer
from pages import (
    ConflictPage, ContactFormPage, ContactPage, DashboardPage, Desk, ExpiredPage, Page, SignInPage,
)
from test_processes import status
from visitor import PASSWORD, Visitor
from waiting import until

CURIOUS = ["/admin", "/admin/people", "/admin/people/1", "/admin/modules", "/admin/audit"]


def person_page(administrator, login):
    """The administrator's page of somebody, found by the login."""
    found = administrator.get(f"/admin/people?q={login}")
    return re.search(r'href="(/admin/people/\d+)"', found.text)[1]


def test_the_one_time_link_makes_an_administrator_once(portal, administrator):
    assert administrator.get("/admin").status == 200
    assert Visitor(portal).get(portal.setup_path).status == 410


def test_a_doctor_waits_is_told_so_and_is_approved(portal, administrator, visitor):
    doctor = visitor().register(unique("doctor"), role="doctor")
    waiting = doctor.get("/").text
    assert "approv" in waiting or "administrator" in waiting
    page = person_page(administrator, doctor.login)
    assert administrator.submit(page, {}, action=f"{page}/approve").status == 303
    assert "approv" not in doctor.sign_in(doctor.login).text


def test_nobody_else_gets_to_the_administrators_pages(person):
    somebody = person()
    token = somebody.get("/contacts/new").fields()
    for path in CURIOUS:
        assert somebody.get(path).status == 403
    for action in ["approve", "give", "take", "link"]:
        answer = somebody.post(f"/admin/people/1/{action}", [*token, ("role", "administrator")])
        assert answer.status == 403
    assert somebody.post("/admin/modules/contacts/disable", token).status == 403


def test_a_suspended_person_is_out_at_once(portal, administrator, person):
    somebody = person()
    page = person_page(administrator, somebody.login)
    assert administrator.submit(f"{page}/suspend", {}).status == 303
    assert somebody.get("/account").status == 303
    assert somebody.sign_in(somebody.login).status == 422
    assert administrator.submit(page, {}, action=f"{page}/reinstate").status == 303
    assert somebody.sign_in(somebody.login).status == 303


def test_a_lost_password_is_set_anew_by_a_one_time_link(portal, administrator, person, visitor):
    somebody = person()
    page = person_page(administrator, somebody.login)
    shown = administrator.submit(page, {}, action=f"{page}/link")
    link = re.search(r"/reset/[\w-]+", shown.text)[0]
    new = "eleven calm otters by night"
    assert visitor().submit(link, {"password": new, "password_confirm": new}).status == 303
    assert visitor().get(link).status == 410
    assert somebody.get("/account").status == 303, "the old sessions have ended"
    assert visitor().sign_in(somebody.login, PASSWORD).status == 422
    assert visitor().sign_in(somebody.login, new).status == 303


def test_a_module_that_is_switched_off_is_gone_and_comes_back_with_its_data(start_portal):
    portal = start_portal()
    administrator = Visitor(portal).register("chief", page=portal.setup_path)
    contact = administrator.add_contact("Outlives The Switch")

    def switch(action):
        path = f"/admin/modules/contacts/{action}"
        before = status(portal)["generation"]
        assert administrator.submit("/admin/modules", {}, action=path).status == 303
        # The workers of before answer for a moment beside the new ones.
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


def test_another_place_is_signed_out(visitor, person):
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


@pytest.mark.parametrize("language", ["en", "ru", "he"])
def test_a_form_sent_after_the_session_ended_comes_back_filled_in(portal, browsers, language):
    login = unique("forgetful")
    Visitor(portal, language=language).register(login)
    desk = Desk(browsers(language).start_over(PHONE), portal, Pointer)
    desk.open("/login", SignInPage).enter(login, DashboardPage)
    form = desk.open("/contacts/new", ContactFormPage)
    form.fill({"name": "Typed Long Ago", "notes": "Not lost"})
    form.add_method("email", "long@example.org")
    desk.driver.delete_cookie("__Host-session")
    form.save(ExpiredPage).enter(login, ContactFormPage)
    back = ContactFormPage(desk)
    assert back.value("name") == "Typed Long Ago" and back.value("notes") == "Not lost"
    assert "Not lost" in back.save(ContactPage).text()


def test_what_somebody_typed_is_never_shown_to_who_signs_in_instead(person):
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
def test_two_tabs_that_edit_one_contact_show_both(portal, browsers, language):
    somebody = Visitor(portal, language=language).register(unique("tabs"))
    contact = somebody.add_contact("Before")
    desk = Desk(browsers(language).start_over(PHONE), portal, Pointer)
    desk.open("/login", SignInPage).enter(somebody.login, DashboardPage)
    form = desk.open(f"{contact}/edit", ContactFormPage).fill({"name": "From This Tab"})
    assert somebody.submit(f"{contact}/edit", {"name": "From The Other"}).status == 303
    conflict = form.save(ConflictPage)
    assert "From The Other" in conflict.text(".compare")
    assert "From This Tab" in conflict.text(".compare")
    assert "From This Tab" in conflict.save(ContactPage).text()


KINDS = ["/privacy", "/account", "/account/edit", "/account/password", "/account/sessions",
         "/account/tokens", "/account/tokens/new", "/account/access-log", "/nothing", "/admin",
         "/admin/people", "/admin/modules", "/admin/audit"]


@pytest.mark.parametrize("language", ["en", "ru", "he"])
def test_every_other_page_is_legible_and_fits(portal, administrator, browsers, language):
    browser = browsers(language)
    administrator.speak(language)
    for size in [PHONE, DESK]:
        desk = Desk(browser.start_over(size), portal, Pointer)
        browser.lend(administrator)
        desk.open("/admin", Overview)
        person = person_page(administrator, administrator.login)
        for path in [*KINDS, person]:
            kind = re.sub(r"\d+", "person", path.strip("/").replace("/", "-"))
            desk.open(path, type("Shown", (Page,), {"kind": kind, "pattern": re.escape(path)}))
    administrator.speak("en")


class Overview(Page):
    kind, pattern = "admin", "/admin"
