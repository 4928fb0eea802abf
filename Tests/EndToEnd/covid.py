"""A portal whose COVID-19 figures come from a source that the test owns."""

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
    """A portal that trusts the certificate of its source, and has a directory of its own for temporary files."""

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
        """All figures as they are stored, and the refresh that they are from."""
        return [self.query(text) for text in (
            "SELECT * FROM covid_stats_countries ORDER BY country",
            "SELECT * FROM covid_stats_series ORDER BY country",
            "SELECT source, day, received_at, fetched_at FROM covid_stats_refresh")]

    def filled(self):
        """Returns when the first figures are stored."""
        until(lambda: self.stored()[0])
        return self

    def age(self, hours):
        """Has the stored figures be so much older; a request refreshes those of an hour, a job those of a day."""
        self.query("UPDATE covid_stats_refresh SET fetched_at = fetched_at - ?", hours * 3600)

    @property
    def fetching(self):
        """The processes that fetch from the source."""
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
        """Gives the command."""
        return self.run("covid-stats", "refresh")

    def press(self):
        """Presses the button, as somebody who is not signed in."""
        return Visitor(self).submit("/covid-stats", {}, REFRESH)

    def assert_nothing_left(self):
        assert self.fetching == []
        assert list(self.temporary.iterdir()) == []

    def assert_refused(self, words, *log):
        """A refresh fails for this reason, is told to the administrator and on the page, and changes nothing."""
        before = self.stored()
        told = self.refresh()
        assert told.returncode == 1 and told.stderr.startswith("the figures were not refreshed: "), told
        for word in log:
            assert word in told.stderr
        assert self.stored() == before
        shown = self.page
        assert "No new figures since" in shown and f": {words}. The stored ones are shown." in shown
        assert "159" in shown, "the stored figures are shown"
        self.assert_nothing_left()


@pytest.fixture(scope="module")
def identity(tmp_path_factory):
    """The certificate that sources show, and its key."""
    return upstream.certificate(tmp_path_factory.mktemp("identity"))


@pytest.fixture(scope="module")
def start(tmp_path_factory, identity):
    """Starts a portal with a source of its own; both end with the tests."""
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
