"""The JSON API behind a real nginx, also tested with schemathesis."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from programs import Program, make_token
from visitor import Visitor

pytestmark = pytest.mark.long

CONTACTS = "/api/v1/contacts"
WEIGHTS = "/api/v1/health-metrics/weights"
HERE = Path(__file__).parent
ALL = {"contacts": "write", "appointments": "write", "health-metrics": "write"}


@pytest.fixture
def program(portal, person):
    """An API client of a new person, with all scopes."""
    user = person()
    made = Program(portal, make_token(user, **ALL))
    made.person = user
    return made


def test_an_api_client_creates_reads_changes_and_deletes_a_contact(program):
    made = program.ask("POST", CONTACTS, {"name": "Vera", "methods": [{"value": "+375 29"}]})
    assert made.status == 201 and made.location.startswith(CONTACTS)
    assert made.headers["Content-Type"] == "application/json"
    assert made.headers["Cache-Control"] == "no-store"
    assert made.json["methods"] == [{"type": "phone", "value": "+375 29"}]
    assert "Vera" in program.person.get("/contacts").text
    shown = program.ask("GET", made.location)
    assert shown.json == made.json and shown.headers["ETag"] == made.headers["ETag"]
    tag = {"If-Match": made.headers["ETag"]}
    changed = program.ask("PUT", made.location, {**shown.json, "name": "Vera P."}, tag)
    assert changed.status == 200 and changed.json["name"] == "Vera P."
    assert program.ask("PUT", made.location, shown.json, tag).status == 412
    assert program.ask("PUT", made.location, shown.json).status == 428
    assert program.ask("DELETE", made.location, None, tag).status == 412
    gone = program.ask("DELETE", made.location, None, {"If-Match": changed.headers["ETag"]})
    assert gone.status == 204 and gone.body == b""
    assert program.ask("GET", made.location).status == 404
    assert "Vera P." in program.person.get("/account/deleted").text


def test_a_repeated_idempotency_key_creates_one_record(program):
    key = {"Idempotency-Key": "6f1c-22"}
    first = program.ask("POST", CONTACTS, {"name": "Vera"}, key)
    second = program.ask("POST", CONTACTS, {"name": "Vera"}, key)
    assert (first.status, first.body, first.location) == (second.status, second.body, second.location)
    assert program.ask("POST", CONTACTS, {"name": "Boris"}, key).status == 422
    assert len(program.ask("GET", CONTACTS).json["items"]) == 1


def test_the_api_refuses_missing_foreign_read_only_and_revoked_tokens(portal, person, program):
    made = program.ask("POST", CONTACTS, {"name": "Vera"})
    stranger = Program(portal)
    for method, target in [("GET", CONTACTS), ("POST", CONTACTS), ("DELETE", made.location)]:
        answer = stranger.ask(method, target, None if method == "GET" else "{}")
        assert answer.status == 401
        assert answer.headers["WWW-Authenticate"].startswith("Bearer")
        assert answer.headers["Content-Type"] == "application/problem+json"
    other = person()
    writer = Program(portal, make_token(other, contacts="write"))
    assert writer.ask("GET", made.location).status == 404
    assert writer.ask("PUT", made.location, {"name": "x"}, {"If-Match": "*"}).status == 404
    reader = Program(portal, make_token(other, name="Reader", contacts="read"))
    assert reader.ask("GET", CONTACTS).status == 200
    assert reader.ask("POST", CONTACTS, {"name": "x"}).status == 403
    assert reader.ask("GET", "/api/v1/appointments").status == 403
    other.submit("/account/tokens/" + token_number(other, "Reader") + "/revoke", {})
    assert reader.ask("GET", CONTACTS).status == 401


def token_number(person, name):
    """Returns the id of a token from its owner's list."""
    row = next(row for row in person.get("/account/tokens").text.split("<li>") if name in row)
    return row.split("/account/tokens/")[1].split("/")[0]


def test_the_api_accepts_a_session_cookie_with_a_csrf_token(person):
    user = person()
    token = dict(user.get("/account").fields("/logout"))["csrf"]
    body, kind = json.dumps({"name": "Vera"}), {"Content-Type": "application/json"}
    assert user.get(CONTACTS).status == 200
    assert user.request("POST", CONTACTS, body, kind).status == 403
    answer = user.request("POST", CONTACTS, body, {**kind, "X-CSRF-Token": token})
    assert answer.status == 201


@pytest.mark.parametrize(
    "body, status",
    [
        (b"", 400), (b"{", 400), (b"{}", 422), (b"\xff", 400), (b'{"name": "a", "name": "b"}', 400),
        (b'{"name": 1e309}', 422), (b'{"name": NaN}', 422), (b'{"name": "a\\u0000"}', 422),
        (b"[" * 100_000, 400), (b'{"name": "' + b"x" * 600_000 + b'"}', 413),
        (b'{"birthday": "2026-02-30", "name": "x"}', 422), (b'{"surname": "x", "name": "x"}', 422),
    ],
)
def test_a_malformed_or_invalid_body_gets_a_problem_response(program, body, status):
    answer = program.ask("POST", CONTACTS, body)
    assert answer.status == status
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.json["status"] == status and answer.json["detail"]
    assert status != 422 or answer.json["errors"][0]["pointer"].startswith("#/")
    assert answer.headers.get_all("Content-Security-Policy") is not None


@pytest.mark.parametrize(
    "written, status",
    [
        ("72.5", 201), ('"72,5"', 201), ('"72.5"', 201), ('"٧٢٫٥"', 201), ("7.25e1", 201),
        ("1e309", 422), ("NaN", 422), ("-5", 422), ("7000", 422), ('"1e309"', 422), ('"NaN"', 422),
        ('"-5"', 422), ("null", 422), ('""', 422), ("true", 422), ("[]", 422),
    ],
)
def test_the_api_accepts_weights_in_several_notations_and_refuses_invalid_ones(program, written, status):
    body = f'{{"value": {written}, "measured_at": "2026-05-04T08:00:00+03:00"}}'
    answer = program.ask("POST", WEIGHTS, body.encode())
    assert answer.status == status
    if status == 201:
        assert answer.json["value"] == 72.5 and answer.json["unit"] == "kg"
        assert answer.json["measured_at"] == "2026-05-04T08:00:00+03:00"
    else:
        assert [error["field"] for error in answer.json["errors"]] == ["value"]


@pytest.mark.parametrize(
    "measured", ["2126-05-04T08:00:00Z", "2026-05-04T08:00", "2026-02-30T08:00:00Z", "yesterday", ""])
def test_an_invalid_measurement_time_is_refused_with_a_field_error(program, measured):
    answer = program.ask("POST", WEIGHTS, {"value": 72, "measured_at": measured})
    assert answer.status == 422
    assert [error["field"] for error in answer.json["errors"]] == ["measured_at"]


def test_a_problem_response_uses_the_requested_language(portal, program):
    for language, word in [("ru", "поле"), ("he", "שדה"), ("en", "field")]:
        asked = Program(portal, program.token, language=language)
        assert word in asked.ask("POST", CONTACTS, {}).text


def test_schemathesis_finds_no_failures(portal, person, tmp_path):
    user = person()
    tokens = [make_token(user, name=f"{number}", **ALL) for number in range(18)]
    found = subprocess.run(
        [Path(sys.executable).with_name("schemathesis"), "--config-file",
         HERE / "schemathesis.toml", "run", f"{portal.origin}/api/v1/openapi.json"],
        env={**os.environ, "TOKENS": " ".join(tokens), "SCHEMATHESIS_HOOKS": "schemathesis_hooks",
             "PYTHONPATH": str(HERE)},
        cwd=tmp_path, capture_output=True, text=True, timeout=900)
    assert found.returncode == 0, found.stdout[-20_000:] + found.stderr[-2_000:]
    # The pages of the person still load with the records that schemathesis created.
    for page in ["/contacts", "/appointments", "/health-metrics", "/health-metrics/weights",
                 "/health-metrics/blood-pressure", "/account/deleted", "/"]:
        assert user.get(page).status == 200


def test_the_openapi_document_lists_the_enabled_modules(portal):
    document = json.loads(Visitor(portal).get("/api/v1/openapi.json").text)
    assert document["openapi"].startswith("3.1")
    assert {CONTACTS, "/api/v1/appointments", WEIGHTS, f"{CONTACTS}/{{id}}",
            "/api/v1/health-metrics/blood-pressure"} <= set(document["paths"])
