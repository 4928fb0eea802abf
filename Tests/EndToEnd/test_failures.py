"""Database and disk failures; the portal recovers without a restart."""

import os
import shutil

import pytest

from portal import Portal
from visitor import Visitor
from waiting import until


@pytest.fixture(scope="module")
def failing(start_portal):
    return start_portal()


@pytest.fixture(scope="module")
def owner(failing):
    owner = Visitor(failing).register("owner")
    owner.add_contact("Kept Throughout")
    return owner


def assert_unavailable_page(answer):
    assert answer.status == 503
    assert int(answer.headers["Retry-After"]) >= 1
    assert "<h1>" in answer.text


def test_a_missing_database_gives_503_and_the_portal_recovers_when_it_returns(failing, owner):
    hidden = failing.data / "hidden"
    hidden.mkdir()
    names = [path.name for path in failing.database.parent.glob(failing.database.name + "*")
             if not path.name.endswith("lock")]
    for name in names:
        shutil.move(failing.database.parent / name, hidden / name)

    form = Visitor(failing)
    assert_unavailable_page(form.submit("/login", {"login": "owner", "password": "x"}))
    assert owner.get("/contacts").status in (200, 503)
    until(lambda: Visitor(failing).get("/readyz").status == 503)
    assert Visitor(failing).get("/healthz").status == 200
    assert not failing.database.exists(), "no empty database takes the place of the old"

    for name in names:
        shutil.move(hidden / name, failing.database.parent / name)
    until(lambda: owner.get("/contacts").status == 200 and "Kept Throughout" in owner.get("/contacts").text)
    assert owner.add_contact("After The Return")
    until(lambda: Visitor(failing).get("/readyz").status == 200)


def test_a_replaced_database_is_not_written_to(failing, owner):
    form = owner.filled("/contacts/new", {"name": "Into The Void"})
    away = failing.database.with_name("away.sqlite")
    os.rename(failing.database, away)
    failing.database.write_bytes(b"")
    try:
        assert_unavailable_page(owner.post("/contacts/new", form))
        assert failing.database.stat().st_size == 0
        until(lambda: "If its file was replaced while the portal runs, put it back" in failing.run("status").stdout)
    finally:
        os.rename(away, failing.database)
    until(lambda: owner.get("/contacts").status == 200)
    until(lambda: "refuses writes" not in failing.run("status").stdout)
    assert owner.add_contact("After The Replacement")


def test_on_a_full_disk_pages_are_readable_and_writes_get_503(small_disk):
    portal = Portal(small_disk / "data")
    try:
        portal.start()
        user = Visitor(portal).register("somebody")
        contact = user.add_contact("Before It Was Full")
        form = user.filled("/contacts/new", {"name": "Too Much", "notes": "x" * 4000})
        filling = small_disk / "filling"
        with filling.open("wb", buffering=0) as file, pytest.raises(OSError):
            while file.write(b"\0" * 4096):
                pass
        answers = (user.post("/contacts/new", [*form, ("n", str(n))]) for n in range(300))
        refused = next(answer for answer in answers if answer.status != 303)
        assert_unavailable_page(refused)
        assert user.get(contact).status == 200
        assert "Before It Was Full" in user.get("/contacts").text
        filling.unlink()
        assert user.add_contact("After It Was Full")
    finally:
        portal.kill()
