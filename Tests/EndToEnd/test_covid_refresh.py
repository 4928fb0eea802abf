"""Refreshes of COVID-19 figures by job, button and command, also after failures and kills."""

import os
import pwd
import re
import time
from contextlib import suppress
from pathlib import Path

import pytest

import upstream
from covid import GOOD, REFRESH, identity, start
from test_root import BARE, reaches_the_program, rights
from upstream import answer, figures
from visitor import Visitor
from waiting import until


def test_a_failed_refresh_job_is_logged_and_scheduled_for_a_retry(start):
    portal = start(give=answer(b"<html>no figures</html>"))
    until(lambda: "job failed" in portal.said)
    line = next(line for line in portal.said.splitlines() if "job failed" in line)
    assert re.search(
        r'error jobs "job failed" error="the figures were not refreshed: line 1: the column Date_reported is '
        r'missing" job=covid-stats/refresh retry="60 s"', line), line
    assert "no figures" not in portal.said, "the file is not quoted"
    assert "No figures could be fetched since" in portal.page
    checked = portal.run("check")
    assert checked.returncode == 0 and "no refresh has succeeded for 0 h (unreadable)" in checked.stdout
    portal.assert_nothing_left()
    # The command ignores the job's back-off.
    portal.source.answer = answer(GOOD)
    assert portal.refresh().returncode == 0
    assert "No figures could be fetched" not in portal.page


def test_a_failed_due_refresh_keeps_the_figures_and_check_reports_their_age(start):
    portal = start().filled()
    checked = portal.run("check")
    assert checked.returncode == 0 and re.search(
        r"covid-stats/figures: figures until \S+ from who, fetched 0 h ago\n", checked.stdout), checked
    portal.age(hours=100)
    before = portal.stored()
    portal.source.answer = answer(b"no figures")
    # The next jobs process checks at once if a refresh is due.
    os.kill(portal.pids(" jobs ")[0], 9)
    until(lambda: "job=covid-stats/refresh retry" in portal.said)
    assert portal.stored() == before
    assert "No new figures since" in portal.page and "159" in portal.page
    checked = portal.run("check")
    assert checked.returncode == 1 and re.search(
        r"covid-stats/figures: figures until \S+ from who, fetched 4 days ago; no refresh has succeeded for 0 h "
        r"\(unreadable\): see whether", checked.stdout), checked
    portal.assert_nothing_left()


def test_the_refresh_button_returns_at_once_and_the_page_shows_the_outcome(start):
    portal = start().filled()
    # Fresh figures are not downloaded again.
    portal.source.asked.clear()
    portal.press()
    assert "being fetched" not in portal.page
    portal.age(hours=1)
    before = portal.stored()
    portal.source.answer = upstream.hang
    pressed = portal.press()
    assert (pressed.status, pressed.location) == (303, "/covid-stats")
    assert "New figures are being fetched" in portal.page and "159" in portal.page
    until(lambda: portal.source.asked)
    # No second refresh can start, and the temporary file has no name, so that no link can replace it.
    assert REFRESH not in portal.page
    assert list(portal.temporary.iterdir()) == []
    assert len(portal.fetching) == 1
    portal.source.released.set()
    until(lambda: "No new figures since" in portal.page)
    assert "the source cannot be reached, or the connection broke off" in portal.page
    until(lambda: "job=covid-stats/refresh-asked" in portal.said)
    assert portal.stored() == before
    portal.assert_nothing_left()
    # A request during the back-off after a failure gets a notice.
    portal.press()
    assert "After a failure the next attempt starts within an hour" in portal.page
    assert "No new figures since" in portal.page


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
def test_an_open_page_shows_new_figures_after_a_refresh(start, browsers, scripts):
    portal = start().filled()
    portal.age(hours=1)

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
    """Returns the text of the page, or an empty text while the next page loads."""
    with suppress(Exception):
        return driver.find_element("css selector", "main").text
    return ""


def test_a_killed_refresh_keeps_the_stored_figures_and_leaves_no_files(start):
    portal = start().filled()
    portal.age(hours=1)
    before = portal.stored()
    portal.source.answer = upstream.hang
    portal.press()
    until(lambda: portal.fetching)
    [jobs] = portal.pids(" jobs ")
    os.kill(jobs, 9)
    until(lambda: portal.fetching == [])
    until(lambda: portal.pids(" jobs ") not in ([], [jobs]))
    assert portal.stored() == before
    portal.assert_nothing_left()
    # The request for a refresh is still stored.
    assert portal.query("SELECT requested_at FROM covid_stats_refresh") != [(None,)]
    portal.source.answer = answer(GOOD)
    assert portal.refresh().returncode == 0
    assert "being fetched" not in portal.page


def test_a_portal_stops_while_its_source_hangs(start):
    portal = start(give=upstream.hang)
    until(lambda: portal.fetching)
    assert portal.stop() == 0
    portal.assert_nothing_left()


@pytest.mark.parametrize("source, give", [("who", upstream.large_who), ("owid", upstream.large_owid)])
def test_a_refresh_of_half_a_million_lines_stays_within_memory_limits_while_pages_respond(start, source, give):
    """Checks memory only, because the duration depends on the machine."""
    body = give()
    portal = start(give=upstream.halved(body), source=source)
    peaks, slowest, began = {}, 0, time.monotonic()

    def is_shown():
        nonlocal slowest
        fetching = portal.fetching
        for pid in [*fetching, *portal.pids(" jobs ")]:
            with suppress(OSError, TypeError):
                status = Path(f"/proc/{pid}/status").read_text()
                peaks[pid] = int(re.search(r"VmHWM:\s+(\d+) kB", status)[1])
        # The download waits half-way until it has been measured.
        if any(pid in peaks for pid in fetching):
            portal.source.released.set()
        asked = time.monotonic()
        shown = Visitor(portal).get("/covid-stats")
        slowest = max(slowest, time.monotonic() - asked)
        assert shown.status == 200
        return "figures until" in shown.text

    until(is_shown, seconds=120)
    print(f"{source}: {len(body) / 1e6:.0f} MB in {time.monotonic() - began:.1f} s, {peaks} kB, "
          f"the slowest page {slowest:.2f} s")
    assert len(peaks) >= 2 and sum(peaks.values()) < 150_000
    assert len(portal.stored()[0]) == len(upstream.all_countries())
    portal.assert_nothing_left()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has rights to give away")
def test_the_download_process_runs_unprivileged_as_the_portals_user(start, open_directory):
    user = pwd.getpwnam("polyclinic")
    if not reaches_the_program(user):
        pytest.skip("the program stands where root alone gets")
    portal = start(open_directory, give=upstream.hang)
    [curl] = until(lambda: portal.fetching)
    assert rights(curl) == (user.pw_uid, BARE)
    portal.source.released.set()
    until(lambda: portal.fetching == [])
    portal.stop()


def test_figures_from_several_files_are_stored_only_if_all_arrive(start):
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

    portal = start(give=whole, source="disease.sh", country="BY").filled()
    assert asked == ["/v3/covid-19/countries?allowNull=true", "/v3/covid-19/countries?allowNull=true&yesterday=true",
                     "/v3/covid-19/historical?lastdays=all"]
    assert "received on 17 April 2020" in portal.page
    before = portal.stored()
    countries = countries.replace(b"4779", b"5000")
    portal.source.answer = without_the_last
    assert "unreachable" in portal.refresh().stderr
    assert portal.stored() == before
    portal.source.answer = whole
    assert portal.refresh().returncode == 0
    assert "5,000" in portal.page
