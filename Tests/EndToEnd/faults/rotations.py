"""Master keys that are replaced while people work."""

import subprocess
import time

from faults.load import Person
from faults.report import Report
from faults.stage import fault

UNFINISHED = "An older master key"


# Its progress lines: the key file is written, the portal's own key is wrapped, those of people.
STEPS = 3


def kill_behind(portal, steps):
    """Rotates the key, and kills the command as soon as it has told of so many steps."""
    with subprocess.Popen(
            portal.command_line("vault", "rotate"), stdout=subprocess.PIPE, text=True) as process:
        for _ in range(steps):
            process.stdout.readline()
        process.kill()


@fault("keys rotated, killed again and again, under load")
def rotated(stage):
    """Nobody notices, whatever step a rotation is killed at: neither those who are signed in, nor those
    who register meanwhile, whose keys are made in the middle of it."""
    times = stage.pick(short=6, long=60)
    report = Report(str(times))
    with stage.town() as town:
        portal = town.portal
        crowd = stage.crowd(portal)

        def rotate():
            return portal.run("vault", "rotate")

        keys = len(portal.key.read_text().splitlines())
        with crowd.at_work():
            began = time.monotonic()
            report.require(rotate().returncode == 0, "a rotation succeeds under load")
            left = 0
            for number in range(times):
                kill_behind(portal, number % (STEPS + 1))
                left += UNFINISHED in portal.run("check").stdout
                Person(portal, 50 + number, crowd.sightings)
                crowd.save_some(1)
            done = rotate()
            report.require(done.returncode == 0, f"the last rotation: {done.stderr}")
        report.require(left > times // 6, f"{left} of {times} were killed in the middle")
        report.require(UNFINISHED not in portal.run("check").stdout, "the last rotation is complete")
        made = len(portal.key.read_text().splitlines()) - keys
        report.require(made <= times + 2, f"{made} keys were made in {times + 2} rotations")
        stage.judge(crowd, portal, began, report, failed_gets=0, failed_posts=0)
        report.saw += f"; {left} killed in the middle"
        return report
