"""Refused starts and their error messages."""

import shutil
import sqlite3
from contextlib import closing

import pytest

from portal import command, free_port
from visitor import Visitor


@pytest.fixture(scope="module")
def made(start_portal):
    """A stopped portal with the data directory of a first run."""
    portal = start_portal()
    portal.stop()
    return portal


@pytest.fixture
def copy(made, tmp_path):
    """A copy of the data directory for tests to damage."""
    directory = tmp_path / "data"
    shutil.copytree(made.data, directory, ignore=lambda *_: ["nginx"])
    return directory


def serve(directory):
    return command("serve", "--config", directory / "polyclinic.yaml", data=directory)


def assert_refused(ended, *words):
    assert ended.returncode in (1, 2), ended
    for word in words:
        assert word in ended.stderr, ended.stderr


def test_the_schema_of_an_earlier_program_is_refused_with_the_way_on(copy):
    database, options = copy / "data" / "polyclinic.sqlite", ["--config", copy / "polyclinic.yaml"]
    with closing(sqlite3.connect(database)) as changed, changed:
        changed.execute("UPDATE migrations SET name = '0001-people' WHERE module = 'account'")
    backup = copy / "former.backup"
    assert command("backup", backup, *options, data=copy).returncode == 0
    before = database.read_bytes()
    for words in [
            ["serve"], ["check"], ["check", "--release"], ["migrate"], ["restore", backup, "--over"],
            ["restore", "--person", "anna", "--from", backup]]:
        ended = command(*words, *options, data=copy)
        assert_refused(ended, "the schema of an earlier program", "/account/export", "empty data directory")
        assert len(ended.stderr.strip().splitlines()) == 1, ended.stderr
    assert database.read_bytes() == before
    assert not list(database.parent.glob("*.restored*")) and not list(database.parent.glob("*.replaced*"))


def test_a_missing_key_is_not_created_if_a_database_exists(copy):
    key = copy / "keys" / "master.key"
    key.unlink()
    assert_refused(serve(copy), str(key), "Put the key file back")
    assert not key.exists()


def test_a_missing_database_is_not_created_if_a_key_exists(copy):
    database = copy / "data" / "polyclinic.sqlite"
    for path in database.parent.glob("polyclinic.sqlite*"):
        path.unlink()
    assert_refused(serve(copy), str(database))
    assert not database.exists()


def test_a_key_readable_by_others_is_refused_with_the_remedy(copy):
    key = copy / "keys" / "master.key"
    key.chmod(0o644)
    assert_refused(serve(copy), "chmod", str(key))


def test_the_key_of_another_portal_is_refused(copy, start_portal):
    other = start_portal()
    shutil.copy(other.key, copy / "keys" / "master.key")
    assert_refused(serve(copy), "key")


def test_an_invalid_key_file_is_refused_without_quoting_it(copy):
    key = copy / "keys" / "master.key"
    key.write_text("zq-not-a-key\n")
    ended = serve(copy)
    assert_refused(ended, str(key))
    assert "zq-not-a-key" not in ended.stderr


@pytest.mark.parametrize(
    "old, new, words",
    [
        ("contacts: {", "contcats: {", ["contcats", "contacts"]),
        ("  workers: 2", "  worker: 2", ["worker", "workers"]),
        ("  workers: 2", "  workers: many", ["workers"]),
        ("  workers: 2", "  workers: 2\n  workers: 3", ["workers"]),
        ("database:", "databse:", ["databse", "database"]),
    ],
)
def test_a_configuration_mistake_is_reported_with_its_line(copy, old, new, words):
    file = copy / "polyclinic.yaml"
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))
    line = text[:text.index(old)].count("\n") + 1 + old.count("\n")
    ended = serve(copy)
    assert ended.returncode == 2
    assert f"{file}:{line}" in ended.stderr
    for word in words:
        assert word in ended.stderr


def test_a_port_in_use_is_reported(made, start_portal):
    other = start_portal()
    ended = command("run", data=made.data, port=other.port)
    assert ended.returncode != 0 and str(other.port) in ended.stderr


def test_a_second_start_leaves_the_running_portal_unchanged(start_portal):
    portal = start_portal()
    site = portal.data / "run" / "nginx" / "nginx.conf"
    before = site.read_bytes()
    ended = command("run", data=portal.data, port=free_port())
    assert ended.returncode != 0 and f"process {portal.supervisor}" in ended.stderr
    assert "Polyclinic: " not in ended.stdout
    assert site.read_bytes() == before and Visitor(portal).get("/login").status == 200
    assert portal.stop() == 0


def test_setup_creates_a_database_and_a_setup_link_in_an_empty_directory(made, tmp_path):
    configuration = (made.data / "polyclinic.yaml").read_text()
    (tmp_path / "polyclinic.yaml").write_text(configuration)
    ended = command("setup", "--config", tmp_path / "polyclinic.yaml", data=tmp_path)
    assert ended.returncode == 0 and "/setup/" in ended.stdout, ended.stderr
    assert (tmp_path / "data" / "polyclinic.sqlite").exists()


def test_a_damaged_database_is_reported_with_the_remedy(copy):
    (copy / "data" / "polyclinic.sqlite").write_bytes(b"This is no database. " * 500)
    for words in [["check"], ["user", "list"], ["migrate"]]:
        ended = command(*words, "--config", copy / "polyclinic.yaml", data=copy)
        assert ended.returncode == 1, words
        assert "polyclinic restore FILE --over" in ended.stderr and "Kind" not in ended.stderr


def test_an_unknown_command_is_a_usage_error(made):
    assert command("frobnicate").returncode == 2
