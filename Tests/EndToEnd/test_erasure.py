"""Erasure removes all data of a person, also after a restore of an older backup."""

import base64
import json
import re
import shutil
import signal
import sqlite3
import subprocess
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial

import pytest
import pyotp

import certificates
import decrypted_database
import pictures
import plaintext
import upstream
from backup_restore import back_up, elsewhere, restore
from portal import Portal
from test_accounts import person_page
from test_cards import card, first_merge_page, upload
from test_notices import arrived, confirm_address, send_mail_from
from authenticator import steady
from test_second_factor import set_up
from town import Town, free_times
from visitor import PASSWORD, Visitor
from waiting import until

# The prefix of all personal text in these tests, which the portal's own text never contains.
MARK = "zqvex"
SECRETS = {
    what: f"{MARK} {what}" for what in [
        "patronymic", "surname", "street", "contact", "notes", "workplace", "deleted contact", "twin",
        "file of contacts", "weight", "pressure", "purpose", "cancelled purpose", "reason", "place",
        "certificate", "vaccine", "token", "contact of a program"]
} | {
    "login": f"{MARK}-login", "e-mail": f"{MARK}-login@example.org", "phone": "+375291119977",
    "number": "+48600733221",
}


@pytest.fixture
def portal(tmp_path, tmp_path_factory):
    """A portal that retains appointments by law, sends e-mails and has its own temporary directory."""
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    temporary.chmod(0o777)
    portal = Portal(tmp_path / "data", environment={"TMPDIR": str(temporary)})
    try:
        portal.start()
        portal.configuration.write_text(
            portal.configuration.read_text()
            .replace("appointments_years: 0", "appointments_years: 5")
            .replace("second_factor: staff", "second_factor: optional"))
        portal.drop = tmp_path_factory.mktemp("mail drop")
        send_mail_from(portal, portal.drop)
        # Waits for the first backup, because its draft would vanish during the search.
        until(lambda: list((portal.data / "backups").glob("*.backup")))
        yield portal
    finally:
        portal.kill()


@pytest.fixture
def doctor(portal, tmp_path_factory):
    """A doctor who works every day at a clinic; the portal also has COVID-19 figures."""
    chief = Visitor(portal).register("chief", page=portal.setup_path)
    doctor = Visitor(portal).register("house", role="doctor", surname="House")
    page = person_page(chief, "house")
    assert chief.submit(page, {}, action=f"{page}/approve").status == 303
    assert doctor.sign_in("house").status == 303
    change(
        portal,
        """INSERT INTO appointments_clinics (id_clinic, name_en, name_ru, name_he, about_en, about_ru, about_he,
             street, house_number, city, country, phone, time_zone, pediatric, hospital)
           VALUES (1, 'First', '', '', '', '', '', 'Main', '1', 'Minsk', 'BY', '', 'Europe/Minsk', 0, 0)""",
        "INSERT INTO appointments_departments (id_department, clinic, specialization) VALUES (1, 1, 'surgery')",
        f"""INSERT INTO appointments_doctors (id_doctor, person, department, slot_minutes)
            VALUES (1, {page.rpartition("/")[2]}, 1, 30)""",
        *(f"INSERT INTO appointments_hours (doctor, weekday, starts, ends, kind) VALUES (1, {day}, 540, 1020, 'work')"
          for day in range(1, 8)))
    named = {"doctor_name": "Dr. House", "doctor_department": "1", "slot_minutes": "30"}
    assert chief.submit("/appointments/admin/doctors/1/edit", named).status == 303
    figures = tmp_path_factory.mktemp("figures") / "figures.csv"
    figures.write_bytes(upstream.figures())
    assert portal.run("module", "enable", "covid-stats").returncode == 0
    assert portal.run("covid-stats", "refresh", "--from", figures).returncode == 0
    return doctor


def change(portal, *statements):
    """Changes the database directly, for states that no page can create."""
    with closing(sqlite3.connect(portal.database, timeout=30)) as database, database:
        for statement in statements:
            database.execute(statement)


def taken(visitor, page, fields, action=None):
    answer = visitor.submit(page, fields, action)
    assert answer.status in (200, 303), f"{page}: {answer.status}\n{answer.text}"
    return answer


def keep_records(user, doctor):
    """Stores records of every kind in every module."""
    said = SECRETS
    user.add_contact(
        said["contact"], notes=said["notes"], workplace=said["workplace"],
        method_type=["phone"], method_value=[said["number"]])
    taken(user, user.add_contact(said["deleted contact"]) + "/delete", {})
    for _ in range(2):
        user.add_contact(said["twin"], method_type=["email"], method_value=["twin@example.org"])
    taken(user, first_merge_page(user), {})
    upload(user, card([f"FN:{said['file of contacts']}"]))
    time = {"measured_at": "2026-01-02T08:00"}
    taken(user, "/health-metrics/weights/new",
          {**time, "value": "72.5", "unit": "kg", "note": said["weight"]})
    taken(user, "/health-metrics/blood-pressure/new",
          {**time, "systolic": "121", "diastolic": "81", "note": said["pressure"]})
    taken(user, "/covid-stats/countries", {"country": "IL"}, "/covid-stats/country")
    kept = certificates.keep(
        user, pictures.file(pictures.code("HC1:PASTED")), label=said["certificate"])
    assert kept.status == 303
    taken(user, "/vaccination-qr/record/new", {"vaccine": said["vaccine"], "date": "2025-05-04"})
    keep_appointments(user, doctor)


def keep_appointments(user, doctor):
    """Stores a fulfilled, a cancelled and a personal appointment, a calendar feed and a place on a waiting list."""
    said = SECRETS
    first, second = free_times(user, 1, count=2)
    took_place = taken(user, first.page, {"purpose": said["purpose"]}, "/appointments/book").location
    cancelled = taken(
        user, second.page, {"purpose": said["cancelled purpose"]}, "/appointments/book").location
    assert said["surname"] in doctor.get(took_place).text
    taken(user, f"{cancelled.partition('?')[0]}/cancel", {"reason": said["reason"]})
    taken(user, "/appointments/new", {
        "date": "2025-01-02", "time": "11:30", "location": said["place"]})
    taken(user, "/appointments/clinics/1", {}, "/appointments/clinics/1/choose")
    taken(user, "/appointments/calendar", {}, "/appointments/calendar/new")
    Town(user.portal).work_all_day([1])
    taken(doctor, "/appointments/queue", {}, "/appointments/queue/open")
    taken(user, "/appointments/doctors/1", {"present": "yes"}, "/appointments/doctors/1/queue")
    month = 30 * 86_400
    change(user.portal, f"""
        UPDATE appointments SET status = 'fulfilled', starts_at = starts_at - {month},
          ends_at = ends_at - {month}
        WHERE id_appointment = {re.search(r'[0-9]+', took_place)[0]}""")


def keep_account(portal, user):
    """Uses every account feature; returns the second factor's key, the recovery codes and the API token."""
    key = set_up(user)
    steady()
    sheet = taken(user, "/account/two-factor/codes", {
        "current_password": PASSWORD, "code": pyotp.TOTP(key).now()})
    first, *codes = re.search(r'id="codes" dir="ltr">([^<]+)<', sheet.text)[1].split("\n")
    elsewhere = Visitor(portal)
    page = elsewhere.sign_in(user.login)
    fields = dict(page.fields("/login/code")) | {"trust": "yes"}
    assert elsewhere.post("/login/code", fields | {"code": first}).status == 303
    assert elsewhere.cookies["__Host-browser"]
    made = taken(user, "/account/tokens/new", {
        "name": SECRETS["token"], "lifetime": "year", "scope-contacts": "write",
        "current_password": PASSWORD})
    token = re.search(r'id="secret" dir="ltr">([^<]+)<', made.text)[1]
    answer = Visitor(portal).request(
        "POST", "/api/v1/contacts", json.dumps({"name": SECRETS["contact of a program"]}), {
            "Authorization": f"Bearer {token}", "Content-Type": "application/json",
            "Idempotency-Key": "one"})
    assert answer.status == 201, answer
    taken(user, "/account/start-page", {"start_page": "/contacts"})
    taken(user, "/account/offline", {}, "/account/offline/keep")
    assert user.cookies["__Host-offline"]
    exported = taken(user, "/account/export", {})
    assert exported.body.startswith(b"PK")
    assert Visitor(portal).sign_in(user.login, "not the password").status == 422
    taken(Visitor(portal), "/login/forgotten", {"login": user.login})
    # E-mails: address confirmation, waiting list call, second factor, recovery codes made, one used, trusted browser,
    # the password reset link, and at least one own change of an appointment.
    until(lambda: len(list(portal.drop.glob("*.eml"))) >= 8)
    return key, codes, token


def nothing_is_left(portal, directory, secrets, gone):
    """Asserts that neither decrypted values nor files contain a secret or a deleted ciphertext."""
    assert plaintext.found_in(decrypted_database.contents(portal), secrets) == []
    assert plaintext.found(directory, secrets) == []
    assert plaintext.found_open(portal.left, secrets) == []
    for path, content in plaintext.contents(directory).items():
        assert not [place for blob, place in gone.items() if blob in content], path


def test_an_erased_persons_data_is_gone_and_stays_gone_after_restoring_an_older_backup(
        portal, doctor, tmp_path, tmp_path_factory):
    anna = Visitor(portal).register(
        SECRETS["login"], surname=SECRETS["surname"], patronymic=SECRETS["patronymic"],
        street=SECRETS["street"], phone=SECRETS["phone"])
    confirm_address(anna, partial(arrived, portal.drop))
    clara = Visitor(portal).register("clara")
    clara.add_contact("Kept")
    keep_records(anna, doctor)
    key, codes, token = keep_account(portal, anna)
    secret = base64.b32decode(key)
    secrets = SECRETS | {
        "second factor": secret, "password": PASSWORD, "recovery code": codes[1],
        "session": anna.cookies["__Host-session"], "secret of the token": token}
    readable = {*SECRETS, "second factor"}

    # Before the erasure, the search finds all readable secrets in decrypted values and none in files.
    found = plaintext.found_in(decrypted_database.contents(portal), secrets)
    assert {line.partition(" as ")[0] for line in found} == readable
    assert plaintext.found(tmp_path, secrets) == []

    refused = portal.run("user", "erase", "house")
    assert refused.returncode == 1 and "waiting list is open" in refused.stderr and "--yes" in refused.stderr
    assert "house" in portal.run("user", "list").stdout

    older = tmp_path_factory.mktemp("older") / "older.backup"
    back_up(portal, older)
    before = decrypted_database.blobs(portal)
    page = anna.get("/account/delete")
    assert "Appointments with the clinic’s doctors that took place" in page.text
    receipt = taken(anna, "/account/delete", {"current_password": PASSWORD, "code": codes[1], "confirm": "yes"})
    assert "Your account is deleted" in receipt.text
    left = decrypted_database.blobs(portal)
    gone = {blob: place for blob, place in before.items() if blob not in left}
    assert len(gone) > 50
    nothing_is_left(portal, tmp_path, secrets, gone)
    kept = portal.run("appointments", "retained").stdout.splitlines()
    assert len(kept) == 2 and ",First,surgery,Dr. House,fulfilled," in kept[1]

    assert portal.stop() == 0
    restored = restore(portal, older, "--over")
    assert restored.returncode == 0 and "Forgotten again" in restored.stdout, restored.stderr
    nothing_is_left(portal, tmp_path, secrets, gone)
    portal.start()
    until(lambda: Visitor(portal).get("/readyz").status == 200)
    assert portal.run("appointments", "retained").stdout.splitlines() == kept
    assert portal.run("check").returncode == 0
    nothing_is_left(portal, tmp_path, secrets, gone)

    # The former database has clara too, and loses her with the present one.
    before = decrypted_database.blobs(portal)
    clara = Visitor(portal)
    assert clara.sign_in("clara").status == 303
    taken(clara, "/account/delete", {"current_password": PASSWORD, "confirm": "yes"})
    gone |= {blob: place for blob, place in before.items() if blob not in decrypted_database.blobs(portal)}
    assert {"people.wrapped_key", "contacts.sealed"} <= {*gone.values()}
    assert list(portal.database.parent.glob("*.replaced-*"))
    nothing_is_left(portal, tmp_path, secrets, gone)


def test_the_search_finds_a_leftover_ciphertext(portal, tmp_path):
    Visitor(portal).register("anna")
    blob, place = next(iter(decrypted_database.blobs(portal).items()))
    nothing_is_left(portal, tmp_path, {}, {})
    (portal.data / "left").write_bytes(b"before" + blob)
    with pytest.raises(AssertionError, match="left"):
        nothing_is_left(portal, tmp_path, {}, {blob: place})


def latest_person(portal):
    """Returns the id of the newest person."""
    with closing(sqlite3.connect(portal.database)) as database:
        return database.execute("SELECT max(id_person) FROM people").fetchone()[0]


def test_an_erasure_during_a_backup_reports_the_remaining_step_and_survives_a_restore(
        start_portal, tmp_path):
    portal = start_portal()
    boris = Visitor(portal).register("boris")
    contact = boris.add_contact("Kept")
    anna = Visitor(portal).register("anna")
    number = latest_person(portal)
    change(portal, "CREATE TABLE ballast (bytes BLOB) STRICT",
           *["INSERT INTO ballast VALUES (randomblob(16000000))"] * 8)
    backup, draft = tmp_path / "a.backup", tmp_path / "a.backup.new"
    with subprocess.Popen(portal.command_line("backup", backup)) as process:
        until(lambda: draft.exists() and draft.stat().st_size > 1_000_000)
        process.send_signal(signal.SIGSTOP)
        assert draft.exists() and not backup.exists(), "the backup is in its middle"
        answer = taken(anna, "/account/delete", {"current_password": PASSWORD, "confirm": "yes"})
        assert "Your account is deleted" in answer.text
        assert f"Please tell the clinic this number: {number}" in answer.text
        assert anna.get("/account").status == 303
        process.send_signal(signal.SIGCONT)
        assert process.wait(timeout=60) == 0
    again = portal.run("user", "erase", "--person", number)
    assert again.returncode == 1 and "the erasure is complete now" in again.stderr
    assert "Kept" in boris.get(contact).text

    other = elsewhere(portal, tmp_path / "other")
    shutil.copytree(portal.data / "backups", other.data / "backups", ignore=lambda _, names: [
        name for name in names if name != "erasures.log"])
    restored = restore(other, backup)
    assert restored.returncode == 0 and "Forgotten again" in restored.stdout, restored.stderr
    listed = other.run("user", "list").stdout
    assert "boris" in listed and "anna" not in listed


def test_an_erasure_during_an_import_removes_the_import_and_keeps_other_peoples_records(
        start_portal):
    portal = start_portal()
    boris = Visitor(portal).register("boris")
    contact = boris.add_contact("Kept")
    anna = Visitor(portal).register("anna")
    number = latest_person(portal)
    preview = upload(anna, "".join(card([f"FN:Card {one}", f"NOTE:{'x' * 200}"]) for one in range(8_000)))
    fields = anna.filled(preview, {})

    def last_number():
        with closing(sqlite3.connect(portal.database, timeout=30)) as database:
            return database.execute("SELECT seq FROM sqlite_sequence WHERE name = 'contacts'").fetchone()[0]

    before = last_number()
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(anna.post, preview, fields)
        # The import reserves all ids before it seals the cards, and stores the cards at the end.
        until(lambda: last_number() > before)
        erased = portal.run("user", "erase", "anna")
        assert erased.returncode == 0, erased.stderr
        answer = answer.result(timeout=60)
    assert answer.status in (303, 401), answer
    with closing(sqlite3.connect(portal.database)) as database:
        for table in ["contacts", "uploads"]:
            left = database.execute(f"SELECT count(*) FROM {table} WHERE person = ?", [number])
            assert left.fetchone() == (0,), table
    assert "Kept" in boris.get(contact).text
    check = portal.run("check")
    assert check.returncode == 0, check.stdout
