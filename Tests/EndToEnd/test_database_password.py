"""The password of a portal's database, which stands in its file alone."""

import re
from contextlib import suppress
from pathlib import Path

import pytest

import plaintext
from backup_restore import back_up
from conftest import unique
from postgresql.cluster import Cluster
from postgresql.portals import PASSWORD_FILE, ServedPortal
from visitor import Visitor
from waiting import until

pytestmark = pytest.mark.long

SECRET = "zq-1d5f' \\ Opossum"
SECRETS = {"the password": SECRET}


@pytest.fixture(scope="module")
def cluster():
    with Cluster(password=SECRET) as made:
        yield made


@pytest.fixture(scope="module")
def portal(cluster, tmp_path_factory):
    database = cluster.new_database()
    made = ServedPortal(
        tmp_path_factory.mktemp("portal") / "data", database, cluster.url(database), password=SECRET)
    try:
        yield made.start()
    finally:
        made.kill()


def shown_by(process):
    """Returns what every user, or the process's own one, may read of it: its command line and its variables."""
    shown = {}
    for name in ("cmdline", "environ"):
        # It may have ended.
        with suppress(OSError):
            shown[f"{name} of {process}"] = Path(f"/proc/{process}/{name}").read_bytes()
    return shown


def assert_nowhere(portal, cluster, *pages):
    """Requires that neither the portal nor the server has the password anywhere but in its file."""
    contents = plaintext.contents(portal.data)
    assert SECRET.encode() in contents.pop(Path(PASSWORD_FILE))
    contents["its output"] = portal.output.read_bytes()
    contents["the server's log"] = cluster.log.read_bytes()
    for number, page in enumerate(pages):
        contents[f"page {number}"] = page.body + str(page.headers).encode()
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            contents |= shown_by(int(entry.name))
    assert len(contents) > 20
    assert plaintext.found_in(contents, SECRETS) == []


def test_a_portal_that_works_shows_it_nowhere(portal, cluster, tmp_path):
    user = Visitor(portal).register(unique("zqperson"))
    page = user.get(user.add_contact("Zqcontact"))
    for command in ("status", "check", "config"):
        answer = portal.run(command)
        assert SECRET not in answer.stdout + answer.stderr
    backup = tmp_path / "a.backup"
    back_up(portal, backup)
    assert plaintext.found_in({backup: backup.read_bytes()}, SECRETS) == []
    assert_nowhere(portal, cluster, page)


def test_a_wrong_password_and_a_server_that_is_away_show_it_nowhere(portal, cluster):
    user = Visitor(portal).register(unique("zqperson"))
    with cluster.away():
        away = until(lambda: failing(user))
    until(lambda: user.get("/").status == 200)
    # The server takes another password than the portal sends.
    cluster.database("postgres").execute("ALTER ROLE polyclinic PASSWORD ?", "another")
    portal.database.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = ?", "polyclinic")
    refused = until(lambda: failing(user))
    check = portal.run("check")
    assert check.returncode == 1 and SECRET not in check.stdout + check.stderr
    assert_nowhere(portal, cluster, away, refused)
    # A file with the new one needs no restart.
    (portal.data / PASSWORD_FILE).write_text("another\n")
    until(lambda: user.get("/").status == 200)
    cluster.database("postgres").execute("ALTER ROLE polyclinic PASSWORD ?", SECRET)
    (portal.data / PASSWORD_FILE).write_text(f"{SECRET}\n")
    assert re.search(r"\bpostgresql\b", portal.run("config", "show").stdout)


def failing(user):
    """Returns the answer of a page that says that the database is away; nothing until one does."""
    answer = user.get("/contacts")
    return answer if answer.status == 503 and answer.headers["Retry-After"] else None
