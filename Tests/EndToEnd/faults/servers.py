"""PostgreSQL servers that lose their sessions, crash, or hand over to another one, while people work."""

from contextlib import contextmanager

import plaintext
from waiting import until

from faults.killed import THREADS
from faults.report import Report, Skipped
from faults.stage import POSTGRESQL, fault, now

# Seconds after which all must be well, from the moment at which a server takes writes.
WITHIN = 2
WORKERS = 2
# Of a worker: the main thread that opened the database, the reserve, and the one that tests it after a refusal.
MORE_THREADS = 3
# The jobs open the database for themselves, for backups and for the duties of a machine, which have a thread, too.
JOBS = 4
# The most sessions that a portal may have: each thread has one in each database that it has opened.
MOST_SESSIONS = WORKERS * (THREADS + MORE_THREADS) + JOBS
# Seconds for one request, and for what nginx and a busy machine add.
LIMIT, MORE = 30, 5


class Served:
    """People at work in a portal whose database is on a server."""

    def __init__(self, stage, portal, balancer=None):
        """Takes the balancer by which people reach the portal, if there is one."""
        self.stage = stage
        self.portal = portal
        self.crowd = stage.crowd(balancer or portal)
        self.workers = portal.workers
        # A server that is away costs people an answer, but nothing of what they saved.
        self.allowed = {200, 303, 503}

    def wait_for_failures(self):
        """Waits until people have met more failures than a short one would cause."""
        failed = len(self.crowd.sightings.failed("GET"))
        until(lambda: len(self.crowd.sightings.failed("GET")) > failed + 20)

    def judge(self, report, within=WITHIN):
        """Judges what holds however the database fails: no wrong answer, no request beyond its limit, no worker that
        had to be replaced, and no session of the database that stays."""
        report = self.stage.judge(
            self.crowd, self.portal, None, report, failed_gets=None, failed_posts=None, within=within)
        seen = self.crowd.sightings
        report.require(set(seen.statuses()) <= self.allowed, f"people saw {dict(seen.statuses())}")
        longest = max(one.took for one in seen.all)
        report.require(longest < LIMIT + MORE, f"an answer took {longest:.1f} s")
        report.saw += f", the slowest after {longest:.1f} s"
        report.require(self.portal.workers == self.workers, "the workers were replaced")
        sessions = len(self.portal.database.sessions())
        report.require(0 < sessions <= MOST_SESSIONS, f"{sessions} sessions are open")
        # The servers log the statements that fail.
        logs = {path: path.read_bytes() for path in self.portal.database.workspace.path.glob("*log")}
        written = plaintext.found_in(logs, self.crowd.secrets())
        report.require(logs and not written, f"in plain text: {written[:3]}")
        self.portal.stop()
        until(lambda: not self.portal.database.sessions())
        return report


@contextmanager
def served(stage, **others):
    with stage.portal(**others) as portal:
        yield Served(stage, portal)


def repeatedly(stage, fail, **others):
    """Has the server fail several times, and waits for the people to save again; `fail` returns the moment from which
    a server takes writes."""
    times = stage.pick(short=2, long=20)
    with served(stage, **others) as people:
        report = Report(f"{times}")
        with people.crowd.at_work():
            for _ in range(times):
                ready = fail(people.portal)
                people.crowd.save_some(1)
                stage.note_recovery(report, people.crowd.sightings, ready)
        return people.judge(report)


@fault("the server's sessions killed", POSTGRESQL)
def sessions(stage):
    """The server ends all other sessions, too, and recovers."""
    def fail(portal):
        before = portal.database.checkpointer()
        until(portal.database.kill_sessions)
        until(lambda: portal.database.checkpointer() not in (before, None))
        return now()

    return repeatedly(stage, fail)


@fault("the server crashed and started", POSTGRESQL)
def restarts(stage):
    def fail(_):
        stage.cluster.restart(immediate=True)
        return now()

    return repeatedly(stage, fail)


@fault("the server away for long", POSTGRESQL)
def absence(stage):
    """For longer than a request waits for it."""
    with served(stage) as people:
        report = Report()
        with people.crowd.at_work():
            with stage.cluster.away():
                people.wait_for_failures()
            ready = now()
            people.crowd.save_some(1)
            stage.note_recovery(report, people.crowd.sightings, ready)
        return people.judge(report)


@fault("the primary died, its Patroni with it each other time", POSTGRESQL)
def failover(stage):
    """No acknowledged commit is lost, because each has reached the standby that follows."""
    patroni = stage.patroni
    patroni.wait_until_whole()
    database = patroni.new_database()
    turn = iter(range(1_000))

    def fail(_):
        patroni.wait_until_whole()
        with_patroni = next(turn) % 2
        former = patroni.crash_member() if with_patroni else patroni.crash_server()
        ready = patroni.next_primary(former)
        if with_patroni:
            patroni.start(former)
        return ready

    return repeatedly(
        stage, fail, database=database, url=patroni.url(database), password=patroni.password)


@fault("the primary handed over", POSTGRESQL)
def switchover(stage):
    if stage.pick(short=True, long=False):
        raise Skipped("in the long form alone")
    patroni = stage.patroni
    patroni.wait_until_whole()
    database = patroni.new_database()

    def fail(_):
        patroni.wait_until_whole()
        return patroni.next_primary(patroni.hand_over())

    return repeatedly(
        stage, fail, database=database, url=patroni.url(database), password=patroni.password)
