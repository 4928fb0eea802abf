"""Commands that are killed at each change of a file leave nothing of people who are erased."""

import fcntl
import itertools
import os
import shutil
import signal
import sqlite3
import subprocess
from contextlib import closing

import pytest

import plaintext
from backup_restore import back_up
from faults.machine import built
from faults.report import Skipped
from visitor import Visitor

pytestmark = pytest.mark.long

DRAFTS = (".looked-into", ".restored")


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    directory = tmp_path_factory.mktemp("library")
    directory.chmod(0o755)
    try:
        return built(directory, "step")
    except Skipped as reason:
        pytest.skip(str(reason))


@pytest.fixture
def portal(start_portal, tmp_path):
    """A stopped portal with boris, and with an earlier backup that has anna too, who was erased since."""
    portal = start_portal()
    for login in ("boris", "anna"):
        Visitor(portal).register(login).add_contact(f"Contact of {login}")
    portal.earlier = tmp_path / "earlier.backup"
    back_up(portal, portal.earlier)
    portal.anna = wrapped_key(portal)
    assert portal.run("user", "erase", "anna").returncode == 0
    assert portal.stop() == 0
    return portal


def wrapped_key(portal):
    """Returns the wrapped key of the person who came last."""
    with closing(sqlite3.connect(f"file:{portal.database}?mode=ro", uri=True)) as database:
        return database.execute("SELECT wrapped_key FROM people ORDER BY id_person DESC").fetchone()[0]


def places(portal, secret):
    """Returns the names of all files of the portal with these bytes."""
    return sorted(str(path) for path, content in plaintext.contents(portal.data).items() if secret in content)


def drafts(portal):
    return [path.name for path in portal.database.parent.iterdir() if any(word in path.name for word in DRAFTS)]


def killed_at(step, library, portal, *arguments):
    """Runs a command that is killed before this change of a file. Returns None if it was, or else its output."""
    program, *others = portal.command_line(*arguments)
    environment = dict(os.environ, **portal.environment, LD_PRELOAD=str(library), STEP=str(step))
    ended = subprocess.run(
        [program, *others], env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
    if ended.returncode == -signal.SIGKILL:
        return None
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def test_a_restore_of_one_persons_records_leaves_no_copy_wherever_it_is_killed(portal, library):
    command = ["restore", "--person", "boris", "--from", portal.earlier]
    left = 0
    for step in itertools.count(1):
        done = killed_at(step, library, portal, *command)
        left += bool(places(portal, portal.anna))
        if done:
            break
        migrated = portal.run("migrate")
        assert migrated.returncode == 0, migrated.stderr
        assert drafts(portal) == [] and places(portal, portal.anna) == [], f"killed at step {step}"
    assert drafts(portal) == [] and places(portal, portal.anna) == []
    assert left > 5, f"{left} of {step} kills left a copy for the start to remove"
    assert portal.run("check").returncode == 0


def test_a_restore_leaves_no_copy_of_the_erased_wherever_it_is_killed(portal, library):
    left = 0
    for step in itertools.count(1):
        done = killed_at(step, library, portal, "restore", portal.earlier, "--over")
        left += bool(places(portal, portal.anna))
        if done:
            break
        if not portal.database.exists():
            again = portal.run("restore", portal.earlier)
            assert again.returncode == 0, again.stderr
        migrated = portal.run("migrate")
        assert migrated.returncode == 0, migrated.stderr
        assert drafts(portal) == [] and places(portal, portal.anna) == [], f"killed at step {step}"
    assert drafts(portal) == [] and places(portal, portal.anna) == []
    assert left > 5, f"{left} of {step} kills left a copy for the start to remove"
    check = portal.run("check")
    former = [path for path in portal.database.parent.iterdir() if ".replaced-" in path.name and path.suffix != ".lock"]
    assert check.returncode == 0 and former
    for path in former:
        assert str(path) in check.stdout and path.name in portal.run("status").stdout


def test_an_erasure_that_was_killed_is_complete_after_a_start_and_the_same_command(portal, library):
    for step in itertools.count(1):
        assert portal.run("user", "add", "vera", "--role", "patient").returncode == 0
        key = wrapped_key(portal)
        former = portal.database.with_name(f"{portal.database.name}.replaced-{step}")
        shutil.copy(portal.database, former)
        shutil.chown(former, *portal.database.stat()[4:6])
        assert len(places(portal, key)) >= 1
        done = killed_at(step, library, portal, "user", "erase", "vera")
        if not done:
            assert portal.run("migrate").returncode == 0
            again = portal.run("user", "erase", "vera")
            assert again.returncode == 0 or "Nobody has this login" in again.stderr, again.stderr
        assert places(portal, key) == [], f"killed at step {step}"
        for path in portal.database.parent.glob("*.replaced-*"):
            path.unlink()
        if done:
            break
    assert step > 5


def test_an_erasure_is_refused_while_a_restore_replaces_the_database(portal):
    directory = os.open(portal.database.parent, os.O_RDONLY)
    try:
        # As the restore locks it.
        fcntl.flock(directory, fcntl.LOCK_EX)
        refused = portal.run("user", "erase", "boris")
        assert refused.returncode == 1 and "A restore is at work. Nothing was erased." in refused.stderr
    finally:
        os.close(directory)
    assert portal.run("user", "erase", "boris").returncode == 0
