"""Releases that come and go while people work."""

import json
import subprocess
import time

from releases import Installed, await_copy, running, upgrade
from waiting import until

from faults.killed import is_whole, kill
from faults.report import Report
from faults.stage import fault


# Seconds after which a rollback is killed: it takes less than one when nothing else goes on.
MOMENTS = [moment / 10 for moment in range(1, 11)]


@fault("upgraded and rolled back, killed in between, under load")
def rolled_back(stage):
    """Nobody notices which release serves; whatever is killed, it is one whole release."""
    times = stage.pick(short=3, long=20)
    report = Report(str(times))
    installed = Installed(stage.new_directory())
    installed.install(0)
    with stage.portal(program=installed.program) as portal:
        await_copy(portal, installed)
        crowd = stage.crowd(portal)
        with crowd.at_work():
            began = time.monotonic()
            for number in range(1, times + 1):
                [before] = running(portal)
                upgrade(portal, installed, number)
                report.require(running(portal) == {number}, f"release {number} serves after an upgrade")
                go_back(portal, report)
                report.require(running(portal) == {before}, f"release {before} serves again")
                installed.install(number)
                report.require(portal.run("reload").returncode == 0, "it is installed once more")
                await_copy(portal, installed)
                kill_command(portal, MOMENTS[number % len(MOMENTS)])
                kill_supervisor(portal, number)
                until(lambda: is_whole(portal) and len(running(portal)) == 1, 60)
                report.require(running(portal) <= {before, number}, f"{before} or {number} serves")
                crowd.save_some(1)
        stage.judge(crowd, portal, began, report, failed_gets=0, failed_posts=0)
        return report


def go_back(portal, report):
    answer = portal.run("rollback")
    report.require(answer.returncode == 0, f"a rollback succeeds under load: {answer.stderr}")


def is_reloading(portal):
    try:
        return json.loads((portal.data / "run" / "status.json").read_text())["isReloading"]
    except (OSError, ValueError):
        return False


def kill_command(portal, seconds):
    """Kills a rollback a while after it began, wherever it is by then, and waits until all is quiet."""
    with subprocess.Popen(
            portal.command_line("rollback"), stderr=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL) as process:
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.kill()
    until(lambda: is_whole(portal) and not is_reloading(portal) and len(running(portal)) == 1, 60)


def kill_supervisor(portal, number):
    """Kills the supervisor while a rollback, or the way forward, is at work."""
    options = ["--undo"] if number not in running(portal) else []
    with subprocess.Popen(
            portal.command_line("rollback", *options), stderr=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL) as process:
        until(lambda: is_reloading(portal) or process.poll() is not None, 30)
        kill(portal.supervisor)
