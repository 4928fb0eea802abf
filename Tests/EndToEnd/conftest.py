"""What tests are given: portals, visitors, browsers."""

import itertools
import os
import shutil
import subprocess
import tempfile
from contextlib import ExitStack
from pathlib import Path

import pytest

from browsers import Browser
from portal import PROGRAM, Portal
from visitor import Visitor

NUMBERS = itertools.count(1)


def pytest_sessionstart():
    if not PROGRAM:
        pytest.exit("POLYCLINIC_BIN names no program: start Tests/EndToEnd/run", returncode=2)


@pytest.fixture(scope="session")
def start_portal(tmp_path_factory):
    """Starts one more portal, in a directory of its own; all are stopped at the end."""
    with ExitStack() as ends:
        def start(directory=None, options=()):
            directory = directory or tmp_path_factory.mktemp("portal", numbered=True) / "data"
            portal = Portal(directory, options=options)
            ends.callback(portal.kill)
            ends.callback(portal.stop)
            return portal.start()

        yield start


@pytest.fixture(scope="session")
def portal(start_portal):
    """The portal that most tests share."""
    return start_portal()


@pytest.fixture(scope="session")
def town(start_portal):
    """A portal with the fictional town of the demonstration in it."""
    return start_portal(options=["--demo"])


@pytest.fixture(scope="session")
def administrator(portal):
    """The administrator of the shared portal, by its one-time link."""
    return Visitor(portal).register(unique("admin"), page=portal.setup_path)


@pytest.fixture
def visitor(portal):
    """Makes somebody who has just come to the shared portal."""
    return lambda **others: Visitor(portal, **others)


@pytest.fixture
def person(portal):
    """Makes somebody who is signed in."""
    return lambda **others: Visitor(portal, **others).register(unique("person"))


@pytest.fixture(scope="session")
def browsers():
    """A browser for each language, made when it is first asked for."""
    made = {}

    def browser(language):
        if language not in made:
            made[language] = Browser(language)
        return made[language]

    yield browser
    for browser_made in made.values():
        browser_made.quit()


@pytest.fixture
def open_directory():
    """A directory that every user reaches, unlike those of tests."""
    directory = Path(tempfile.mkdtemp(prefix="polyclinic-test-"))
    directory.chmod(0o755)
    yield directory
    shutil.rmtree(directory)


@pytest.fixture
def small_disk(tmp_path):
    """A disk of a few megabytes, which root alone can make."""
    if os.geteuid() != 0:
        pytest.skip("only root can mount a small disk")
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=8m,mode=0755", "tmpfs", tmp_path], capture_output=True)
    if mounted.returncode:
        pytest.skip("a small disk cannot be mounted here")
    yield tmp_path
    subprocess.run(["umount", "--lazy", tmp_path], check=True)


def unique(word):
    """A login that no other test uses."""
    return f"{word}-{next(NUMBERS)}"
