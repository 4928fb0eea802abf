"""Restores of one person's records from a backup while the portal runs."""

import re

from backup_restore import back_up
from visitor import Visitor


def restore(portal, login, backup, *options):
    return portal.run("restore", "--person", login, "--from", backup, *options)


def row(answer, kind):
    """Returns the counts of one kind of records: unchanged, deleted since, changed since."""
    found = re.search(rf"^{kind} +(\d+) +(\d+) +(\d+)$", answer.stdout, re.M)
    assert found, answer.stdout + answer.stderr
    return [int(number) for number in found.groups()]


def delete(visitor, path):
    answer = visitor.submit(f"{path}/delete", {})
    assert answer.status == 303, answer


def listed(visitor):
    return sorted(re.findall(r"<strong><bdi>(.*?)</bdi>", visitor.get("/contacts").text))


def test_restored_records_are_added_beside_the_current_ones(start_portal, tmp_path):
    portal = start_portal()
    anna, boris = Visitor(portal).register("anna"), Visitor(portal).register("boris")
    kept, deleted, changed = (
        anna.add_contact(name, notes="zq obsidian") for name in ["Kept", "Deleted", "Changed"])
    theirs = boris.add_contact("Of Boris")
    weight = anna.submit(
        "/health-metrics/weights/new",
        {"value": "72.5", "unit": "kg", "measured_at": "2026-01-02T08:00"}).location
    backup = tmp_path / "a.backup"
    back_up(portal, backup)
    delete(anna, deleted)
    delete(anna, re.search(r"/health-metrics/weights/\d+", weight)[0])
    delete(boris, theirs)
    assert anna.submit(f"{changed}/edit", {"name": "Changed Later"}).status == 303
    anna.add_contact("Made Later")

    dry = restore(portal, "anna", backup, "--dry-run")
    assert dry.returncode == 0, dry.stderr
    assert row(dry, "contacts") == [1, 1, 1] and row(dry, "weights") == [0, 1, 0]
    assert "obsidian" not in dry.stdout and "Kept" not in dry.stdout and "72.5" not in dry.stdout
    assert listed(anna) == ["Changed Later", "Kept", "Made Later"]

    done = restore(portal, "anna", backup)
    assert done.returncode == 0, done.stderr
    assert "3 records came back as the backup has them." in done.stdout
    assert "No present record was changed or removed." in done.stdout
    assert listed(anna) == ["Changed", "Changed Later", "Deleted", "Kept", "Made Later"]
    assert "Deleted" in anna.get(deleted).text and "Kept" in anna.get(kept).text
    assert "72.5" in anna.get("/health-metrics/weights").text
    assert "restored from a backup" in anna.get("/account/access-log").text
    assert listed(boris) == []
    again = restore(portal, "anna", backup)
    assert row(again, "contacts") == [3, 0, 0] and "nothing comes back" in again.stdout
    assert portal.run("check").returncode == 0
    assert not [path for path in portal.database.parent.iterdir() if "looked-into" in path.name]


def test_an_impossible_restore_is_refused_with_a_remedy(start_portal, tmp_path):
    portal = start_portal()
    Visitor(portal).register("anna", page=portal.setup_path)
    Visitor(portal).register("boris")
    backup = tmp_path / "a.backup"
    back_up(portal, backup)
    Visitor(portal).register("vera")
    assert portal.run("user", "erase", "boris").returncode == 0
    broken = tmp_path / "broken.backup"
    broken.write_bytes(backup.read_bytes()[:-1])
    for login, path, words in [
        ("nobody", backup, "polyclinic user list"), ("vera", backup, "Use a later backup"),
        ("boris", backup, "was erased"), ("anna", broken, "use another backup"),
        ("anna", tmp_path / "none", "No such file"),
    ]:
        answer = restore(portal, login, path)
        assert answer.returncode == 1 and words in answer.stderr, answer.stderr
    for words in [["--person", "anna"], ["--from", backup], [backup, "--person", "anna"], [backup, "--dry-run"]]:
        assert portal.run("restore", *words).returncode == 2
