"""A module in which everything goes wrong, beside one in which nothing should."""

import os
import re
from pathlib import Path

from portal import PROGRAM
from waiting import until

from faults.load import KeptVisitor
from faults.report import Report
from faults.stage import fault, now

THREADS = 4


def faulty_program():
    program = Path(PROGRAM).with_name("faulty-portal")
    if not os.access(program, os.X_OK):
        raise FileNotFoundError(f"swift build --product {program.name}")
    return program


def beside(stage, path, times, may_kill, limit=3, answer=None):
    """Asks for a page of the faulty module, several times, while people work with another; each time
    may take so many workers along, and the answer is this one where it is known."""
    with stage.portal(program=faulty_program(), settings={"max_request_seconds": limit}) as portal:
        crowd = stage.crowd(portal)
        asker = KeptVisitor(portal, address="127.0.0.9").register("asker")
        with crowd.at_work():
            statuses = []
            for _ in range(times):
                statuses.append(asker.get(path).status)
                crowd.save_some(1)
            last = now()
            until(lambda: len(portal.workers) >= 2 and portal.pids(" jobs "), 30)
        died = len(re.findall(r"ended unasked.*worker", portal.said))
        report = stage.judge(
            crowd, portal, last, Report(f"{times}"), failed_posts=THREADS * died, checks=False)
        report.require(died <= may_kill * times, f"{died} workers died, {may_kill * times} at most")
        report.require(answer is None or set(statuses) == {answer},
                       f"asked for it {statuses}, {answer} expected")
        report.saw += f"; asked for it {statuses}"
        return report


@fault("a handler, a card, a check and a job throw")
def throws(stage):
    with stage.portal(program=faulty_program()) as portal:
        crowd = stage.crowd(portal)
        asker = KeptVisitor(portal, address="127.0.0.9").register("asker")
        with crowd.at_work():
            began = now()
            report = Report()
            report.require(asker.get("/faulty/throws").status == 500, "a handler that throws gets 500")
            home = asker.get("/")
            report.require(home.status == 200, "a card that throws leaves the dashboard")
            doctor = portal.run("module", "doctor")
            report.require(doctor.returncode == 1 and "the check itself failed" in doctor.stdout,
                           f"the doctor names the check: {doctor.stdout}{doctor.stderr}")
            for job in ["throws", "loops", "hoards"]:
                until(lambda: f'job="faulty/{job}"' in portal.said or f"job=faulty/{job}" in portal.said, 60)
            until(lambda: portal.pids(" jobs "), 30)
        # Its own check is broken, so that of the whole does not pass.
        return stage.judge(crowd, portal, began, report, checks=False)


@fault("a handler loops")
def loops(stage):
    return beside(stage, "/faulty/loops", times=1, may_kill=2)


@fault("a handler takes all memory")
def hoards(stage):
    return beside(stage, "/faulty/hoards", times=stage.pick(1, 5), may_kill=4, limit=30)


@fault("a handler calls itself for ever")
def overflows(stage):
    return beside(
        stage, "/faulty/overflows", times=stage.pick(1, 5), may_kill=2, limit=30, answer=500)


@fault("large answers that nobody reads")
def large(stage):
    """As many as there are threads, twice over: nginx takes them, so that threads are free again."""
    with stage.portal(program=faulty_program()) as portal:
        crowd = stage.crowd(portal)
        asker = KeptVisitor(portal, address="127.0.0.9").register("asker")
        lazy = []
        with crowd.at_work():
            for _ in range(4 * THREADS):
                connection = KeptVisitor(portal, address="127.0.0.8").connect()
                connection.request("GET", "/faulty/large", headers={
                    "Cookie": "; ".join(f"{name}={value}" for name, value in asker.cookies.items())})
                lazy.append(connection)
            last = now()
            crowd.save_some(stage.pick(3, 50))
        for connection in lazy:
            connection.close()
        return stage.judge(crowd, portal, last, Report(f"{len(lazy)}"), checks=False)
