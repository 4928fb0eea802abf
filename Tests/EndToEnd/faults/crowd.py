"""More at once than can be served, and one who wants it all."""

import http.client
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from visitor import PASSWORD, Visitor
from waiting import until

from faults.load import CONTEXT, Crowd, KeptVisitor
from faults.modules import faulty_program
from faults.report import Report
from faults.stage import fault, now


@fault("fifty people at once")
def fifty(stage):
    with stage.portal() as portal:
        crowd = Crowd(portal, stage.pick(20, 50))
        with crowd.at_work():
            crowd.save_some(stage.pick(2, 20))
            last = now()
        report = stage.judge(crowd, portal, last, Report(f"{len(crowd.people)}"))
        return stage.judge_speed(crowd, report)


@fault("two hundred sign-ins at once")
def sign_ins(stage):
    """Pages and saves go on; of the sign-ins some are told to come again."""
    with stage.portal() as portal:
        crowd = stage.crowd(portal)
        form = Visitor(portal, "127.0.1.1")
        fields = form.filled("/login", {"login": "person-1", "password": "not the password"})
        others = [Visitor(portal, f"127.0.1.{number % 50 + 1}") for number in range(200)]
        for visitor in others:
            visitor.cookies = form.cookies
        with crowd.at_work():
            with ThreadPoolExecutor(stage.pick(50, 200)) as pool:
                answers = Counter(pool.map(lambda one: one.post("/login", fields).status, others))
            last = now()
        report = stage.judge(crowd, portal, last, Report("200"))
        report.require(set(answers) <= {422, 429}, f"sign-ins got {dict(answers)}")
        report.saw += f"; sign-ins {dict(answers)}"
        return stage.judge_speed(crowd, report)


def ask_at_once(portal, cookies, addresses, path):
    """Asks from each address at once; the statuses of all."""
    def ask(address):
        connection = http.client.HTTPSConnection(
            "localhost", portal.port, timeout=60, context=CONTEXT, source_address=(address, 0))
        try:
            connection.request("GET", path, headers={"Cookie": cookies})
            return connection.getresponse().status
        except (OSError, http.client.HTTPException) as error:
            return type(error).__name__
        finally:
            connection.close()

    with ThreadPoolExecutor(len(addresses)) as pool:
        return Counter(pool.map(ask, addresses))


def cookies_of(visitor):
    return "; ".join(f"{name}={value}" for name, value in visitor.cookies.items())


def flood(portal, stop, fields, addresses):
    """Posts the form from each address, again and again; returns the threads and what they got."""
    answers = Counter()
    target = fields.target if fields else "/login"

    def post(address):
        visitor = KeptVisitor(portal, address)
        visitor.cookies = dict(fields.cookies) if fields else {}
        number = 0
        while not stop.is_set():
            number += 1
            sent = [(name, f"nobody-{address}-{number}" if name == "login" else value)
                    for name, value in fields.sent] if fields else {}
            try:
                answers[visitor.post(target, sent).status] += 1
            except (OSError, http.client.HTTPException):
                visitor.drop()

    threads = [threading.Thread(target=post, args=(address,)) for address in addresses]
    for thread in threads:
        thread.start()
    return threads, answers


def sign_in_amid(portal, people, fields):
    """All sign in from a known address while forty others flood; what it and they got."""
    stop = threading.Event()
    threads, flooded = flood(portal, stop, fields, [f"127.0.3.{number + 1}" for number in range(40)])
    outcomes, slowest = Counter(), 0
    try:
        # Once each: an account is preferred six times a minute.
        for person in people:
            began = now()
            outcomes[Visitor(portal, "127.0.0.9").sign_in(person).status] += 1
            slowest = max(slowest, now() - began)
        until(lambda: sum(flooded.values()) > 100, 60)
    finally:
        stop.set()
        for thread in threads:
            thread.join(60)
    return outcomes, slowest, flooded


def form_for(visitor, target, **values):
    """The visitor with a form that is filled in, to be sent again and again."""
    visitor.target = target
    visitor.sent = [field for field in visitor.filled(target, values) if field[0] != "once"]
    return visitor


@fault("forty addresses flood the sign-in page")
def sign_in_flood(stage):
    """First with nothing, which hashes nothing, then with wrong passwords of ever other logins, then with
    the right one of somebody who has signed in."""
    people = [f"known-{number}" for number in range(stage.pick(5, 15))]
    with stage.portal() as portal:
        for person in people:
            Visitor(portal, "127.0.0.9").register(person)
            assert Visitor(portal, "127.0.0.9").sign_in(person).status == 303
        wrong = form_for(Visitor(portal, "127.0.3.99"), "/login", login="nobody", password="not the password")
        right = form_for(Visitor(portal, "127.0.3.98").register("greedy"),
                         "/account/sessions/end-others", current_password=PASSWORD)
        report = Report("40", saw="")
        for what, fields in [("empty", None), ("wrong", wrong), ("right", right)]:
            outcomes, slowest, flooded = sign_in_amid(portal, people, fields)
            report.require(set(outcomes) == {303}, f"amid {what} forms the sign-ins got {dict(outcomes)}")
            if stage.form == "long":
                report.require(slowest < 5, f"amid {what} forms a sign-in took {slowest:.1f} s")
            report.saw += f"{what}: {dict(outcomes)}, slowest {slowest:.1f} s, flood {dict(flooded)}; "
        return report


@fault("one person asks for sixty slow pages at once")
def greedy(stage):
    """Each takes three seconds, so that they would hold all threads for half a minute."""
    with stage.portal(program=faulty_program()) as portal:
        crowd = stage.crowd(portal)
        asker = KeptVisitor(portal, address="127.0.0.9").register("asker")
        with crowd.at_work():
            asked = []
            greed = threading.Thread(target=lambda: asked.append(ask_at_once(
                portal, cookies_of(asker), ["127.0.0.9"] * 60, "/faulty/slow")))
            greed.start()
            before = crowd.saved
            greed.join()
            saved = crowd.saved - before
            last = now()
        report = stage.judge(crowd, portal, last, Report("60"), checks=False)
        report.require(saved >= len(crowd.people), f"others saved {saved} meanwhile")
        report.require(set(asked[0]) <= {200, 429}, f"the greedy one got {dict(asked[0])}")
        slowest = max(seen.took for seen in crowd.sightings.all)
        report.saw += f"; the greedy one {dict(asked[0])}; others saved {saved} meanwhile"
        report.saw += f", none waited longer than {slowest:.1f} s"
        if stage.form == "long":
            report.require(slowest < 3, f"others waited {slowest:.1f} s")
        return report


@fault("more requests than the queue holds")
def queue(stage):
    """Slow pages for many people from many addresses: who does not fit is told so at once."""
    with stage.portal(program=faulty_program()) as portal:
        askers = [KeptVisitor(portal, address=f"127.0.0.{9 + number}").register(f"asker-{number}")
                  for number in range(4)]
        addresses = [f"127.0.2.{number % 8 + 1}" for number in range(340)]
        began = now()
        times = []

        def ask(number):
            asker = askers[number % 4]
            connection = http.client.HTTPSConnection(
                "localhost", portal.port, timeout=60, context=CONTEXT,
                source_address=(addresses[number], 0))
            try:
                connection.request("GET", "/faulty/slow", headers={"Cookie": cookies_of(asker)})
                answer = connection.getresponse()
                answer.read()
                times.append((answer.status, now() - began, answer.headers["Retry-After"]))
            finally:
                connection.close()

        with ThreadPoolExecutor(len(addresses)) as pool:
            list(pool.map(ask, range(len(addresses))))
        statuses = Counter(status for status, _, _ in times)
        report = Report(f"{len(addresses)}", saw=", ".join(
            f"{count} × {status}" for status, count in sorted(statuses.items())))
        report.require(set(statuses) <= {200, 429, 503}, f"the crowd got {dict(statuses)}")
        report.require(statuses[503] > 0, "a full queue says so")
        report.require(all(retry for status, _, retry in times if status in (429, 503)),
                       "each refusal says when to come again")
        after = now()
        answer = Visitor(portal).get("/login")
        report.seconds = now() - after
        report.require(answer.status == 200, f"afterwards {answer.status}")
        if stage.form == "long":
            longest = max(took for _, took, _ in times)
            report.require(longest < 15, f"the last was answered after {longest:.1f} s")
        return report
