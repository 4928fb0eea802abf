"""The fixtures of the end-to-end tests: portals, visitors and browsers."""

import itertools
import os
import shutil
import subprocess
import tempfile
import textwrap
from contextlib import ExitStack
from pathlib import Path

import pytest

from browsers import Browser
from portal import PROGRAM, Portal
from visitor import Markup, Visitor

NUMBERS = itertools.count(1)
# The files that take the longest, which begin first, so that none of them is run alone at the end.
SLOWEST = [
    "test_town", "test_journey", "test_killed_commands", "test_rollback", "test_metrics_in_browser",
    "test_town_by_keyboard", "test_api", "test_covid", "test_accounts", "test_looks", "test_erasure",
    "test_second_factor", "test_images", "test_root"]


def pytest_sessionstart():
    if not PROGRAM:
        pytest.exit("POLYCLINIC_BIN names no program: start Tests/EndToEnd/run", returncode=2)


def pytest_collection_modifyitems(items):
    rank = {name: number for number, name in enumerate(SLOWEST)}
    items.sort(key=lambda item: rank.get(item.path.stem, len(rank)))


def pytest_assertrepr_compare(op, left, right):
    """Prints the words of a page instead of its HTML if it lacks or has a text."""
    if op in ("in", "not in") and isinstance(right, Markup):
        return [f"{left!r} {op} the page:", *textwrap.wrap(right.words, 100)]
    return None


@pytest.fixture(scope="session")
def start_portal(tmp_path_factory):
    """Starts another portal in its own directory; all are stopped after the tests."""
    with ExitStack() as ends:
        def start(directory=None, options=(), database_url=None):
            directory = directory or tmp_path_factory.mktemp("portal", numbered=True) / "data"
            portal = Portal(directory, options=options, database_url=database_url)
            ends.callback(portal.kill)
            ends.callback(portal.stop)
            return portal.start()

        yield start


@pytest.fixture(scope="session")
def portal(start_portal):
    """The portal that most tests share, with all modules."""
    portal = start_portal()
    assert portal.run("module", "enable", "covid-stats").returncode == 0
    return portal


@pytest.fixture(scope="session")
def town(start_portal):
    """A portal with the demonstration data, a fictional town."""
    return start_portal(options=["--demo"])


@pytest.fixture(scope="session")
def administrator(portal):
    """The administrator of the shared portal, registered by the one-time setup link."""
    return Visitor(portal).register(unique("admin"), page=portal.setup_path)


@pytest.fixture
def visitor(portal):
    """Creates a visitor of the shared portal who is not signed in."""
    return lambda **others: Visitor(portal, **others)


@pytest.fixture
def person(portal):
    """Registers a new patient, who is then signed in."""
    return lambda **others: Visitor(portal, **others).register(unique("person"))


@pytest.fixture(scope="session")
def inspected(tmp_path_factory):
    """The directory with a file for each page that was inspected, shared by all processes of this run."""
    base = tmp_path_factory.getbasetemp()
    directory = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "inspected"
    directory.mkdir(exist_ok=True)
    return directory


@pytest.fixture(scope="session")
def browsers(inspected):
    """One browser per language and family of fonts, started at its first use."""
    made = {}

    def browser(language, family="dejavu"):
        if (language, family) not in made:
            made[language, family] = Browser(language, inspected, family)
        return made[language, family]

    yield browser
    for browser_made in made.values():
        browser_made.quit()


@pytest.fixture
def open_directory():
    """A world-readable directory, unlike pytest's temporary directories."""
    directory = Path(tempfile.mkdtemp(prefix="test-"))
    directory.chmod(0o755)
    yield directory
    shutil.rmtree(directory)


@pytest.fixture
def small_disk(tmp_path):
    """A mounted disk of eight megabytes; needs root."""
    if os.geteuid() != 0:
        pytest.skip("only root can mount a small disk")
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=8m,mode=0755", "tmpfs", tmp_path], capture_output=True)
    if mounted.returncode:
        pytest.skip("a small disk cannot be mounted here")
    yield tmp_path
    subprocess.run(["umount", "--lazy", tmp_path], check=True)


def unique(word):
    """Returns a login that no other test uses."""
    return f"{word}-{next(NUMBERS)}"
