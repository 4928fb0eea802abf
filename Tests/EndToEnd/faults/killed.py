"""Processes that die from one moment to the next."""

import os
import signal
import time
from contextlib import suppress

from waiting import until

from faults.report import Report
from faults.stage import POSTGRESQL, SQLITE, fault, now

THREADS = 4


def kill(*pids):
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


@fault("a worker killed each 200 ms", SQLITE, POSTGRESQL)
def workers(stage):
    with stage.portal() as portal:
        crowd = stage.crowd(portal)
        killed = 0
        with crowd.at_work():
            end = now() + stage.pick(short=3, long=60)
            while now() < end:
                time.sleep(0.2)
                kill(*portal.workers[:1])
                killed += 1
            last = now()
        # A page that was half on its way cannot be asked for again, nor one that met only workers that died.
        return stage.judge(
            crowd, portal, last, Report(f"{killed}"), failed_gets=max(1, killed // 50),
            failed_posts=THREADS * killed)


# A supervisor that dies ten times in ten seconds dies of its start, and is not started again.
APART = 1


def repeatedly(stage, victims, threads=0, failed_gets=0, apart=0):
    """Kills what `victims` names, several times, each time when all is well again and so many seconds
    have passed."""
    times = stage.pick(short=2, long=20)
    with stage.portal() as portal:
        crowd = stage.crowd(portal)
        report = Report(f"{times}")
        with crowd.at_work():
            for _ in range(times):
                began = now()
                dying = victims(portal)
                kill(*dying)
                until(lambda: not set(dying) & set(portal.pids("")) and is_whole(portal), 60)
                crowd.save_some(1)
                stage.note_recovery(report, crowd.sightings, began)
                time.sleep(apart)
        return stage.judge(
            crowd, portal, None, report, failed_gets=failed_gets, failed_posts=threads and times * threads)


def is_whole(portal):
    return len(portal.workers) >= 2 and portal.pids(" jobs ") and portal.supervisor


@fault("the jobs killed")
def jobs(stage):
    return repeatedly(stage, lambda portal: portal.pids(" jobs "))


@fault("all workers killed at once")
def all_workers(stage):
    return repeatedly(stage, lambda portal: portal.workers, threads=2 * THREADS)


@fault("the supervisor killed")
def supervisor(stage):
    return repeatedly(stage, lambda portal: [portal.supervisor], apart=APART)


@fault("supervisor, workers and jobs killed at once", SQLITE, POSTGRESQL)
def everything(stage):
    def victims(portal):
        return [portal.supervisor, *portal.workers, *portal.pids(" jobs ")]

    # Nobody listens until the next supervisor does: who comes meanwhile is told when to try again.
    return repeatedly(stage, victims, threads=None, failed_gets=None, apart=APART)
