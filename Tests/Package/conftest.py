"""The fixtures of the package's tests: a fresh Debian, and one with a portal that people use."""

import fcntl
import hashlib
import itertools
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from machine import Machine
from packages import PACKAGE, Packages, dependencies
from waiting import until

ROOT = Path(__file__).resolve().parents[2]
NUMBERS = itertools.count(1)


def pytest_sessionstart():
    if not PACKAGE:
        pytest.exit("POLYCLINIC_DEB names no package: start Tests/Package/run", returncode=2)


@pytest.fixture(scope="session")
def place():
    """A directory for machines, on a path that all users may pass."""
    directory = Path(tempfile.mkdtemp(prefix="package-", dir="/tmp"))
    directory.chmod(0o755)
    yield directory
    shutil.rmtree(directory)


@pytest.fixture(scope="session")
def debian():
    """A fresh Debian 12 with what the package depends on, made once and kept."""
    included = ",".join(sorted({*dependencies(), "dbus", "systemd-sysv"}))
    kept = ROOT / ".build/debian" / hashlib.sha256(included.encode()).hexdigest()[:12]
    kept.parent.mkdir(parents=True, exist_ok=True)
    with (kept.parent / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not kept.exists():
            draft = kept.with_name("draft")
            shutil.rmtree(draft, ignore_errors=True)
            subprocess.run(
                ["mmdebstrap", "--quiet", "--variant=minbase", f"--include={included}", "bookworm", draft],
                check=True)
            draft.rename(kept)
    return kept


@pytest.fixture(scope="session")
def packages(place):
    return Packages(place / "layer")


@pytest.fixture(scope="session")
def start_machine(place, debian, packages):
    """Boots a machine; layers may lie above Debian's."""
    started = []

    def start(*layers, megabytes=2048):
        machine = Machine(
            place / f"machine-{next(NUMBERS)}", [packages.layer, *layers, debian], megabytes)
        started.append(machine)
        return machine.boot()

    yield start
    for machine in started:
        machine.discard()


@pytest.fixture
def fresh(start_machine):
    """A machine without the package."""
    machine = start_machine()
    yield machine
    machine.cut_power()


@pytest.fixture(scope="session")
def used_layer(start_machine):
    """The disk of a machine on which the package was installed, with a contact that Anna entered."""
    machine = start_machine()
    machine.setup_path = re.search(r"https://\S+(/setup/\S+)", machine.install("first.deb"))[1]
    until(machine.serves)
    machine.visitor().register("admin", page=machine.setup_path)
    contact = machine.visitor().register("anna").add_contact("Kept")
    # The copy of the release, for a later rollback.
    until(lambda: list(machine.path("/var/lib/polyclinic/data").glob("releases/*/release.json")))
    machine.run("systemctl", "stop", "polyclinic", "nginx")
    return machine.end_as_layer(), contact


@pytest.fixture
def used(start_machine, used_layer):
    """A machine with the package and a contact that Anna entered."""
    layer, contact = used_layer
    machine = start_machine(layer)
    machine.contact = contact
    until(machine.serves)
    yield machine
    machine.cut_power()
