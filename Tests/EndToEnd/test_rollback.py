"""Rollbacks to an earlier release, and their refusal."""

import fcntl
import json
import os
import subprocess
from contextlib import contextmanager
from pathlib import Path

import pytest

from portal import PROGRAM, Portal, command
from releases import Installed, await_copy, directory, kept, running, served, upgrade
from visitor import Visitor
from waiting import until

pytestmark = pytest.mark.long

FAULTY = Path(PROGRAM).with_name("faulty-portal")


@pytest.fixture
def installed(open_directory):
    place = open_directory / "installed"
    place.mkdir()
    return Installed(place)


@pytest.fixture
def portal(installed, open_directory):
    """A portal on release 1, with a stored copy of that release."""
    installed.install(1)
    portal = Portal(open_directory / "data", program=installed.program)
    try:
        portal.start()
        await_copy(portal, installed)
        yield portal
    finally:
        portal.kill()


def back(portal, *options):
    answer = portal.run("rollback", *options)
    assert answer.returncode == 0, answer.stderr
    return answer.stdout


def refusal(portal, *options):
    answer = portal.run("rollback", *options)
    assert answer.returncode == 1 and not answer.stdout, answer
    return answer.stderr


def test_a_rollback_serves_the_previous_release_and_its_files_also_after_a_restart(portal, installed):
    anna = Visitor(portal).register("anna")
    contact = anna.add_contact("Before")
    assert "No earlier release is kept" in refusal(portal)
    upgrade(portal, installed, 2)
    assert running(portal) == {2} and served(portal) == 2
    later = anna.add_contact("By the second release")

    assert "serves now" in back(portal)
    assert running(portal) == {1} and served(portal) == 1
    assert "Before" in anna.get(contact).text and "By the second" in anna.get(later).text
    assert "Rolled back to release" in portal.run("status").stdout
    assert portal.run("check").returncode == 0
    assert portal.run("module", "enable", "covid-stats").returncode == 0
    assert running(portal) == {1}, "a reload for another reason stays at the release"

    assert portal.stop() == 0
    portal.start()
    assert running(portal) == {1} and served(portal) == 1
    assert "No earlier release is kept" in refusal(portal)
    assert "The installed release serves now" in back(portal, "--undo")
    assert running(portal) == {2} and served(portal) == 2
    assert "serves already" in refusal(portal, "--undo")


def test_three_earlier_releases_are_kept_and_an_upgrade_ends_a_rollback(portal, installed):
    for number in range(2, 6):
        upgrade(portal, installed, number)
    until(lambda: kept(portal) == {2, 3, 4, 5})
    for number in (4, 3):
        back(portal)
        assert running(portal) == {number}
    upgrade(portal, installed, 6)
    assert running(portal) == {6} and served(portal) == 6
    until(lambda: kept(portal) == {2, 3, 6})
    back(portal)
    assert running(portal) == {3} and served(portal) == 3


def test_a_rollback_to_a_release_without_a_configured_module_is_refused(open_directory, installed):
    """Release 1 in this test is the faulty-portal program, which has fewer modules."""
    installed.install(1, program=FAULTY)
    portal = Portal(open_directory / "data", program=installed.program)
    try:
        portal.start()
        await_copy(portal, installed)
        anna = Visitor(portal).register("anna")
        contact = anna.add_contact("Kept")
        text = portal.configuration.read_text()
        modules = "modules:\n  contacts: { enabled: true }\n"
        portal.configuration.write_text(text[:text.index("modules:")] + modules)
        installed.install(2)
        assert portal.run("reload").returncode == 0
        assert portal.run("module", "enable", "health-metrics").returncode == 0
        await_copy(portal, installed)
        weight = anna.get("/health-metrics/weights/new")
        assert weight.status == 200

        said = refusal(portal)
        assert "modules.health-metrics" in said and "Nothing was changed" in said, said
        assert running(portal) == {2}
        assert not (directory(portal) / "choice.json").exists()

        portal.configuration.write_text(text[:text.index("modules:")] + modules)
        back(portal)
        assert running(portal) == {1}
        assert "Kept" in anna.get(contact).text
        back(portal, "--undo")
        assert running(portal) == {2}
    finally:
        portal.kill()


def test_migrations_run_at_an_upgrade_and_both_releases_serve_their_rows(open_directory, installed):
    """The module of faulty-portal has as many migrations as the number of its release."""
    installed.install(1, program=FAULTY)
    portal = Portal(open_directory / "data", program=installed.program)
    try:
        portal.start()
        await_copy(portal, installed)
        anna = Visitor(portal).register("anna")
        assert anna.get("/faulty/note").text == "by 1: none\n"
        upgrade(portal, installed, 2, FAULTY)
        assert running(portal) == {2}
        assert anna.get("/faulty/note").text == "by 1: none\nby 2: blue\n"
        back(portal)
        assert running(portal) == {1}
        assert anna.get("/faulty/note").text == "by 1: none\nby 2: none\nby 1: none\n"
        back(portal, "--undo")
        assert anna.get("/faulty/note").text == "by 1: none\nby 2: blue\nby 1: none\nby 2: blue\n"

        upgrade(portal, installed, 3, FAULTY)
        said = refusal(portal)
        assert "column faulty_notes.text is gone" in said and "Nothing was changed" in said, said
        assert running(portal) == {3}
    finally:
        portal.kill()


def test_a_rollback_with_failing_workers_keeps_the_current_release(portal, installed):
    upgrade(portal, installed, 2)
    counters = portal.data / "run" / "counters"
    counters.rename(counters.with_name("away"))
    counters.mkdir()
    said = refusal(portal)
    assert "the old processes stay" in said, said
    assert running(portal) == {2}
    assert not (directory(portal) / "choice.json").exists()
    counters.rmdir()
    counters.with_name("away").rename(counters)
    assert portal.run("reload").returncode == 0
    assert running(portal) == {2}
    back(portal)
    assert running(portal) == {1}


@contextmanager
def migrating(portal):
    """Holds the migration lock; yields a function that releases it."""
    with open(f"{portal.database}.migration.lock", "r+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield lambda: fcntl.flock(file, fcntl.LOCK_UN)


def status(portal):
    return json.loads((portal.data / "run" / "status.json").read_text())


def test_a_rollback_during_a_reload_or_migration_is_refused_without_data_loss(portal, installed):
    upgrade(portal, installed, 2)
    anna = Visitor(portal).register("anna")
    with migrating(portal) as is_over:
        assert "A migration is in progress. Nothing was changed." in refusal(portal)
        with subprocess.Popen(portal.command_line("reload"), stdout=subprocess.DEVNULL) as reload:
            until(lambda: status(portal)["isReloading"])
            assert "A reload is in progress" in refusal(portal)
            contact = anna.add_contact("Meanwhile")
            is_over()
        assert reload.returncode == 0
    assert running(portal) == {2}
    assert "Meanwhile" in anna.get(contact).text
    back(portal)
    assert running(portal) == {1}
    assert "Meanwhile" in anna.get(contact).text


def test_a_rollback_of_a_stopped_portal_takes_effect_at_the_next_start(portal, installed):
    upgrade(portal, installed, 2)
    assert portal.stop() == 0
    assert "serves from the next start on" in back(portal)
    portal.start()
    assert running(portal) == {1}
    assert portal.stop() == 0
    assert "serves from the next start on" in back(portal, "--undo")
    portal.start()
    assert running(portal) == {2}


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can go on as somebody else")
def test_root_rolls_a_portal_of_another_user_back_as_that_user(portal, installed):
    if portal.data.stat().st_uid == 0:
        pytest.skip("the data is root's here")
    upgrade(portal, installed, 2)
    answer = command("rollback", "--config", portal.configuration, data=portal.data, program=installed.program)
    assert answer.returncode == 0 and "runs as the user polyclinic" in answer.stderr, answer
    assert running(portal) == {1}
    assert {path.lstat().st_uid for path in portal.data.rglob("*")} == {portal.data.stat().st_uid}


def test_the_portal_runs_and_logs_a_warning_without_disk_space_for_a_release_copy(small_disk, installed):
    installed.install(1)
    portal = Portal(small_disk / "data", program=installed.program)
    try:
        portal.start()
        until(lambda: "there is no room for a copy of the release" in portal.said, 30)
        assert list(directory(portal).glob("*")) == []
        assert Visitor(portal).register("anna").add_contact("Saved all the same")
        assert "No earlier release is kept" in refusal(portal)
    finally:
        portal.kill()
