"""Portals that root starts and that run with fewer privileges."""

import os
import pty
import pwd
import re
import select
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

import pytest

from covid import GOOD
from portal import PROGRAM, Portal, command, free_port, stat
from visitor import Visitor
from waiting import until

pytestmark = [
    pytest.mark.long, pytest.mark.skipif(os.geteuid() != 0, reason="only root has rights to give away")]
BARE = {"CapEff": "0000000000000000", "CapPrm": "0000000000000000", "NoNewPrivs": "1", "Umask": "0027"}


def rights(pid):
    """Returns the user id and the privileges of a process."""
    status = dict(re.findall(r"^(\w+):\t(\S+)", Path(f"/proc/{pid}/status").read_text(), re.M))
    return int(status["Uid"]), {name: status[name] for name in BARE}


def reaches_the_program(user):
    """Returns true if the user may execute the program, which may be in root's home directory."""
    tried = command("-u", user.pw_name, "--", PROGRAM, "--help", program="runuser")
    return tried.returncode == 0


@pytest.fixture(params=["polyclinic", "root"])
def roots_portal(request, open_directory):
    """A portal that root starts and that runs as polyclinic or as root."""
    if request.param == "root":
        # The portal stays root in a directory that no other user can access.
        open_directory.chmod(0o700)
    elif not reaches_the_program(pwd.getpwnam("polyclinic")):
        pytest.skip("the program stands where root alone gets")
    portal = Portal(open_directory / "data")
    yield portal
    if portal.process:
        portal.kill()


@pytest.fixture
def users_portal(open_directory):
    """A stopped portal whose data belongs to the user polyclinic, and that user."""
    user = pwd.getpwnam("polyclinic")
    if not reaches_the_program(user):
        pytest.skip("the program stands where root alone gets")
    portal = Portal(open_directory / "data")
    try:
        portal.start()
        assert portal.stop() == 0
        yield portal, user
    finally:
        portal.kill()


def as_root(portal, *words, **others):
    """Runs a command as root, and asserts that it went on as the owner of the data and succeeded."""
    done = command(*words, "--config", portal.configuration, **others)
    assert done.returncode == 0, done.stderr
    directory = portal.database.parent
    assert done.stderr == f"polyclinic: runs as the user polyclinic, to whom the data in {directory} belongs.\n"
    return done.stdout


def owners(portal):
    """Returns the users to whom something in the portal's directory belongs."""
    return {path.lstat().st_uid for path in [portal.data, *portal.data.rglob("*")]}


def test_a_command_of_root_goes_on_as_the_owner_of_the_data(users_portal):
    portal, user = users_portal
    as_root(portal, "migrate")
    as_root(portal, "vault", "rotate")
    as_root(portal, "user", "add", "anna", "--password-stdin", input="seven obsidian lamps\n")
    assert "anna" in as_root(portal, "user", "list")
    as_root(portal, "user", "role", "anna", "administrator")
    as_root(portal, "user", "add", "boris")
    as_root(portal, "user", "erase", "boris", "--yes")
    as_root(portal, "module", "disable", "contacts")
    as_root(portal, "module", "enable", "contacts")
    as_root(portal, "backup", portal.data / "a.backup")
    as_root(portal, "restore", portal.data / "a.backup", "--over")
    assert "passes its own check" in as_root(portal, "check")
    assert owners(portal) == {user.pw_uid}
    failed = command("user", "approve", "anna", "--config", portal.configuration)
    assert failed.returncode == 1 and "No role of anna waits." in failed.stderr
    stopped = command("status", "--config", portal.configuration)
    assert stopped.returncode == 1 and "Polyclinic is not running." in stopped.stdout


def test_a_command_has_no_right_of_root_and_no_terminal_of_root(users_portal):
    portal, user = users_portal
    as_root(portal, "user", "add", "boris")
    pid, terminal = pty.fork()
    if pid == 0:
        os.execv(PROGRAM, [PROGRAM, "user", "erase", "boris", "--config", str(portal.configuration)])
    try:
        said = b""
        while b"Type boris to go on" not in said:
            assert select.select([terminal], [], [], 60)[0], said
            said += os.read(terminal, 65_536)
        [command_pid] = [int(path.name) for path in Path("/proc").iterdir()
                         if path.name.isdecimal() and stat_of_parent(path) == pid]
        status = dict(re.findall(r"^(\w+):\t(.+)$", Path(f"/proc/{command_pid}/status").read_text(), re.M))
        assert set(status["Uid"].split()) == {str(user.pw_uid)}
        assert set(status["Gid"].split()) == {str(user.pw_gid)}
        assert set(status["Groups"].split()) <= {str(user.pw_gid)}
        assert status["CapEff"] == status["CapPrm"] == BARE["CapEff"] and status["NoNewPrivs"] == "1"
        assert stat(command_pid)[4] == "0", "no terminal takes its commands for those of root"
        variables = Path(f"/proc/{command_pid}/environ").read_bytes().split(b"\0")
        assert b"HOME=" + str(portal.database.parent).encode() in variables
        os.write(terminal, b"boris\n")
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    finally:
        with suppress(ProcessLookupError):
            os.kill(pid, 9)
        os.close(terminal)
    assert "boris" not in as_root(portal, "user", "list")


def stat_of_parent(path):
    """Returns the parent of the process with this directory in /proc; None if it has ended."""
    with suppress(OSError):
        return int(stat(path.name)[1])


@pytest.fixture
def roots_directory():
    """A directory that only root may enter, below no directory in which other users make files."""
    with tempfile.TemporaryDirectory(dir=pwd.getpwuid(0).pw_dir) as directory:
        yield Path(directory)


def test_files_that_only_root_may_use_are_opened_before_the_change_of_user(users_portal, roots_directory):
    portal, user = users_portal
    as_root(portal, "user", "add", "anna")
    as_root(portal, "user", "add", "boris")
    backup = roots_directory / "a.backup"
    said = as_root(portal, "backup", backup)
    assert said.startswith(f"{backup}: 2 people, ")
    assert (backup.stat().st_uid, backup.stat().st_mode & 0o777) == (0, 0o600)
    assert os.listdir(roots_directory) == ["a.backup"]
    again = command("backup", backup, "--config", portal.configuration)
    assert again.returncode == 1 and "is there already and is not overwritten" in again.stderr

    sheet = roots_directory / "sheet.txt"
    sheet.write_text(as_root(portal, "vault", "sheet"))
    sheet.chmod(0o600)
    assert "holds all keys" in as_root(portal, "vault", "sheet", "--check", sheet)
    as_root(portal, "restore", "--person", "anna", "--from", backup, "--dry-run")
    portal.key.unlink()
    as_root(portal, "vault", "restore", "--sheet", sheet)

    # The log of erasures beside the backup counts too.
    as_root(portal, "user", "erase", "boris", "--yes")
    log = portal.data / "backups" / "erasures.log"
    shutil.move(log, roots_directory / "erasures.log")
    os.chown(roots_directory / "erasures.log", 0, 0)
    portal.database.unlink()
    assert "Forgotten again, as erased after the backup: 1 person." in as_root(portal, "restore", backup)
    assert owners(portal) == {user.pw_uid}

    missing = command("restore", roots_directory / "none", "--over", "--config", portal.configuration)
    assert missing.returncode == 1 and "No such file or directory. Check the name" in missing.stderr

    figures = roots_directory / "figures.csv"
    figures.write_bytes(GOOD)
    figures.chmod(0o600)
    as_root(portal, "module", "enable", "covid-stats")
    as_root(portal, "covid-stats", "refresh", "--from", figures)
    listed = command(
        "covid-stats", "refresh", "--from", "figures.csv", "--config", portal.configuration, directory=roots_directory)
    assert listed.returncode == 0, listed.stderr


def test_the_user_of_the_data_cannot_have_root_open_a_file(users_portal, tmp_path):
    portal, user = users_portal
    tmp_path.chmod(0o700)
    secret = tmp_path / "secret.csv"
    secret.write_bytes(GOOD)
    secret.chmod(0o600)
    as_root(portal, "module", "enable", "covid-stats")
    bait = portal.data / "figures.csv"
    bait.symlink_to(secret)
    target = portal.data / "backups-of-today"
    target.symlink_to(tmp_path)
    for words in [["covid-stats", "refresh", "--from", bait], ["backup", target / "a.backup"]]:
        refused = command(*words, "--config", portal.configuration)
        assert refused.returncode == 1, refused
        assert "name a file that no other user can replace" in refused.stderr, refused
    assert os.listdir(tmp_path) == ["secret.csv"]


def test_a_configuration_of_root_is_changed_by_root_and_the_change_recorded_by_the_user(users_portal):
    portal, user = users_portal
    os.chown(portal.configuration, 0, user.pw_gid)
    portal.configuration.chmod(0o640)
    for verb, state in [("disable", "off"), ("enable", "on")]:
        done = command("module", verb, "contacts", "--config", portal.configuration)
        assert done.returncode == 0 and not done.stderr, done
        assert "No record" not in done.stdout
        assert re.search(rf"^contacts +{state} ", as_root(portal, "module", "list"), re.M)
    status = portal.configuration.stat()
    assert (status.st_uid, status.st_gid, status.st_mode & 0o777) == (0, user.pw_gid, 0o640)
    assert owners(portal) == {0, user.pw_uid}


def test_a_configuration_of_a_third_user_is_refused(users_portal):
    portal, user = users_portal
    os.chown(portal.configuration, 12_345, 12_345)
    refused = command("check", "--config", portal.configuration)
    assert refused.returncode == 1, refused
    assert f"Give that file to root: chown root: {portal.configuration}" in refused.stderr


def test_data_that_does_not_exist_yet_is_made_by_root(open_directory):
    configuration = open_directory / "polyclinic.yaml"
    configuration.write_text('clinic: { name: "Riverside", time_zone: "UTC" }\n')
    made = command("setup", "--config", configuration)
    assert made.returncode == 0 and not made.stderr, made
    assert {path.stat().st_uid for path in open_directory.rglob("*")} == {0}


def test_root_runs_the_portal_as_an_ordinary_user(open_directory):
    user = pwd.getpwnam("polyclinic")
    if not reaches_the_program(user):
        pytest.skip("the program stands where root alone gets")
    portal = Portal(open_directory / "data")
    # A leftover of an earlier run as root.
    (portal.data / "run").mkdir(parents=True)
    (portal.data / "run" / "polyclinic.pid").write_text("")
    try:
        for _ in range(2):
            portal.start()
            assert "Runs as root" not in portal.said
            family = set(portal.family) - {portal.process.pid}
            assert len(family) >= 6
            for pid in family:
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
        # Files of that user cannot make root run the portal as root.
        portal.port = 943
        with pytest.raises(RuntimeError, match="This user may not listen on port 943"):
            portal.start()
    finally:
        portal.kill()


def test_the_portal_runs_as_the_owner_of_its_parent_directory(open_directory):
    if not reaches_the_program(pwd.getpwnam("polyclinic")):
        pytest.skip("the program stands where root alone gets")
    # The portal does not keep root's group, which owns the directory as in many containers.
    os.chown(open_directory, 12_345, 0)
    portal = Portal(open_directory / "data")
    try:
        portal.start()
        for pid in set(portal.family) - {portal.process.pid}:
            assert rights(pid) == (12_345, BARE)
            assert "\nGid:\t12345\t12345\t12345\t12345\n" in Path(f"/proc/{pid}/status").read_text()
        assert portal.data.stat().st_uid == 12_345
        assert portal.stop() == 0
    finally:
        portal.kill()


def test_the_portal_runs_as_root_without_capabilities_if_its_user_has_no_access(tmp_path):
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


def test_a_privileged_port_is_given_as_the_reason_for_running_as_root(open_directory):
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


def started_at_a_terminal(portal):
    """Starts the portal at a terminal; returns root's process id and the terminal's controlling end."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ.update(DATA=str(portal.data), PORT=str(portal.port))
        os.execv(PROGRAM, [PROGRAM, "run"])
    said = b""
    while b"Ctrl-C" not in said:
        assert select.select([terminal], [], [], 60)[0], said
        said += os.read(terminal, 65_536)
    return pid, terminal


def descriptors(pid):
    """Returns the paths of a process's open files."""
    found = set()
    for entry in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(OSError):
            found.add(os.readlink(entry))
    return found


def test_portal_processes_have_no_terminal_and_ctrl_c_stops_the_portal(roots_portal):
    portal = roots_portal
    pid, terminal = started_at_a_terminal(portal)
    try:
        until(lambda: len(portal.workers) == 2 and portal.pids(" jobs "))
        name = os.readlink(f"/proc/{pid}/fd/0")
        portal.foreground = int(stat(portal.supervisor)[1])
        family = portal.family
        assert name.startswith("/dev/pts/") and len(family) >= 6
        assert int(stat(portal.foreground)[1]) == pid != portal.foreground
        for member in family:
            assert stat(member)[4] == "0", Path(f"/proc/{member}/cmdline").read_bytes()
            assert name not in descriptors(member)
        os.write(terminal, b"\x03")
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
        assert not portal.pids("")
    finally:
        with suppress(ProcessLookupError):
            os.kill(pid, 9)
        os.close(terminal)


def test_killing_roots_process_ends_the_portal(roots_portal):
    portal = roots_portal.start()
    portal.process.kill()
    until(lambda: not portal.left, 60)


def test_every_process_has_core_files_disabled(roots_portal):
    roots_portal.before = ["prlimit", "--core=unlimited:unlimited"]
    portal = roots_portal.start()
    assert len(portal.family) >= 7
    for pid in portal.family:
        limits = Path(f"/proc/{pid}/limits").read_text()
        assert re.search(r"^Max core file size +0 +0 ", limits, re.M), limits
    assert portal.stop() == 0


def test_sighup_to_roots_process_reloads_the_portal(roots_portal):
    portal = roots_portal.start()
    old = set(portal.workers)
    portal.process.send_signal(1)
    until(lambda: len(portal.workers) == 2 and not old & set(portal.workers))
    assert portal.stop() == 0


def test_links_in_the_users_data_do_not_change_files_elsewhere(users_portal, open_directory):
    portal, user = users_portal
    victim = open_directory / "victim"
    victim.mkdir(mode=0o755)
    (victim / "file").write_text("root's")
    before = {path: (path.stat().st_uid, path.stat().st_gid, path.stat().st_mode)
              for path in [victim, victim / "file"]}
    configuration = portal.configuration.read_text()
    shutil.rmtree(portal.data / "run" / "nginx")
    (portal.data / "run" / "nginx").symlink_to(victim)
    (portal.data / "run" / "file").hardlink_to(victim / "file")
    with pytest.raises(RuntimeError):
        portal.start()
    (portal.data / "run" / "nginx").unlink()
    changed = re.sub("^server:", f"server:\n  listen: unix:{victim}/portal.sock", configuration, flags=re.M)
    assert changed != configuration
    portal.configuration.write_text(changed)
    with pytest.raises(RuntimeError):
        portal.start()
    assert {path: (path.stat().st_uid, path.stat().st_gid, path.stat().st_mode) for path in before} == before
    # The owner of the parent directory redirects root to data of root.
    os.chown(open_directory, user.pw_uid, user.pw_gid)
    portal.data.rename(open_directory / "moved")
    portal.data.symlink_to(victim)
    os.chown(portal.data, user.pw_uid, user.pw_gid, follow_symlinks=False)
    refused = command("run", data=portal.data, port=portal.port)
    assert refused.returncode == 1 and "because another user may change" in refused.stderr, refused
    assert {path: (path.stat().st_uid, path.stat().st_gid, path.stat().st_mode) for path in before} == before
    assert os.listdir(victim) == ["file"]


def test_a_named_pipe_as_pid_file_is_refused_without_blocking(users_portal):
    portal, user = users_portal
    file = portal.data / "run" / "polyclinic.pid"
    file.unlink()
    os.mkfifo(file)
    os.chown(file, user.pw_uid, user.pw_gid)
    with pytest.raises(RuntimeError, match="polyclinic.pid is not a regular file"):
        portal.start()


def test_root_refuses_data_that_other_users_can_write(users_portal, open_directory):
    portal, user = users_portal
    # The directory belongs to root, its files do not.
    os.chown(portal.data, 0, 0)
    refused = command("run", data=portal.data, port=997)
    assert refused.returncode == 1 and "polyclinic.yaml. Look through it" in refused.stderr, refused
    os.chown(portal.configuration, 0, 0)
    portal.data.chmod(0o700)
    refused = command("run", data=portal.data, port=997)
    assert refused.returncode == 1 and "which belongs to another user" in refused.stderr, refused
    open_directory.chmod(0o777)
    refused = command("run", data=portal.data, port=free_port())
    assert refused.returncode == 1 and f"another user may change {open_directory}." in refused.stderr, refused


def test_root_does_not_grant_nginx_access_to_a_directory_outside_the_data(open_directory):
    victim = open_directory / "victim"
    victim.mkdir(mode=0o700)
    portal = Portal(open_directory / "data")
    portal.data.mkdir(mode=0o755)
    portal.configuration.write_text(
        f'server:\n  listen: "unix:{victim}/portal.sock"\n  www: "{Path(__file__).parents[2] / "www"}"\n'
        'clinic: { name: "Riverside", time_zone: "UTC" }\n')
    refused = command("run", data=portal.data, port=997)
    assert refused.returncode == 1 and "Root makes nginx's way to the socket" in refused.stderr, refused
    assert victim.stat().st_gid == 0 and victim.stat().st_mode & 0o7777 == 0o700
