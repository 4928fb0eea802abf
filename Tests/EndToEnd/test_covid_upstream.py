"""A source of COVID-19 figures fails in every way, or means harm: what is stored stays, and it is told why."""

import os
import pwd
import re
import sqlite3
import time
from contextlib import closing, suppress
from pathlib import Path

import pytest

import upstream
from portal import Portal
from test_root import BARE, reaches_the_program, rights
from upstream import COUNTRIES, Upstream, answer, figures, redirect
from visitor import Visitor
from waiting import until

GOOD = figures()
REFRESH = "/covid-stats/refresh"


@pytest.fixture(scope="module")
def directory(tmp_path_factory):
    return tmp_path_factory.mktemp("upstream")


@pytest.fixture(scope="module")
def identity(directory):
    return upstream.certificate(directory)


@pytest.fixture(scope="module")
def start(directory, identity):
    """Starts a portal whose figures come from a source of its own; both end with the tests."""
    started = []

    def begin(place=None, give=answer(GOOD), **settings):
        source = Upstream(identity)
        source.answer = give
        name = f"portal-{len(started)}"
        temporary = (place or directory) / f"{name}-temporary"
        temporary.mkdir()
        temporary.chmod(0o777)
        made = identity[0]
        if place:
            made = place / "upstream.pem"
            made.write_bytes(identity[0].read_bytes())
            made.chmod(0o644)
        portal = Portal((place or directory) / name, environment={
            "CURL_CA_BUNDLE": str(made), "TMPDIR": str(temporary), "https_proxy": ""})
        settings = {"enabled": "true", "public": "true", "mirror": f'"{source.origin}"', **settings}
        portal.data.mkdir()
        portal.configuration.write_text(
            f'server:\n  origin: "{portal.origin}"\nclinic: {{ time_zone: "Europe/Minsk" }}\n'
            "modules:\n  covid-stats:\n"
            + "".join(f"    {key}: {value}\n" for key, value in settings.items()))
        started.append((portal, source))
        portal.source, portal.temporary = source, temporary
        return portal.start()

    yield begin
    for portal, source in started:
        source.close()
        portal.kill()


@pytest.fixture(scope="module")
def portal(start):
    """A portal that has fetched good figures."""
    portal = start()
    until(lambda: stored(portal)[0])
    return portal


def query(portal, text, *values):
    with closing(sqlite3.connect(portal.database, timeout=10)) as database, database:
        return database.execute(text, values).fetchall()


def stored(portal):
    """All figures as they are stored, and the refresh that they are from."""
    return [query(portal, text) for text in (
        "SELECT * FROM covid_stats_countries ORDER BY country",
        "SELECT * FROM covid_stats_series ORDER BY country",
        "SELECT source, day, received_at, fetched_at FROM covid_stats_refresh")]


def age(portal, hours=100):
    """Has the stored figures be so much older."""
    query(portal, "UPDATE covid_stats_refresh SET fetched_at = fetched_at - ?", hours * 3600)


def fetching(portal):
    """The processes that fetch from the portal's source."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if f":{portal.source.port}/".encode() in (entry / "cmdline").read_bytes():
                found.append(int(entry.name))
    return found


def page(portal):
    return Visitor(portal).get("/covid-stats").text


def refresh(portal, *options):
    return portal.run("covid-stats", "refresh", *options)


def press(portal):
    """Presses the button, as somebody who is not signed in."""
    return Visitor(portal).submit("/covid-stats", {}, REFRESH)


def assert_nothing_left(portal):
    assert fetching(portal) == []
    assert list(portal.temporary.iterdir()) == []


def assert_refused(portal, words, *log):
    """A refresh fails for this reason, is told to the administrator and on the page, and changes nothing."""
    before = stored(portal)
    told = refresh(portal)
    assert told.returncode == 1 and told.stderr.startswith("the figures were not refreshed: "), told
    for word in log:
        assert word in told.stderr
    assert stored(portal) == before
    shown = page(portal)
    assert "No new figures since" in shown and f": {words}. The stored ones are shown." in shown
    assert "159" in shown, "the stored figures are shown"
    assert_nothing_left(portal)


# How the source fails; what the page says, and the log.
REFUSED = {
    "a-page": (answer(b"<!DOCTYPE html><title>Sorry</title>", Content_Type="text/html"),
               "the source has sent something else than figures", "line 1: the column Date_reported is missing"),
    "an-empty-answer": (answer(b""), "the source has sent something else than figures", "nothing is in it"),
    "an-error": (answer(GOOD, "500 Internal Server Error"), "the source answers with an error", "HTTP status 500"),
    "nothing-there": (answer(GOOD, "404 Not Found"), "the source answers with an error", "HTTP status 404"),
    "no-content": (answer(b"", "204 No Content"), "the source answers with an error", "HTTP status 204"),
    "a-cut-off-answer": (upstream.cut_off(GOOD), "the source cannot be reached, or the connection broke off",
                         "unreachable (curl ended with 18)"),
    "chunks-without-an-end": (upstream.endless_chunks(GOOD),
                              "the source cannot be reached, or the connection broke off", "unreachable"),
    "no-answer": (lambda *_: None, "the source cannot be reached, or the connection broke off", "unreachable"),
    "no-http": (lambda _, connection: connection.sendall(b"figures\n" * 9),
                "they could not be fetched", "failed (curl ended with 1)"),
    "an-endless-answer": (upstream.endless, "the source has sent too much", "large"),
    "a-bomb": (upstream.bomb(), "the source has sent too much", "large"),
    "a-length-of-gigabytes": (upstream.length_of_gigabytes, "the source has sent too much", "large"),
    "no-gzip": (answer(GOOD, Content_Encoding="gzip"), "the source has sent something else than figures",
                "unreadable"),
    "headers-without-an-end": (upstream.endless_headers,
                               "the source cannot be reached, or the connection broke off", "unreachable"),
    "half-the-columns": (answer(re.sub(rb"(,[^,\n]*){4}$", b"", GOOD, flags=re.M)),
                         "the source has sent something else than figures", "the column New_cases is missing"),
    "a-row-without-its-end": (answer(GOOD[:-9]), "the source has sent something else than figures",
                              "has not as many values as there are columns"),
    "two-reports-of-a-day": (answer(GOOD + GOOD.splitlines(True)[-1]),
                             "the source has sent something else than figures", "two records of one day"),
    "zero-bytes-in-numbers": (answer(GOOD.replace(b",100,", b",1\x0000,")),
                              "the source has sent something else than figures", "a count is not a number"),
    "the-day-after-tomorrow": (answer(figures(until=upstream.day_after_tomorrow())),
                               "the source has sent something else than figures", "in the future"),
    "half-the-countries": (answer(figures(COUNTRIES[:8])), "the source has sent something else than figures",
                           "figures of 8 countries"),
    "a-line-without-an-end": (answer(GOOD + b"1" * (3 << 20)), "the source has sent something else than figures",
                              "longer than any line"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_no_whole_file_of_figures_changes_nothing_and_is_told(portal, case):
    give, words, *log = REFUSED[case]
    portal.source.answer = give
    assert_refused(portal, words, *log)


@pytest.fixture(scope="module")
def elsewhere(identity):
    """A host that nobody is to be led to, whose certificate is right; it sends good figures."""
    other = Upstream(identity, "127.0.0.2")
    other.answer = answer(figures(days=9))
    yield other
    other.close()


@pytest.fixture(scope="module")
def plain():
    """A host without TLS."""
    other = Upstream()
    other.answer = answer(figures(days=9))
    yield other
    other.close()


def test_no_redirect_leads_to_another_host(portal, elsewhere, plain):
    before = stored(portal)
    source = portal.source
    for address in [
        elsewhere.origin + "/figures.csv", "https://10.0.0.1/", "https://[::1]/", "https://localhost/",
        plain.origin + "/figures.csv", "file:///etc/passwd", f"https://localhost:{source.port}@127.0.0.2:1/",
        f"//127.0.0.2:{elsewhere.port}/", f"https://localhost:{source.port}\\@127.0.0.2:{elsewhere.port}/",
        f"{elsewhere.origin}/{'x' * 90_000}", "",
    ]:
        source.answer = redirect(address)
        source.asked.clear()
        told = refresh(portal)
        assert told.returncode == 1 and re.search("elsewhere|refused|unreachable|failed", told.stderr), address
        assert len(source.asked) == 1, address
        assert stored(portal) == before
    assert_nothing_left(portal)
    assert elsewhere.asked == [] and plain.asked == []
    source.answer = redirect(elsewhere.origin)
    assert_refused(portal, "the source leads to another address", "elsewhere")


def test_redirects_at_the_same_host_are_followed_three_times(portal):
    portal.source.asked.clear()
    portal.source.answer = redirect("/again", "307 Temporary Redirect")
    assert_refused(portal, "the source answers with an error", "more than 3 redirects")
    assert len(portal.source.asked) == 4

    def moved(source, connection):
        give = answer(GOOD) if len(source.asked) > 3 else redirect(f"/{len(source.asked)}")
        give(source, connection)

    portal.source.asked.clear()
    portal.source.answer = moved
    assert refresh(portal).returncode == 0


def test_a_source_that_is_gone_or_is_another_is_told(portal, directory):
    source = portal.source
    source.close()
    assert_refused(
        portal, "the source cannot be reached, or the connection broke off",
        "unreachable (curl ended with 7)")
    source.open()
    trusted = source.context
    source.context = upstream.context(upstream.certificate(directory, "stranger"))
    try:
        assert_refused(portal, "the source has no valid certificate", "certificate")
    finally:
        source.context = trusted


def test_a_source_that_sends_a_byte_a_second_is_given_up(portal):
    portal.source.released.clear()
    portal.source.answer = upstream.trickle
    assert_refused(portal, "the source answers too slowly", "slow")
    portal.source.released.set()


def test_good_figures_are_taken_after_all_that(portal):
    """The media type does not matter, since mirrors name several; names in broken encodings are not read."""
    def new(code, day):
        return -500 if (code, day) == ("RU", 59) else 7

    names = figures([*COUNTRIES, "XJ"], row=new).replace(b",Name,", b",C\xf4te\xff \x00d'Ivoire,")
    portal.source.answer = answer(names, Content_Type="image/png")
    told = refresh(portal)
    assert (told.returncode, told.stdout) == (0, f"{len(COUNTRIES)} countries fetched.\n"), told
    codes = {row[0]: row for row in stored(portal)[0]}
    assert "XK" in codes and "NA" in codes and "XJ" not in codes
    assert codes["RU"][2] == -500
    shown = page(portal)
    assert "No new figures since" not in shown and re.search("[-−]500", shown)
    portal.source.answer = answer(GOOD)
    assert refresh(portal).returncode == 0


def test_where_there_is_no_room_for_the_file_it_is_told(start, small_disk):
    portal = start()
    until(lambda: stored(portal)[0])
    portal.environment["TMPDIR"] = str(small_disk)
    portal.temporary = small_disk
    portal.source.answer = upstream.endless
    assert_refused(portal, "the server has no room to store them", "no-room")
    portal.environment["TMPDIR"] = str(small_disk / "missing")
    portal.source.asked.clear()
    assert "no-room (No such file or directory)" in refresh(portal).stderr
    assert portal.source.asked == []


def test_the_job_fails_as_the_command_does_and_tries_again_later(start):
    portal = start(give=answer(b"<html>no figures</html>"))
    until(lambda: "job failed" in portal.said)
    line = next(line for line in portal.said.splitlines() if "job failed" in line)
    assert re.search(
        r'error jobs "job failed" error="the figures were not refreshed: line 1: the column Date_reported is '
        r'missing" job=covid-stats/refresh retry="60 s"', line), line
    assert "no figures" not in portal.said, "the file is not quoted"
    assert "No figures could be fetched since" in page(portal)
    checked = portal.run("check")
    assert checked.returncode == 0 and "no refresh has succeeded for 0 h (unreadable)" in checked.stdout
    assert_nothing_left(portal)
    # The command is no job, and waits for nothing.
    portal.source.answer = answer(GOOD)
    assert refresh(portal).returncode == 0
    assert "No figures could be fetched" not in page(portal)


def test_the_button_answers_at_once_and_the_page_shows_what_came_of_it(start):
    portal = start()
    until(lambda: stored(portal)[0])
    # What is fresh is not fetched again.
    portal.source.asked.clear()
    press(portal)
    assert "being fetched" not in page(portal)
    age(portal)
    before = stored(portal)
    portal.source.answer = upstream.hang
    pressed = press(portal)
    assert (pressed.status, pressed.location) == (303, "/covid-stats")
    assert "New figures are being fetched" in page(portal) and "159" in page(portal)
    until(lambda: portal.source.asked)
    # Nobody starts a second one meanwhile, and the file has no name that somebody could put a link at.
    assert REFRESH not in page(portal)
    assert list(portal.temporary.iterdir()) == []
    assert len(fetching(portal)) == 1
    portal.source.released.set()
    until(lambda: "No new figures since" in page(portal))
    assert "the source cannot be reached, or the connection broke off" in page(portal)
    assert "job=covid-stats/refresh-asked" in portal.said
    assert stored(portal) == before
    assert_nothing_left(portal)
    # Somebody who asks again before the pause after a failure is over reads so.
    press(portal)
    assert "After a failure the next attempt starts within an hour" in page(portal)
    assert "No new figures since" in page(portal)


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
def test_the_page_in_a_browser_shows_new_figures_when_they_are_here(start, browsers, scripts):
    portal = start()
    until(lambda: stored(portal)[0])
    age(portal)

    def later(source, connection):
        source.released.wait(60)
        answer(figures(row=lambda code, day: 777))(source, connection)

    portal.source.answer = later
    browser = browsers("en").start_over(scripts=scripts)
    driver = browser.driver
    driver.get(portal.origin + "/covid-stats?country=BY")
    button = driver.find_element("css selector", f"form[action='{REFRESH}'] button")
    button.click()
    until(lambda: "being fetched" in text(driver))
    until(lambda: portal.source.asked)
    portal.source.released.set()
    until(lambda: "777" in text(driver) and "being fetched" not in text(driver))
    assert browser.complaints() == []


def text(driver):
    """What the page says; nothing while the next one comes."""
    with suppress(Exception):
        return driver.find_element("css selector", "main").text
    return ""


def test_a_refresh_that_is_killed_leaves_what_was_stored_and_nothing_else(start):
    portal = start()
    until(lambda: stored(portal)[0])
    age(portal)
    before = stored(portal)
    portal.source.answer = upstream.hang
    press(portal)
    until(lambda: fetching(portal))
    [jobs] = portal.pids(" jobs ")
    os.kill(jobs, 9)
    until(lambda: fetching(portal) == [])
    until(lambda: portal.pids(" jobs ") not in ([], [jobs]))
    assert stored(portal) == before
    assert_nothing_left(portal)
    # What was asked for is not forgotten.
    assert query(portal, "SELECT requested_at FROM covid_stats_refresh") != [(None,)]
    portal.source.answer = answer(GOOD)
    assert refresh(portal).returncode == 0
    assert "being fetched" not in page(portal)


def test_a_portal_stops_while_its_source_hangs(start):
    portal = start(give=upstream.hang)
    until(lambda: fetching(portal))
    assert portal.stop() == 0
    assert_nothing_left(portal)


@pytest.mark.parametrize("source, give", [("who", upstream.large_who), ("owid", upstream.large_owid)])
def test_half_a_million_lines_are_refreshed_within_bounds_while_pages_answer(start, source, give):
    """It judges memory; how long it takes depends on the machine."""
    body = give()
    portal = start(give=answer(body), source=source)
    peaks, slowest, began = {}, 0, time.monotonic()

    def is_shown():
        nonlocal slowest
        for pid in [*fetching(portal), *portal.pids(" jobs ")]:
            with suppress(OSError, TypeError):
                status = Path(f"/proc/{pid}/status").read_text()
                peaks[pid] = int(re.search(r"VmHWM:\s+(\d+) kB", status)[1])
        asked = time.monotonic()
        shown = Visitor(portal).get("/covid-stats")
        slowest = max(slowest, time.monotonic() - asked)
        assert shown.status == 200
        return "figures until" in shown.text

    until(is_shown, seconds=120)
    print(f"{source}: {len(body) / 1e6:.0f} MB in {time.monotonic() - began:.1f} s, {peaks} kB, "
          f"the slowest page {slowest:.2f} s")
    assert len(peaks) >= 2 and sum(peaks.values()) < 150_000
    assert len(stored(portal)[0]) == len(upstream.all_countries())
    assert_nothing_left(portal)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has rights to give away")
def test_what_fetches_has_the_rights_of_the_portal_and_no_more(start, open_directory):
    user = pwd.getpwnam("polyclinic")
    if not reaches_the_program(user):
        pytest.skip("the program stands where root alone gets")
    portal = start(open_directory, give=upstream.hang)
    [curl] = until(lambda: fetching(portal))
    assert rights(curl) == (user.pw_uid, BARE)
    portal.source.released.set()
    until(lambda: fetching(portal) == [])
    portal.stop()


def test_a_source_of_several_files_is_taken_whole_or_not_at_all(start):
    countries = (b'[{"updated": 1587140875524, "country": "Belarus", "countryInfo": {"iso2": "BY"}, "cases": 4779,'
                 b' "todayCases": 575, "deaths": 42, "todayDeaths": 2, "recovered": 342, "active": 4395}]')
    historical = (b'[{"country": "Belarus", "province": null, "timeline": {"cases": {"4/18/20": 1, "4/19/20": 9},'
                  b' "deaths": {"4/18/20": 0, "4/19/20": 1}, "recovered": {}}}]')
    asked = []

    def whole(source, connection):
        path = source.asked[-1]
        asked.append(path)
        answer(historical if "historical" in path else countries)(source, connection)

    def without_the_last(source, connection):
        give = upstream.cut_off(historical) if "historical" in source.asked[-1] else whole
        give(source, connection)

    portal = start(give=whole, source="disease.sh", country="BY")
    until(lambda: stored(portal)[1])
    assert asked == ["/v3/covid-19/countries?allowNull=true", "/v3/covid-19/countries?allowNull=true&yesterday=true",
                     "/v3/covid-19/historical?lastdays=all"]
    assert "received on 17 April 2020" in page(portal)
    before = stored(portal)
    countries = countries.replace(b"4779", b"5000")
    portal.source.answer = without_the_last
    assert "unreachable" in refresh(portal).stderr
    assert stored(portal) == before
    portal.source.answer = whole
    assert refresh(portal).returncode == 0
    assert "5,000" in page(portal)
