"""Failing and malicious sources of COVID-19 figures: stored figures stay and the reason is reported."""

import re

import pytest

import upstream
from covid import GOOD, identity, start
from upstream import COUNTRIES, Upstream, answer, figures, redirect
from visitor import Visitor


@pytest.fixture(scope="module")
def portal(start):
    """A portal with valid stored figures."""
    return start().filled()


# Each failure of the source, with the expected words on the page and in the log.
REFUSED = {
    "a-page": (answer(b"<!DOCTYPE html><title>Sorry</title>", Content_Type="text/html"),
               "the source sent data that the portal cannot read", "line 1: the column Date_reported is missing"),
    "an-empty-answer": (answer(b""), "the source sent data that the portal cannot read", "nothing is in it"),
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
    "an-endless-answer": (upstream.endless, "the source sent too much data", "large"),
    "a-bomb": (upstream.bomb, "the source sent too much data", "large"),
    "a-length-of-gigabytes": (upstream.length_of_gigabytes, "the source sent too much data", "large"),
    "no-gzip": (answer(GOOD, Content_Encoding="gzip"), "the source sent data that the portal cannot read",
                "unreadable"),
    "headers-without-an-end": (upstream.endless_headers,
                               "the source cannot be reached, or the connection broke off", "unreachable"),
    "half-the-columns": (answer(re.sub(rb"(,[^,\n]*){4}$", b"", GOOD, flags=re.M)),
                         "the source sent data that the portal cannot read", "the column New_cases is missing"),
    "a-row-without-its-end": (answer(GOOD[:-9]), "the source sent data that the portal cannot read",
                              "has not as many values as there are columns"),
    "two-reports-of-a-day": (answer(GOOD + GOOD.splitlines(True)[-1]),
                             "the source sent data that the portal cannot read", "two records of one day"),
    "zero-bytes-in-numbers": (answer(GOOD.replace(b",100,", b",1\x0000,")),
                              "the source sent data that the portal cannot read", "a count is not a number"),
    "the-day-after-tomorrow": (answer(figures(until=upstream.day_after_tomorrow())),
                               "the source sent data that the portal cannot read", "in the future"),
    "half-the-countries": (answer(figures(COUNTRIES[:8])), "the source sent data that the portal cannot read",
                           "figures of 8 countries"),
    "a-line-without-an-end": (answer(GOOD + b"1" * (3 << 20)), "the source sent data that the portal cannot read",
                              "longer than any line"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_an_invalid_or_incomplete_file_changes_no_figures_and_is_reported(portal, case):
    give, words, *log = REFUSED[case]
    portal.source.answer = give
    portal.assert_refused(words, *log)


@pytest.fixture(scope="module")
def elsewhere(identity):
    """A host with a trusted certificate and valid figures that redirects must not reach."""
    other = Upstream(identity, "127.0.0.2")
    other.answer = answer(figures(days=9))
    yield other
    other.close()


@pytest.fixture(scope="module")
def plain():
    """A host without TLS and with valid figures."""
    other = Upstream()
    other.answer = answer(figures(days=9))
    yield other
    other.close()


def test_redirects_to_another_host_are_refused(portal, elsewhere, plain):
    before = portal.stored()
    source = portal.source
    for address in [
        elsewhere.origin + "/figures.csv", "https://10.0.0.1/", "https://[::1]/", "https://localhost/",
        plain.origin + "/figures.csv", "file:///etc/passwd", f"https://localhost:{source.port}@127.0.0.2:1/",
        f"//127.0.0.2:{elsewhere.port}/", f"https://localhost:{source.port}\\@127.0.0.2:{elsewhere.port}/",
        f"{elsewhere.origin}/{'x' * 90_000}", "",
    ]:
        source.answer = redirect(address)
        source.asked.clear()
        told = portal.refresh()
        assert told.returncode == 1 and re.search("elsewhere|refused|unreachable|failed", told.stderr), address
        assert len(source.asked) == 1, address
        assert portal.stored() == before
    portal.assert_nothing_left()
    assert elsewhere.asked == [] and plain.asked == []
    source.answer = redirect(elsewhere.origin)
    portal.assert_refused("the source redirects to another address", "elsewhere")


def test_redirects_at_the_same_host_are_followed_three_times(portal):
    portal.source.asked.clear()
    portal.source.answer = redirect("/again", "307 Temporary Redirect")
    portal.assert_refused("the source answers with an error", "more than 3 redirects")
    assert len(portal.source.asked) == 4

    def moved(source, connection):
        give = answer(GOOD) if len(source.asked) > 3 else redirect(f"/{len(source.asked)}")
        give(source, connection)

    portal.source.asked.clear()
    portal.source.answer = moved
    assert portal.refresh().returncode == 0


def test_an_unreachable_source_and_an_untrusted_certificate_are_reported(portal, tmp_path):
    source = portal.source
    source.close()
    portal.assert_refused(
        "the source cannot be reached, or the connection broke off", "unreachable (curl ended with 7)")
    source.open()
    trusted = source.context
    source.context = upstream.context(upstream.certificate(tmp_path, "stranger"))
    try:
        portal.assert_refused("the source has no valid certificate", "certificate")
    finally:
        source.context = trusted


def test_a_download_of_one_byte_a_second_is_aborted(portal):
    portal.source.released.clear()
    portal.source.answer = upstream.trickle
    portal.assert_refused("the source answers too slowly", "slow")
    portal.source.released.set()


def test_valid_figures_are_stored_after_earlier_failures(portal):
    """The media type is ignored, because mirrors send different ones, and so are names in broken encodings."""
    def new(code, day):
        return -500 if (code, day) == ("RU", 59) else 7

    names = figures([*COUNTRIES, "XJ"], row=new).replace(b",Name,", b",C\xf4te\xff \x00d'Ivoire,")
    portal.source.answer = answer(names, Content_Type="image/png")
    told = portal.refresh()
    assert (told.returncode, told.stdout) == (0, f"{len(COUNTRIES)} countries fetched.\n"), told
    codes = {row[0]: row for row in portal.stored()[0]}
    assert "XK" in codes and "NA" in codes and "XJ" not in codes
    assert codes["RU"][2] == -500
    shown = Visitor(portal).get("/covid-stats?country=RU").text
    assert "No new figures since" not in shown and re.search("[-−]500", shown)
    portal.source.answer = answer(GOOD)
    assert portal.refresh().returncode == 0


def test_a_full_temporary_directory_is_reported(start, small_disk):
    portal = start().filled()
    portal.environment["TMPDIR"] = str(small_disk)
    portal.temporary = small_disk
    portal.source.answer = upstream.endless
    portal.assert_refused("the server has no space left", "no-room")
    portal.environment["TMPDIR"] = str(small_disk / "missing")
    portal.source.asked.clear()
    assert "no-room (No such file or directory)" in portal.refresh().stderr
    assert portal.source.asked == []
