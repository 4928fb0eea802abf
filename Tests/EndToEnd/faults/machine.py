"""A clock that is set, and descriptors that run out."""

import os
import re
import shutil
import signal
import struct
import subprocess
import time
from datetime import datetime
from pathlib import Path

from waiting import until

from faults.killed import kill
from faults.report import Report, Skipped
from faults.stage import fault, now

@fault("the clock set an hour back and a day forward")
def clock(stage):
    directory = stage.new_directory()
    directory.chmod(0o755)
    setting = directory / "clock"
    environment = {"LD_PRELOAD": str(built(directory, "clock")), "CLOCK_OFFSET": str(setting)}
    write(setting, 0)
    with stage.portal(directory, environment=environment) as portal:
        crowd = stage.crowd(portal)
        with crowd.at_work():
            crowd.save_some(1)
            for seconds in [-3600, 0, 86_400, 0]:
                write(setting, seconds)
                assert shown_time(portal, seconds)
                crowd.save_some(2)
            last = now()
        # Sessions that were idle for a day are over: the form waits behind the sign-in, and who signs in
        # together with all others may be told to come again, as often as it takes.
        return stage.judge(
            crowd, portal, last, Report("-1 h, +1 d"), expected=["401 from /contacts/new"],
            may_wait=True)


def built(directory, name):
    """The library made of a C file beside this one, to be preloaded."""
    library = directory / f"{name}.so"
    compiler = shutil.which("cc") or shutil.which("clang")
    if compiler is None:
        raise Skipped("there is no C compiler")
    subprocess.run(
        [compiler, "-shared", "-fPIC", "-O1", "-o", library, Path(__file__).with_name(f"{name}.c")],
        check=True)
    return library


def write(setting, seconds):
    """In one piece and in place, since others have it mapped."""
    with setting.open("r+b" if setting.exists() else "wb", buffering=0) as file:
        file.write(struct.pack("=q", seconds))


def shown_time(portal, offset):
    """Returns True if the portal's own log bears the time that was set; otherwise nothing was tried."""
    before = len(portal.said)
    os.kill(portal.supervisor, signal.SIGHUP)
    begun = re.compile(r'^(\S+)Z \S+ supervisor "reload begins"', re.M)
    line = until(lambda: begun.search(portal.said, before), 30)
    until(lambda: "reload done" in portal.said[before:], 30)
    stamp = datetime.fromisoformat(line[1] + "+00:00").timestamp()
    return abs(stamp - time.time() - offset) < 60


@fault("descriptors exhausted")
def descriptors(stage):
    """The portal may open so few that its threads do not all get one."""
    with stage.portal(before=["prlimit", "--nofile=256:256"]) as portal:
        crowd = stage.crowd(portal)
        with crowd.at_work():
            for pid in portal.workers:
                bound = len(list(Path(f"/proc/{pid}/fd").iterdir())) + 1
                os.system(f"prlimit --pid {pid} --nofile={bound}:256")
            crowd.save_some(stage.pick(3, 50))
            kill(portal.workers[0])
            until(lambda: len(portal.workers) >= 2, 30)
            last = now()
        # Visitors who find none free are told to try again.
        return stage.judge(
            crowd, portal, last, Report("each worker"), failed_gets=None, failed_posts=None)
