"""Unit tests of the checks that the fault tests use."""

from faults.ledger import Ledger, Sighting, Sightings
from faults.load import oddity, pairs
from faults.report import Report, row, table


def ledger(sent, acknowledged):
    book = Ledger("anna")
    for _ in range(sent):
        book.next_name()
    for name in book.sent[:acknowledged]:
        book.acknowledge(name)
    return book


def test_a_ledger_with_each_name_once_is_clean():
    assert ledger(3, 2).audit(["anna-000000", "anna-000001", "anna-000002"]).is_clean
    assert ledger(3, 2).audit(["anna-000000", "anna-000001"]).is_clean, "nobody was told of the third"


def test_an_acknowledged_name_that_is_missing_is_lost():
    assert ledger(2, 2).audit(["anna-000000"]).lost == ["anna-000001"]


def test_a_name_stored_twice_is_doubled_even_if_unacknowledged():
    assert ledger(1, 0).audit(["anna-000000"] * 2).doubled == ["anna-000000"]


def test_a_stored_name_that_was_never_sent_is_foreign():
    assert ledger(1, 1).audit(["anna-000000", "anna-000007"]).foreign == ["anna-000007"]


def test_failed_answers_are_counted_by_method_and_time():
    seen = Sightings()
    for at, method, status in [(1, "GET", 200), (2, "GET", 503), (3, "POST", None), (4, "POST", 303)]:
        seen.add(Sighting(at, 0.5, method, status))
    assert len(seen.failed("GET")) == len(seen.failed("POST")) == 1
    assert seen.well_again(1.5) == 1.5 and seen.well_again(9) == 0


def test_an_error_page_without_layout_or_retry_after_is_odd():
    class Bare:
        status, headers, text = 502, {}, "<html><center>502 Bad Gateway</center>"

    assert oddity("/", Bare) == "a bare 502"
    Bare.text = "<h1>We will be right back</h1>"
    Bare.headers = {"Retry-After": None}
    assert oddity("/", Bare) == "a 502 without Retry-After"
    Bare.headers = {"Retry-After": "5"}
    assert oddity("/", Bare) == ""


def test_rows_of_a_list_are_read_with_their_addresses():
    text = '<a href="/contacts/new">New</a><a href="/contacts/7"><b>anna-000003</b></a>'
    assert pairs(text, "anna") == {("/contacts/7", "anna-000003")}


def test_a_broken_rule_is_reported_in_the_table():
    report = Report()
    report.require(False, "nothing is lost")
    assert table([row("a fault", report)]).endswith("no")
