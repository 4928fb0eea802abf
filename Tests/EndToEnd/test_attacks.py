"""Password guessing and sign-in floods."""

import re
import resource
import sqlite3
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from visitor import Visitor


@pytest.fixture(scope="module")
def besieged(start_portal):
    return start_portal()


def test_twenty_wrong_passwords_throttle_the_guesser_but_not_the_account_owner(besieged):
    right = Visitor(besieged, "127.0.0.2").register("besieged")
    right.post("/logout", right.get("/account").fields("/logout"))
    assert right.sign_in("besieged").status == 303

    guesser = Visitor(besieged, "127.0.0.3")
    answers = [guesser.sign_in("besieged", f"wrong guess number {index}") for index in range(20)]
    statuses = [answer.status for answer in answers]
    assert statuses[:5] == [422] * 5
    assert 429 in statuses and set(statuses[5:]) <= {422, 429}
    assert all(int(answer.headers["Retry-After"]) >= 1 for answer in answers if answer.status == 429)

    prolong_waits(besieged, seconds=3_600)
    refused = guesser.sign_in("besieged")
    assert refused.status == 429, "the right password does not cut the wait"
    assert int(refused.headers["Retry-After"]) > 3_000

    again = Visitor(besieged, "127.0.0.2")
    assert again.sign_in("besieged").status == 303
    assert right.get("/account").status == 200


def prolong_waits(portal, seconds):
    """Adds to every wait that failed sign-ins have caused, so that none ends while a test runs."""
    with closing(sqlite3.connect(portal.database, timeout=30)) as database, database:
        database.execute("UPDATE throttle SET until = until + ? WHERE until > updated_at", (seconds,))


def test_an_unknown_login_gets_the_same_answer_as_a_wrong_password(besieged):
    user = Visitor(besieged, "127.0.0.4")
    known = user.sign_in("besieged", "not the password")
    unknown = user.sign_in("nobody-at-all", "not the password")
    assert known.status == unknown.status == 422
    assert known.text.count("Wrong login or password") == 1
    assert without_values(known) == without_values(unknown)


def without_values(answer):
    """Returns the page from `<main>` on without the values of its fields: what was typed, and tokens."""
    return re.sub(r' value="[^"]*"', "", answer.text.split("<main")[1])


def test_two_hundred_simultaneous_sign_ins_are_throttled_within_a_memory_limit(besieged):
    idle = besieged.memory()
    visitors = [Visitor(besieged, f"127.0.1.{index % 50 + 1}") for index in range(200)]
    forms = dict(visitors[0].filled("/login", {"login": "besieged", "password": "a wrong one"}))
    for visitor in visitors:
        visitor.cookies = visitors[0].cookies
    peak = [idle]
    with ThreadPoolExecutor(200) as pool:
        sent = [pool.submit(visitor.post, "/login", forms) for visitor in visitors]
        while not all(future.done() for future in sent):
            peak.append(besieged.memory())
        answers = [future.result() for future in sent]
    counts = Counter(answer.status for answer in answers)
    assert set(counts) <= {422, 429} and counts[429] > 50, counts
    assert all(answer.headers["Retry-After"] for answer in answers if answer.status == 429)
    # Two workers with two concurrent hashes of 19 MiB each, and 30 MiB of tolerance.
    assert max(peak) - idle < 2 * 2 * 19 * 2**20 + 30 * 2**20
    assert Visitor(besieged, "127.0.2.1").get("/login").status == 200


def test_a_sign_in_flood_from_one_address_leaves_pages_available(besieged):
    flood = [Visitor(besieged, "127.0.3.1") for _ in range(60)]
    with ThreadPoolExecutor(60) as pool:
        statuses = list(pool.map(lambda visitor: visitor.post("/login", {}).status, flood))
        assert Visitor(besieged, "127.0.3.1").get("/login").status == 200
    assert 429 in statuses and set(statuses) <= {403, 422, 429}


def test_a_sign_in_without_memory_for_the_password_gets_503_until_there_is_some(besieged):
    Visitor(besieged, "127.0.4.1").register("memorable")
    workers = besieged.workers
    before = {pid: resource.prlimit(pid, resource.RLIMIT_AS) for pid in workers}
    for pid, (_, hard) in before.items():
        used = int(re.search(r"VmSize:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())[1])
        # A hash takes 19 MiB.
        resource.prlimit(pid, resource.RLIMIT_AS, ((used << 10) + (12 << 20), hard))
    refused = Visitor(besieged, "127.0.4.2").sign_in("memorable")
    for pid, limits in before.items():
        resource.prlimit(pid, resource.RLIMIT_AS, limits)
    assert refused.status == 503 and refused.headers["Retry-After"] == "5"
    assert 'value="memorable"' in refused.text
    assert Visitor(besieged, "127.0.4.2").sign_in("memorable").status == 303
    assert besieged.workers == workers
