"""A portal that downloads COVID-19 figures from a server of the test."""

import sqlite3
from contextlib import closing, suppress
from pathlib import Path

import pytest

import upstream
from portal import Portal
from upstream import Upstream, answer
from visitor import Visitor
from waiting import until

GOOD = upstream.figures()
REFRESH = "/covid-stats/refresh"


class CovidPortal(Portal):
    """A portal that trusts the certificate of its source and has its own directory for temporary files."""

    def __init__(self, directory, source, certificate, settings):
        self.source = source
        self.temporary = directory.with_name(f"{directory.name}-temporary")
        self.temporary.mkdir()
        self.temporary.chmod(0o777)
        super().__init__(directory, environment={
            "CURL_CA_BUNDLE": str(certificate), "TMPDIR": str(self.temporary), "https_proxy": ""})
        settings = {"enabled": "true", "public": "true", "mirror": f'"{source.origin}"', **settings}
        self.data.mkdir()
        self.configuration.write_text(
            f'server:\n  origin: "{self.origin}"\nclinic: {{ time_zone: "Europe/Minsk" }}\n'
            "modules:\n  covid-stats:\n"
            + "".join(f"    {key}: {value}\n" for key, value in settings.items()))

    def query(self, text, *values):
        with closing(sqlite3.connect(self.database, timeout=10)) as database, database:
            return database.execute(text, values).fetchall()

    def stored(self):
        """Returns all stored figures and the row of their refresh."""
        return [self.query(text) for text in (
            "SELECT * FROM covid_stats_countries ORDER BY country",
            "SELECT * FROM covid_stats_series ORDER BY country",
            "SELECT source, day, received_at, fetched_at FROM covid_stats_refresh")]

    def filled(self):
        """Waits until the first figures are stored."""
        until(lambda: self.stored()[0])
        return self

    def age(self, hours):
        """Backdates the stored figures. A request refreshes them after an hour, the job after a day."""
        self.query("UPDATE covid_stats_refresh SET fetched_at = fetched_at - ?", hours * 3600)

    @property
    def fetching(self):
        """The ids of the processes that download from the source."""
        found = []
        for entry in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if f":{self.source.port}/".encode() in (entry / "cmdline").read_bytes():
                    found.append(int(entry.name))
        return found

    @property
    def page(self):
        return Visitor(self).get("/covid-stats").text

    def refresh(self):
        """Runs `polyclinic covid-stats refresh`."""
        return self.run("covid-stats", "refresh")

    def press(self):
        """Submits the refresh form as a guest."""
        return Visitor(self).submit("/covid-stats", {}, REFRESH)

    def assert_nothing_left(self):
        assert self.fetching == []
        assert list(self.temporary.iterdir()) == []

    def assert_refused(self, words, *log):
        """Asserts that a refresh fails, reports the reason on stderr and on the page, and changes no figures."""
        before = self.stored()
        told = self.refresh()
        assert told.returncode == 1 and told.stderr.startswith("the figures were not refreshed: "), told
        for word in log:
            assert word in told.stderr
        assert self.stored() == before
        shown = self.page
        assert "No new figures since" in shown and f": {words}. This page shows the last figures." in shown
        assert "159" in shown, "the stored figures are shown"
        self.assert_nothing_left()


@pytest.fixture(scope="module")
def identity(tmp_path_factory):
    """The TLS certificate of the sources and its key."""
    return upstream.certificate(tmp_path_factory.mktemp("identity"))


@pytest.fixture(scope="module")
def start(tmp_path_factory, identity):
    """Starts a portal with its own source; both end with the tests."""
    started = []

    def begin(directory=None, give=answer(GOOD), **settings):
        source = Upstream(identity)
        source.answer = give
        directory = directory or tmp_path_factory.mktemp("covid", numbered=True)
        certificate = directory / "upstream.pem"
        certificate.write_bytes(identity[0].read_bytes())
        certificate.chmod(0o644)
        portal = CovidPortal(directory / "data", source, certificate, settings)
        started.append(portal)
        return portal.start()

    yield begin
    for portal in started:
        portal.source.close()
        portal.kill()
