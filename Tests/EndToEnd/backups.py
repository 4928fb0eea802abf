#!/usr/bin/env python3
"""Long backup test: backups.py [ROUNDS]. Prints measurements and exits non-zero on a failure.

Needs POLYCLINIC_BIN, a release build, and some gigabytes in the directory for temporary files.
"""

import os
import random
import re
import sqlite3
import statistics
import sys
import tempfile
import time
from pathlib import Path

from backup_restore import Writers, back_up, elsewhere, restore_and_verify, restore
from portal import PROGRAM, Portal, command

RATE = 200
CHANGED_PLACES = 100
LARGE = 1 << 30
# Largest allowed ratio of backup time to VACUUM INTO time, as medians of TIMES rounds.
SLOWEST, TIMES = 2.0, 5


def under_load(portal, directory, rounds):
    """Makes backups while 200 contacts a second are saved, restores each and checks it for those contacts."""
    made = []
    with Writers(portal, [f"writer-{number}" for number in range(8)], RATE) as writers:
        for number in range(rounds):
            seen = writers.count
            while writers.count < seen + RATE:
                time.sleep(0.01)
            acknowledged = writers.acknowledged()
            path = directory / f"{number}.backup"
            made.append((path, acknowledged, back_up(portal, path)))
    waits = sorted(wait for writer in writers.all for _, _, wait in writer.saved)
    assert not writers.failures, writers.failures[:10]
    print(f"{writers.count} contacts saved in {writers.seconds:.0f} s, "
          f"{writers.count / writers.seconds:.0f} a second, with {rounds} backups meanwhile: "
          f"median {statistics.median(waits) * 1000:.0f} ms, "
          f"99 % {waits[len(waits) * 99 // 100] * 1000:.0f} ms, longest {waits[-1] * 1000:.0f} ms")
    for number, (path, acknowledged, said) in enumerate(made):
        restore_and_verify(elsewhere(portal, directory / f"other{number}"), path, acknowledged, said)
    print(f"{rounds} of {rounds} restored elsewhere with all that was acknowledged before them")
    return made[0][0]


def changed_bytes(portal, path, directory):
    """Changes single bytes of a backup and checks that each restore is refused without touching files."""
    other = elsewhere(portal, directory / "changed")
    good = path.read_bytes()
    before = sorted(other.data.rglob("*"))
    places = random.sample(range(len(good)), CHANGED_PLACES - 40) + list(range(0, 80, 2))
    broken = directory / "changed.backup"
    for place in places:
        broken.write_bytes(good[:place] + bytes([good[place] ^ 1 << random.randrange(8)])
                           + good[place + 1:])
        answer = restore(other, broken)
        assert answer.returncode == 1, f"byte {place} of {len(good)}: {answer.stdout}"
        assert sorted(other.data.rglob("*")) == before, f"byte {place}: something was touched"
    print(f"a byte changed at {len(places)} places of {len(good)}: all found, nothing touched")


def fill(path):
    """Fills a table to one gigabyte with random bytes, in rows as large as sealed records."""
    with sqlite3.connect(path) as database:
        database.execute("INSERT INTO covid_stats_countries (country, is_weekly) VALUES ('BY', 0)")
        for batch in range(LARGE // (600 * 10_000)):
            database.executemany(
                "INSERT INTO covid_stats_cards (country, language, png) VALUES ('BY', ?, ?)",
                ((f"{batch:03}-{number:05}", os.urandom(600)) for number in range(10_000)))
            database.commit()
    database.close()


def timed(body):
    """Returns the elapsed seconds and the CPU seconds, child processes included."""
    before, used = time.monotonic(), os.times()
    body()
    now = os.times()
    processor = sum(now[:4]) - sum(used[:4])
    return time.monotonic() - before, processor


def synchronized(path):
    with open(path, "rb") as file:
        os.fsync(file.fileno())


def large(portal, directory):
    """Compares the backup of a gigabyte with VACUUM INTO of the same database."""
    other = elsewhere(portal, directory / "large", with_key=False)
    for part in ["data", "keys", "run"]:
        (other.data / part).mkdir(mode=0o700)
    assert command("setup", "--config", other.configuration).returncode == 0
    fill(other.database)
    copy, backup = directory / "copy.sqlite", directory / "large.backup"

    def vacuum():
        with sqlite3.connect(other.database) as database:
            database.execute("VACUUM INTO ?", (str(copy),))
        database.close()
        synchronized(copy)

    times = {"VACUUM INTO": [], "backup": []}
    for _ in range(TIMES):
        for name, path, body in [
            ("VACUUM INTO", copy, vacuum), ("backup", backup, lambda: back_up(other, backup)),
        ]:
            path.unlink(missing_ok=True)
            os.sync()
            times[name].append(timed(body))
    size = other.database.stat().st_size
    for name, rounds in times.items():
        seconds, processor = (statistics.median(values) for values in zip(*rounds))
        print(f"{name}: {size / 1e9:.2f} GB in {seconds:.2f} s, {size / 1e6 / seconds:.0f} MB a second, "
              f"{processor:.2f} s of processor time")
    ratio = statistics.median(
        backup / vacuum for (vacuum, _), (backup, _) in zip(*times.values()))
    print(f"a backup takes {ratio:.2f} times as long as VACUUM INTO, both on the disk at the end")
    assert ratio <= SLOWEST, f"a backup is slower than half of VACUUM INTO's speed: {ratio:.2f}"
    target = elsewhere(other, directory / "restored")
    seconds, _ = timed(lambda: restored(target, backup))
    print(f"restoring it, with all proofs, takes {seconds:.1f} s")


def restored(target, backup):
    answer = restore(target, backup)
    assert answer.returncode == 0, answer.stderr


def main():
    assert PROGRAM and re.search("release", str(Path(PROGRAM).resolve())), "POLYCLINIC_BIN: a release build"
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    with tempfile.TemporaryDirectory(prefix="polyclinic-backups-") as name:
        directory = Path(name)
        portal = Portal(directory / "source")
        try:
            portal.start()
            path = under_load(portal, directory, rounds)
            changed_bytes(portal, path, directory)
            portal.stop()
            large(portal, directory)
        finally:
            if portal.process:
                portal.kill()


if __name__ == "__main__":
    main()
