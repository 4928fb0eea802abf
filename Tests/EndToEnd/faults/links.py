"""A link between portal and database that is slow or breaks, while people work."""

import os
from contextlib import contextmanager

from postgresql.cluster import Cluster, socket_url
from postgresql.forwarder import Cut, Forwarder
from waiting import until

from faults.killed import kill
from faults.report import Report, Skipped
from faults.servers import MOST_SESSIONS, WITHIN, Served
from faults.stage import POSTGRESQL, fault, now

# Seconds by which each answer of a slow link is late.
DELAY = 0.2
# The share of the server's messages at which a bad link breaks.
CHANCE = 0.002
SEED = 20


@contextmanager
def linked(stage):
    """A portal that reaches its database by a forwarder, and the people in it."""
    database = stage.cluster.new_database()
    directory = stage.new_directory()
    server = stage.cluster.host / f".s.PGSQL.{stage.cluster.port}"
    with (Forwarder(directory, server, SEED) as forwarder,
          stage.portal(database=database, url=socket_url(database.name, directory, 5432)) as portal):
        yield Link(stage, forwarder, Served(stage, portal))


class Link:
    def __init__(self, stage, forwarder, people):
        self.stage = stage
        self.forwarder = forwarder
        self.people = people
        self.crowd = people.crowd

    def judge(self, report, since):
        """Judges after the link is good again, since this moment."""
        self.stage.note_recovery(report, self.crowd.sightings, since)
        connections = len(self.forwarder.connections)
        report.require(0 < connections <= MOST_SESSIONS, f"{connections} connections are open")
        report = self.people.judge(report)
        until(lambda: not self.forwarder.connections)
        if self.forwarder.broken:
            report.saw += f", {self.forwarder.broken} connections broke"
        return report


@fault("a link that is slow by 200 ms", POSTGRESQL)
def slow(stage):
    times = stage.pick(1, 5)
    with linked(stage) as link:
        with link.crowd.at_work():
            link.forwarder.delay = DELAY
            for _ in range(times):
                link.crowd.save_some(1)
            link.forwarder.delay = 0
            since = now()
            link.crowd.save_some(1)
        report = Report(f"{times}")
        report.require(not link.crowd.sightings.failed("GET"), "a slow link fails no page")
        return link.judge(report, since)


@fault("all connections dropped", POSTGRESQL)
def dropped(stage):
    times = stage.pick(3, 20)
    with linked(stage) as link:
        with link.crowd.at_work():
            for _ in range(times):
                link.forwarder.drop_all()
                since = now()
                link.crowd.save_some(1)
        return link.judge(Report(f"{times}"), since)


@fault("connections that break by chance", POSTGRESQL)
def by_chance(stage):
    with linked(stage) as link:
        with link.crowd.at_work():
            link.forwarder.chance = CHANCE
            for _ in range(stage.pick(1, 20)):
                link.crowd.save_some(3)
            until(lambda: link.forwarder.broken)
            link.forwarder.chance = 0
            since = now()
            link.crowd.save_some(1)
        return link.judge(Report(f"{link.forwarder.broken}"), since)


@fault("connections that break amid COMMIT", POSTGRESQL)
def amid_commit(stage):
    """The portal asks the server whether it has committed, and says what is so."""
    times = stage.pick(3, 20)
    with linked(stage) as link:
        with link.crowd.at_work():
            for _ in range(times):
                for cut in Cut:
                    link.forwarder.cut_commits(cut)
                    until(lambda: not link.forwarder.cuts)
                link.crowd.save_some(1)
            since = now()
        report = link.judge(Report(f"{times} × {len(Cut)}"), since)
        # Whether a transaction was committed can be asked, so that nobody is told to look.
        report.require(not link.crowd.sightings.failed("POST"), "each save is answered")
        return report


@fault("the server crashed before it read COMMIT", POSTGRESQL)
def crashed(stage):
    """It gives the number of that transaction to the next one, which may be committed."""
    times = stage.pick(5, 20)
    with linked(stage) as link:
        database, report = link.people.portal.database, Report(f"{times}")
        with link.crowd.at_work():
            for _ in range(times):
                victim = database.checkpointer()
                link.forwarder.before_cut = lambda victim=victim: kill(victim)
                link.forwarder.cut_commits(Cut.BEFORE)
                until(lambda: not link.forwarder.cuts)
                until(lambda: database.checkpointer() not in (victim, None))
                since = now()
                link.crowd.save_some(1)
                stage.note_recovery(report, link.crowd.sightings, since)
        return link.judge(report, since)


@fault("a link that is cut without a word", POSTGRESQL)
def cut(stage):
    """Nobody is told that the other end is gone: what was sent is never confirmed, by TCP either."""
    if os.geteuid() != 0:
        raise Skipped("only root can make a network")
    with Cluster(password="a password of a network", apart=True) as cluster:
        database = cluster.new_database()
        with stage.portal(database=database, url=cluster.url(database), password=cluster.password) as portal:
            people, report = Served(stage, portal), Report()
            with people.crowd.at_work():
                cluster.namespace.cut()
                people.wait_for_failures()
                cluster.namespace.mend()
                since = now()
                people.crowd.save_some(1)
                stage.note_recovery(report, people.crowd.sightings, since)
            # An attempt to connect that began before takes two seconds more.
            return people.judge(report, within=WITHIN + 2)
