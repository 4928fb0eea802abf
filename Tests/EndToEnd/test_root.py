"""Root starts the portal, which runs with fewer rights than root's."""

import os
import pwd
import re
import shutil
import tempfile
from pathlib import Path

import pytest

from portal import PROGRAM, Portal, command
from visitor import Visitor

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root has rights to give away")
BARE = {"CapEff": "0000000000000000", "CapPrm": "0000000000000000", "NoNewPrivs": "1", "Umask": "0027"}


def rights(pid):
    """The user of a process and what else it may do, as the kernel tells."""
    status = dict(re.findall(r"^(\w+):\t(\S+)", Path(f"/proc/{pid}/status").read_text(), re.M))
    return int(status["Uid"]), {name: status[name] for name in BARE}


@pytest.fixture
def open_directory():
    """A directory that every user reaches, unlike those of tests."""
    directory = Path(tempfile.mkdtemp(prefix="polyclinic-root-"))
    directory.chmod(0o755)
    yield directory
    shutil.rmtree(directory)


def reaches_the_program(user):
    """Whether another user may use the program under test, which may stand in root's home."""
    tried = command("-u", user.pw_name, "--", PROGRAM, "--help", program="runuser")
    return tried.returncode == 0


def test_root_runs_the_portal_as_an_ordinary_user(open_directory):
    user = pwd.getpwnam("polyclinic")
    if not reaches_the_program(user):
        pytest.skip("the program stands where root alone gets")
    portal = Portal(open_directory / "data")
    # As an earlier run as root has left it.
    (portal.data / "run").mkdir(parents=True)
    (portal.data / "run" / "polyclinic.pid").write_text("")
    try:
        for _ in range(2):
            portal.start()
            assert "Runs as root" not in portal.said
            assert len(portal.family) >= 6
            for pid in portal.family:
                assert rights(pid) == (user.pw_uid, BARE), Path(f"/proc/{pid}/cmdline").read_bytes()
            assert Visitor(portal).get("/contacts").status == 303
            assert portal.run("module", "disable", "contacts").returncode == 0
            assert Visitor(portal).get("/contacts").status == 404
            assert portal.run("module", "enable", "contacts").returncode == 0
            checked = portal.run("check")
            assert checked.returncode == 0, checked
            assert portal.stop() == 0
            owners = {path: path.lstat().st_uid for path in portal.data.rglob("*")}
            assert set(owners.values()) == {user.pw_uid}
        assert portal.key.stat().st_mode & 0o777 == 0o600
        # What that user may write does not decide that root runs the portal.
        portal.port = 943
        with pytest.raises(RuntimeError, match="belongs to the user polyclinic"):
            portal.start()
    finally:
        portal.kill()


def test_where_that_user_cannot_get_the_portal_runs_without_capabilities_and_says_why(tmp_path):
    tmp_path.chmod(0o700)
    portal = Portal(tmp_path / "data")
    try:
        portal.start()
        assert re.search(r"Runs as root without capabilities, because the user polyclinic may not use /", portal.said)
        for pid in [portal.supervisor, *portal.workers, *portal.pids(" jobs ")]:
            assert rights(pid) == (0, BARE)
        assert Visitor(portal).get("/login").status == 200
        assert portal.stop() == 0
    finally:
        portal.kill()


def test_a_port_of_roots_alone_is_said_so(open_directory):
    if Path("/proc/sys/net/ipv4/ip_unprivileged_port_start").read_text().strip() == "0":
        pytest.skip("here every user may listen on every port")
    portal = Portal(open_directory / "data")
    portal.port = 997
    try:
        portal.start()
        assert "because port 997 is for root alone" in portal.said
        assert portal.stop() == 0
    finally:
        portal.kill()
