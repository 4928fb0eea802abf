"""Rotation of the master key, and outdated recovery sheets."""

import os
import subprocess

import pytest

from backup_restore import back_up, elsewhere, restore
from portal import Portal
from visitor import Visitor

pytestmark = pytest.mark.long


def sheet_of(portal, path):
    path.write_text(portal.run("vault", "sheet").stdout)
    return path


def remount(disk, options):
    subprocess.run(["mount", "-o", f"remount,{options}", disk], check=True)


def test_a_key_rotation_does_not_interrupt_users_and_makes_old_recovery_sheets_invalid(start_portal, tmp_path):
    portal = start_portal()
    anna = Visitor(portal).register("anna")
    contact = anna.add_contact("Before")
    old_sheet, old_backup = sheet_of(portal, tmp_path / "old.txt"), tmp_path / "old.backup"
    back_up(portal, old_backup)
    assert portal.run("vault", "sheet", "--check", old_sheet).returncode == 0
    owner = portal.key.stat().st_uid
    for _ in range(2):
        answer = portal.run("vault", "rotate")
        assert answer.returncode == 0, answer.stderr
        assert "The master key is " in answer.stdout and "polyclinic vault sheet | lp" in answer.stdout
        assert (portal.key.stat().st_mode & 0o777, portal.key.stat().st_uid) == (0o600, owner)
        assert "Before" in anna.get(contact).text
        assert anna.add_contact("While It Is Rotated")
    assert len(portal.key.read_text().splitlines()) == 5
    boris = Visitor(portal).register("boris")
    assert boris.get("/account").status == 200
    assert portal.run("check").returncode == 0

    checked = portal.run("vault", "sheet", "--check", old_sheet)
    assert checked.returncode == 1 and "The recovery sheet is old" in checked.stderr
    new_sheet, new_backup = sheet_of(portal, tmp_path / "new.txt"), tmp_path / "new.backup"
    assert portal.run("vault", "sheet", "--check", new_sheet).returncode == 0
    back_up(portal, new_backup)

    refused = restore(elsewhere(portal, tmp_path / "a", with_key=False), new_backup, "--sheet", old_sheet)
    assert refused.returncode == 1 and "The recovery sheet is old" in refused.stderr
    for number, (backup, sheet) in enumerate(
            [(new_backup, new_sheet), (old_backup, new_sheet), (old_backup, old_sheet)]):
        other = elsewhere(portal, tmp_path / f"other{number}", with_key=False)
        answer = restore(other, backup, "--sheet", sheet)
        assert answer.returncode == 0, answer.stderr
        assert other.run("check").returncode == 0

    portal.stop()
    key = portal.key.read_bytes()
    portal.key.unlink()
    refused = portal.run("vault", "restore", "--sheet", old_sheet)
    assert refused.returncode == 1 and "The recovery sheet is old" in refused.stderr
    assert portal.run("vault", "restore", "--sheet", new_sheet).returncode == 0
    assert portal.key.read_bytes() == key


def test_a_rotation_on_a_read_only_or_full_disk_keeps_the_old_key(small_disk):
    portal = Portal(small_disk / "data")
    try:
        portal.start()
        contact = Visitor(portal).register("anna").add_contact("Kept")
        portal.stop()
        key = portal.key.read_bytes()
        # Once with the database's log as the stop left it, and once without.
        for _ in range(2):
            remount(small_disk, "ro")
            refused = portal.run("vault", "rotate")
            assert refused.returncode == 1 and "cannot be written" in refused.stderr, refused.stderr
            remount(small_disk, "rw")
            assert portal.run("check").returncode == 0
            for suffix in ("-wal", "-shm"):
                portal.database.with_name(portal.database.name + suffix).unlink(missing_ok=True)
        filling = small_disk / "filling"
        with filling.open("wb", buffering=0) as file:
            for size in (1 << 16, 1):
                try:
                    while file.write(b"\0" * size):
                        pass
                except OSError:
                    continue
        refused = portal.run("vault", "rotate")
        assert refused.returncode == 1 and "There is no room on" in refused.stderr, refused.stderr
        assert portal.key.read_bytes() == key
        assert os.listdir(portal.key.parent) == ["master.key"]
        filling.unlink()
        assert portal.run("vault", "rotate").returncode == 0
        portal.start()
        anna = Visitor(portal)
        assert anna.sign_in("anna").status == 303
        assert "Kept" in anna.get(contact).text
    finally:
        portal.kill()
