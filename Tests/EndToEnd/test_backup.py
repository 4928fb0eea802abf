"""Backups made under load, and restores."""

import os
import re
import signal

import pytest

from conftest import unique
from backup_restore import Writers, back_up, elsewhere, restore_and_verify, restore
from visitor import Visitor
from waiting import until


@pytest.fixture(scope="module")
def source(start_portal):
    return start_portal()


@pytest.fixture
def person(source):
    return lambda: Visitor(source).register(unique("kept"))


def names(directory):
    return sorted(str(path.relative_to(directory)) for path in directory.rglob("*"))


def test_backups_made_under_load_contain_every_acknowledged_contact(source, tmp_path):
    with Writers(source, [unique("writer") for _ in range(3)]) as writers:
        made = []
        for number in range(2):
            seen = writers.count
            until(lambda: writers.count > seen + 20, seconds=60)
            acknowledged = writers.acknowledged()
            path = tmp_path / f"{number}.backup"
            made.append((path, acknowledged, back_up(source, path)))
    assert not writers.failures
    for number, (path, acknowledged, said) in enumerate(made):
        restore_and_verify(elsewhere(source, tmp_path / f"other{number}"), path, acknowledged, said)


def test_the_portal_makes_a_backup_automatically(source):
    backups = source.data / "backups"
    made = until(lambda: list(backups.glob("polyclinic-*Z.backup")))
    assert made[0].stat().st_mode & 0o777 == 0o600
    check = source.run("check")
    assert check.returncode == 0
    assert f"The last good backup, {made[0].name}, is " in check.stdout


def test_a_backup_contains_no_personal_plaintext_and_no_key(source, person, tmp_path):
    person().add_contact("Zqcontact Marmelad", notes="zq allergic to obsidian")
    path = tmp_path / "a.backup"
    back_up(source, path)
    content = path.read_bytes()
    for words in [b"Zqcontact", b"obsidian", b"SQLite format", source.key.read_bytes().split()[6]]:
        assert words not in content
    assert content.startswith(b"polyclinic backup 2\n")


def test_changed_truncated_and_foreign_backups_are_refused_without_touching_files(source, tmp_path):
    path = tmp_path / "a.backup"
    back_up(source, path)
    good = path.read_bytes()
    other = elsewhere(source, tmp_path / "other")
    before = names(other.data)
    middle = len(good) // 2
    changed = good[:middle] + bytes([good[middle] ^ 1]) + good[middle + 1:]
    for content, words in [
        (changed, "was changed or damaged"), (good[:-1], "is cut off"), (good + b"x", "goes on behind"),
        (b"anything else", "is not a backup"),
    ]:
        path.write_bytes(content)
        answer = restore(other, path)
        assert answer.returncode == 1 and words in answer.stderr, answer.stderr
        assert names(other.data) == before
    path.write_bytes(good)
    foreign = elsewhere(source, tmp_path / "foreign", with_key=False)
    stranger = elsewhere(source, tmp_path / "stranger", with_key=False)
    stranger.start().stop()
    foreign.key.parent.mkdir(mode=0o700)
    stranger.key.rename(foreign.key)
    before = names(foreign.data)
    answer = restore(foreign, path)
    assert answer.returncode == 1 and "which " in answer.stderr and "--sheet" in answer.stderr
    assert names(foreign.data) == before


def test_a_restore_overwrites_a_database_only_with_over_and_a_stopped_portal(start_portal, tmp_path):
    portal = start_portal()
    Visitor(portal).register("administrator", page=portal.setup_path)
    Visitor(portal).register("anna")
    boris = Visitor(portal).register("boris")
    path = tmp_path / "a.backup"
    back_up(portal, path)
    boris.add_contact("Later")
    Visitor(portal).register("vera")
    assert portal.run("user", "erase", "boris").returncode == 0
    assert "Stop it first" in restore(portal, path, "--over").stderr
    assert portal.stop() == 0
    assert "--over" in restore(portal, path).stderr
    answer = restore(portal, path, "--over")
    assert answer.returncode == 0, answer.stderr
    assert "Forgotten again" in answer.stdout and ".replaced-" in answer.stdout
    portal.start()
    assert Visitor(portal).sign_in("anna").status == 303
    # boris was erased and vera registered after the backup; boris's session is older than the backup.
    assert Visitor(portal).sign_in("boris").status == 422
    assert Visitor(portal).sign_in("vera").status == 422
    assert boris.get("/account").status == 303


def test_the_master_key_is_restored_from_a_recovery_sheet(source, person, tmp_path):
    user = person()
    contact = user.add_contact("On Paper")
    path = tmp_path / "a.backup"
    back_up(source, path)
    sheet = source.run("vault", "sheet").stdout
    typed = tmp_path / "sheet.txt"
    line = next(line for line in sheet.splitlines() if line.startswith("1-3"))
    typed.write_text(sheet.replace(line, line[:8] + ("X" if line[8] != "X" else "Y") + line[9:]))
    other = elsewhere(source, tmp_path / "other", with_key=False)
    before = names(other.data)
    answer = restore(other, path, "--sheet", typed)
    assert answer.returncode == 1 and "Line 1-3" in answer.stderr
    assert names(other.data) == before
    answer = restore(other, path, "--sheet", "-", input=sheet.lower())
    assert answer.returncode == 0, answer.stderr
    assert other.key.read_bytes() == source.key.read_bytes()
    assert other.key.stat().st_mode & 0o777 == 0o600
    other.key.unlink()
    typed.write_text(sheet)
    answer = other.run("vault", "restore", "--sheet", typed)
    assert answer.returncode == 0, answer.stderr
    other.start()
    visitor = Visitor(other)
    assert visitor.sign_in(user.login).status == 303
    assert "On Paper" in visitor.get(contact).text
    assert other.stop() == 0


def test_a_killed_backup_leaves_no_partial_file_and_is_made_again(start_portal, tmp_path):
    portal = start_portal()
    backups = portal.data / "backups"
    # A killed job is retried only after a minute, so wait for the first run to finish.
    over = re.compile(r'job_succeeded_timestamp_seconds\{job="[^"]*backup[^"]*"\} [1-9]')
    until(lambda: over.search(Visitor(portal).get("/metrics").text))
    for made in backups.glob("*.backup"):
        made.unlink()
    left = backups / "polyclinic-20260101T000000Z.backup.new"
    left.write_bytes(b"half")
    jobs = portal.pids(" jobs ")[0]
    os.kill(jobs, signal.SIGKILL)
    until(lambda: list(backups.glob("*.backup")) and not left.exists(), seconds=30)


def test_a_full_backup_disk_is_reported_and_the_portal_keeps_running(start_portal, small_disk):
    portal = start_portal()
    contact = Visitor(portal).register("anna").add_contact("Kept")
    assert portal.stop() == 0
    backups = small_disk / "backups"
    backups.mkdir(mode=0o700)
    old = backups / "polyclinic-20260101T000000Z.backup"
    old.write_bytes(b"the last good one")
    portal.configuration.write_text(
        portal.configuration.read_text().replace('directory: "backups"', f'directory: "{backups}"'))
    filling = small_disk / "filling"
    with filling.open("wb", buffering=0) as file, pytest.raises(OSError):
        while file.write(b"\0" * 4096):
            pass
    portal.start()
    until(lambda: "backup failed" in portal.said)
    assert "No space left on device" in portal.said
    anna = Visitor(portal)
    assert anna.sign_in("anna").status == 303
    assert "Kept" in anna.get(contact).text
    assert anna.add_contact("While Backups Fail")
    assert [path.name for path in backups.iterdir()] == [old.name]
    check = portal.run("check")
    assert check.returncode == 1 and "one is to be made every 24 hours" in check.stdout
    assert portal.pids(" jobs "), "the process of the jobs goes on"
    filling.unlink()
    # A restart runs the job at once; its own retry comes only after a minute.
    assert portal.stop() == 0
    portal.start()
    until(lambda: len(list(backups.glob("*.backup"))) == 2, seconds=30)
    assert portal.run("check").returncode == 0
