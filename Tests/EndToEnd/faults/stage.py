"""The stage of faults: portals with people in them, and the rules that hold for all faults."""

import shutil
import tempfile
import time
from contextlib import ExitStack, contextmanager
from functools import cached_property
from pathlib import Path

import plaintext
from portal import Portal
from postgresql.cluster import Cluster
from postgresql.patroni import Patroni
from postgresql.portals import ServedPortal
from town import Town

from faults.load import Crowd
from faults.report import Report

FAULTS = []
LONG_FORM = set()
SQLITE, POSTGRESQL = "SQLite", "PostgreSQL"


def fault(name, *engines, takes_long=False):
    """Makes a function a fault of portals on SQLite, or one for each of these engines: it gets the stage and returns
    its report. The short form leaves out those on PostgreSQL and those that take long even there, unless they are
    named."""
    def enlist(function):
        for engine in engines or [SQLITE]:
            label = name if engine == SQLITE else f"{name} ({engine})"
            FAULTS.append((label, lambda stage, engine=engine: function(stage.on(engine))))
            if takes_long or engine == POSTGRESQL:
                LONG_FORM.add(label)
        return function
    return enlist


class Stage:
    """One run of the faults, in its short or its long form."""

    def __init__(self, form):
        self.form = form
        self.engine = SQLITE
        self.directory = Path(tempfile.mkdtemp(prefix="polyclinic-faults-"))
        self.ends = ExitStack()

    def on(self, engine):
        """Returns the stage for portals on this engine."""
        self.engine = engine
        return self

    @cached_property
    def cluster(self):
        """The server that all portals on PostgreSQL share, started with the first of them."""
        return self.ends.enter_context(Cluster())

    @cached_property
    def patroni(self):
        """The servers of which another one follows the primary that dies."""
        return self.ends.enter_context(Patroni())

    def pick(self, short, long):
        return long if self.form == "long" else short

    def new_directory(self):
        return Path(tempfile.mkdtemp(dir=self.directory))

    @contextmanager
    def portal(self, directory=None, settings=None, sections=None, **others):
        """A portal of its own, ended by force when the body ends. `settings` are the server's, `sections`
        others of the configuration."""
        place = (directory or self.new_directory()) / "data"
        if self.engine == POSTGRESQL and "url" not in others:
            database = self.cluster.new_database()
            others |= {"database": database, "url": self.cluster.url(database)}
        portal = ServedPortal(place, **others) if "url" in others else Portal(place, **others)
        with running(portal):
            if settings or sections:
                configure(portal, settings or {}, sections or {})
            yield portal

    @contextmanager
    def town(self, **others):
        """A portal with the town of the demonstration in it."""
        with self.portal(options=["--demo"], **others) as portal:
            yield Town(portal)

    def clear(self):
        """Ends the servers, and takes away what is left on disk."""
        self.ends.close()
        shutil.rmtree(self.directory, ignore_errors=True)

    def note_recovery(self, report, sightings, began):
        """Keeps the longest of several recoveries."""
        report.seconds = max(report.seconds or 0, sightings.well_again(began))

    def judge(self, crowd, portal, began, report=None, failed_gets=0, failed_posts=0, within=1.0,
              checks=True, expected=(), may_wait=False):
        """Judges the rules of every fault: nothing acknowledged is lost or doubled, no page was wrong,
        nothing personal stands in any file, and soon all is well again. `within` is judged in the long
        form alone, `expected` is what would be odd elsewhere, and where one `may_wait`, to be told to
        come again is no failure."""
        report = report or Report()
        seen = crowd.sightings
        gets, posts = (
            len([one for one in seen.failed(method) if not (may_wait and one.status == 429)])
            for method in ("GET", "POST"))
        report.saw = ", ".join(f"{count} × {status}" for status, count in sorted(
            seen.statuses().items(), key=str))
        if began is not None:
            self.note_recovery(report, seen, began)
        report.audit = crowd.audit()
        for word, names in [("lost", report.audit.lost), ("doubled", report.audit.doubled),
                            ("nobody's", report.audit.foreign)]:
            report.require(not names, f"{len(names)} {word}: {names[:3]}")
        for oddity, count in seen.oddities().items():
            report.require(oddity in expected, f"{count} × {oddity}")
        if failed_gets is not None:
            report.require(gets <= failed_gets, f"{gets} failed GETs, {failed_gets} at most")
        if failed_posts is not None:
            report.require(posts <= failed_posts, f"{posts} failed POSTs, {failed_posts} at most")
        if self.form == "long":
            report.require(
                report.seconds <= within, f"well again after {report.seconds:.2f} s, {within} s at most")
        written = plaintext.found(portal.data, crowd.secrets())
        if self.engine == POSTGRESQL:
            written += plaintext.found_in({"its output": portal.output.read_bytes()}, crowd.secrets())
        report.require(not written, f"in plain text: {written[:3]}")
        if checks:
            check = portal.run("check")
            report.require(check.returncode == 0, f"check: {check.stdout}{check.stderr}")
        return report

    def judge_speed(self, crowd, report):
        """Of a hundred pages at most one takes longer than a second, of as many saves two."""
        pages, saves = crowd.sightings.slowest("GET", 0.99), crowd.sightings.slowest("POST", 0.99)
        report.saw += f"; p99 of pages {pages * 1000:.0f} ms, of saves {saves * 1000:.0f} ms"
        if self.form == "long":
            report.require(pages < 1, f"p99 of pages is {pages:.2f} s")
            report.require(saves < 2, f"p99 of saves is {saves:.2f} s")
        return report

    def crowd(self, portal):
        return Crowd(portal, self.pick(4, 8))


@contextmanager
def running(portal):
    """Starts a portal, and ends it by force when the body ends."""
    try:
        yield portal.start()
    finally:
        portal.kill()


def configure(portal, settings, sections):
    """Begins anew with these values in the configuration, since nginx's file is made of them too."""
    portal.stop()
    text = portal.configuration.read_text()
    text = text.replace("server:\n", "server:\n" + yaml(settings), 1)
    text += "".join(f"{name}:\n{yaml(section)}" for name, section in sections.items())
    portal.configuration.write_text(text)
    portal.start()


def yaml(section):
    return "".join(f"  {key}: {value}\n" for key, value in section.items())


def now():
    return time.monotonic()
