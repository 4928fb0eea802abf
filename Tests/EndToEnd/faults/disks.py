"""Disks that fill up, and disks that stop from one moment to the next."""

import errno
import fcntl
import os
import sqlite3
import struct
import subprocess
import threading
from contextlib import ExitStack, closing, contextmanager

from visitor import Visitor
from waiting import until

from faults.killed import kill
from faults.machine import built
from faults.report import Report, Skipped
from faults.stage import fault, now

# linux/fs/ext4/ext4.h: _IOR('X', 125, __u32); with NOLOGFLUSH nothing that was not on disk gets there.
EXT4_IOC_SHUTDOWN = 0x8004587D
NOLOGFLUSH = 2


class Disk:
    """A file system of its own in a file, of so many megabytes."""

    def __init__(self, directory, megabytes):
        self.image = directory / "disk.img"
        self.mounted = directory / "mounted"
        self.mounted.mkdir()
        with self.image.open("wb") as file:
            file.truncate(megabytes << 20)
        run("mkfs.ext4", "-q", "-m", "0", self.image)

    def mount(self):
        run("mount", "-o", "loop", self.image, self.mounted)
        self.mounted.chmod(0o755)

    def unmount(self):
        until(lambda: subprocess.run(
            ["umount", self.mounted], capture_output=True).returncode == 0, 30)

    def cut_power(self):
        descriptor = os.open(self.mounted, os.O_RDONLY)
        try:
            fcntl.ioctl(descriptor, EXT4_IOC_SHUTDOWN, NOLOGFLUSH.to_bytes(4, "little"))
        finally:
            os.close(descriptor)


def run(*command):
    """Runs a command that may not be allowed here."""
    try:
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    except FileNotFoundError as error:
        raise Skipped(f"{command[0]} is missing") from error
    if done.returncode:
        raise Skipped(f"{command[0]}: {done.stderr.strip()}")


@contextmanager
def mounted(stage, megabytes):
    if os.geteuid() != 0:
        raise Skipped("only root may mount a disk")
    directory = stage.new_directory()
    # nginx's workers, who are not root, pass through to the socket.
    for path in [stage.directory, directory]:
        path.chmod(0o755)
    disk = Disk(directory, megabytes)
    disk.mount()
    try:
        yield disk
    finally:
        subprocess.run(["umount", "--lazy", disk.mounted], capture_output=True)


class LogRestarts:
    """Another process of the database, which moves the whole log to it again and again, so that the next
    commit begins the log anew."""

    def __init__(self, database):
        self.count = 0
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._restart, args=(database,))

    def _restart(self, database):
        with closing(sqlite3.connect(database, timeout=5)) as connection:
            while not self._stopping.wait(0.01):
                try:
                    busy, _, _ = connection.execute("PRAGMA wal_checkpoint(RESTART)").fetchone()
                except sqlite3.DatabaseError:
                    # The disk is without power, and reads fail or end early. The portal's own check
                    # judges the database afterwards.
                    return
                self.count += not busy

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._stopping.set()
        self._thread.join()


class Syncs:
    """The syncs of a portal's processes, made slow or failing while they run."""

    def __init__(self, stage):
        directory = stage.new_directory()
        directory.chmod(0o755)
        self.setting = directory / "fault"
        self.setting.write_bytes(bytes(8))
        self.environment = {
            "LD_PRELOAD": str(built(directory, "sync")), "SYNC_FAULT": str(self.setting)}

    def set(self, milliseconds=0, error=0):
        # In place, because the processes have the file mapped.
        with self.setting.open("r+b", buffering=0) as file:
            file.write(struct.pack("=ii", milliseconds, error))


@fault("power cut")
def power(stage):
    """The disk loses everything that was not synced; processes die; all is mounted again."""
    return cut(stage)


@fault("power cut while the log begins anew")
def power_in_restarts(stage):
    """As before, with the log emptied again and again by another process."""
    return cut(stage, restarting=True)


@fault("power cut between commits and their sync")
def power_before_sync(stage):
    """As before, with syncs so slow that in each moment commits wait for one."""
    return cut(stage, milliseconds=40)


def cut(stage, milliseconds=0, restarting=False):
    times = stage.pick(short=2, long=20)
    report = Report(str(times))
    restarts = 0
    syncs = Syncs(stage)
    with mounted(stage, 64) as disk, \
            stage.portal(disk.mounted, environment=syncs.environment) as portal:
        crowd = stage.crowd(portal)
        for _ in range(times):
            syncs.set(milliseconds)
            with crowd.at_work(to_the_end=False), ExitStack() as others:
                log = others.enter_context(LogRestarts(portal.database)) if restarting else None
                # Several rounds in one checkpoint, and checkpoints in some of them.
                crowd.save_some(stage.pick(short=2, long=6))
                for person in crowd.people:
                    person.ledger.is_closed = True
                disk.cut_power()
                kill(*portal.family)
                portal.process.wait(60)
            restarts += log.count if log else 0
            syncs.set()
            disk.unmount()
            disk.mount()
            began = now()
            for person in crowd.people:
                person.ledger.is_closed = False
            portal.start()
            report.seconds = max(report.seconds or 0, now() - began)
            audit = crowd.audit()
            report.require(audit.is_clean, f"lost {audit.lost[:3]}, doubled {audit.doubled[:3]}")
        # While there is no nginx, connections are refused: that is what a power cut looks like.
        stage.judge(crowd, portal, None, report, failed_gets=None, failed_posts=None)
        if restarting:
            report.require(restarts >= times, "the log begins anew between two power cuts")
            report.saw += f"; the log began anew {restarts} times"
        return report


@fault("syncs that fail")
def failing_syncs(stage):
    """Nothing is acknowledged any more, not even when syncs succeed again, until the portal is restarted;
    pages go on."""
    syncs = Syncs(stage)
    with stage.portal(environment=syncs.environment) as portal:
        crowd = stage.crowd(portal)
        with crowd.at_work(to_the_end=False):
            crowd.save_some(2)
            syncs.set(error=errno.EIO)
            seen = crowd.sightings
            until(lambda: len(seen.failed("POST")) >= 20, 60)
            syncs.set()
            assert Visitor(portal).get("/login").status == 200
        assert "could not be synced" in portal.said
        portal.stop()
        portal.start()
        began = now()
        with crowd.at_work():
            crowd.save_some(1)
        return stage.judge(crowd, portal, began, failed_gets=None, failed_posts=None)


@fault("disk full")
def full(stage):
    """A form that cannot be stored is refused and comes back filled in, and pages go on."""
    with mounted(stage, 24) as disk, stage.portal(disk.mounted) as portal:
        crowd = stage.crowd(portal)
        filling = disk.mounted / "filling"
        with crowd.at_work():
            with filling.open("wb", buffering=0) as file:
                fill(file)
                seen = crowd.sightings
                until(lambda: len(seen.failed("POST")) >= 10, 60)
                fill(file)
                assert Visitor(portal).get("/login").status == 200
            filling.unlink()
            began = now()
        return stage.judge(crowd, portal, began, failed_posts=None)


def fill(file):
    """Writes until there is no room for one more byte."""
    for size in [1 << 20, 4096, 1]:
        try:
            while file.write(bytes(size)):
                pass
        except OSError:
            continue
