"""Master keys that are replaced while people work."""

import random
import time

from faults.load import Person
from faults.report import Report
from faults.stage import fault

UNFINISHED = "An older master key"


def rotate(portal, seconds=None):
    """Rotates the key; killed after so many seconds, if it takes as long."""
    before = ["timeout", "--signal=KILL", f"{seconds:.3f}"] if seconds else []
    return portal.run("vault", "rotate", before=before)


@fault("keys rotated, killed again and again, under load")
def rotated(stage):
    """Nobody notices, whatever step a rotation is killed at: neither those who are signed in, nor those
    who register meanwhile, whose keys are made in the middle of it."""
    times = stage.pick(short=6, long=60)
    report = Report(str(times))
    with stage.town() as town:
        portal = town.portal
        crowd = stage.crowd(portal)
        keys = len(portal.key.read_text().splitlines())
        with crowd.at_work():
            began = time.monotonic()
            report.require(rotate(portal).returncode == 0, "a rotation succeeds under load")
            whole = time.monotonic() - began
            killed, left = 0, 0
            for number in range(times):
                killed += rotate(portal, random.uniform(0.2, 1.1) * whole).returncode != 0
                left += UNFINISHED in portal.run("check").stdout
                Person(portal, 50 + number, crowd.sightings)
                crowd.save_some(1)
            done = rotate(portal)
            report.require(done.returncode == 0, f"the last rotation: {done.stderr}")
        report.require(
            stage.form == "short" or killed > times // 4, f"{killed} of {times} were killed")
        report.require(UNFINISHED not in portal.run("check").stdout, "the last rotation is complete")
        made = len(portal.key.read_text().splitlines()) - keys
        report.require(made <= times + 2, f"{made} keys were made in {times + 2} rotations")
        stage.judge(crowd, portal, began, report, failed_gets=0, failed_posts=0)
        report.saw += f"; {killed} killed, {left} of them in the middle"
        return report
