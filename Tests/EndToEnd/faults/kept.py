"""Connections that nginx keeps to the workers, and that end, wait or are used in the wrong moment."""

import os
import resource
import signal
import socket
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from visitor import Visitor
from waiting import until

from faults.crowd import cookies_of
from faults.killed import kill
from faults.load import KeptVisitor
from faults.malformed import PARAMS, STDIN, pair, record
from faults.modules import faulty_program
from faults.report import Report
from faults.stage import fault, now

# FCGI_BEGIN_REQUEST of a responder, with FCGI_KEEP_CONN.
BEGUN = record(1, b"\0\1\1\0\0\0\0\0")


class KeptConnection:
    """A connection to the workers as nginx keeps one."""

    def __init__(self, portal, stack):
        self.host = f"localhost:{portal.port}".encode()
        self.stream = stack.enter_context(socket.socket(socket.AF_UNIX))
        self.stream.settimeout(20)
        self.stream.connect(str(portal.data / "run" / "polyclinic.sock"))
        self.received = self.stream.makefile("rb")
        stack.callback(self.received.close)

    def send(self, path, cookies=b""):
        parameters = {b"REQUEST_METHOD": b"GET", b"REQUEST_URI": path, b"HTTP_HOST": self.host,
                      b"HTTP_COOKIE": cookies, b"REMOTE_ADDR": b"127.0.0.1", b"SERVER_PROTOCOL": b"HTTP/1.1"}
        pairs = b"".join(pair(name, value) for name, value in parameters.items())
        self.stream.sendall(BEGUN + record(PARAMS, pairs) + record(PARAMS, b"") + record(STDIN, b""))

    def get(self, path=b"/robots.txt"):
        """Returns True if the answer to a GET arrives whole; False if the connection has ended."""
        try:
            self.send(path)
            return self.is_answered()
        except OSError:
            return False

    def is_answered(self):
        try:
            while head := self.received.read(8):
                self.received.read(int.from_bytes(head[4:6], "big") + head[6])
                if head[1] == 3:
                    return True
        except OSError:
            pass
        return False


def socket_count(pid):
    """The number of sockets that a process has open."""
    count = 0
    for entry in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(OSError):
            count += os.readlink(entry).startswith("socket:")
    return count


def clients(portal, count):
    """So many visitors whose connections to nginx are open, no more than fifty of an address."""
    visitors = [KeptVisitor(portal, f"127.0.4.{number // 50 + 1}") for number in range(count)]
    for visitor in visitors:
        visitor.cookies = dict(visitors[0].cookies)
        visitor.get("/login")
    return visitors


@contextmanager
def paused(pids):
    """Processes that run on when the body ends, and then find what has happened meanwhile."""
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGCONT)


def asked_meanwhile(portal, visitors, change):
    """All visitors ask, every fourth by a POST, while nginx is paused and `change` happens after they have
    asked: nginx then finds the requests and the connections that were closed at once. What they got."""
    def ask(visitor, number):
        if number % 4:
            return "GET", visitor.get("/login").status
        return "POST", visitor.post("/login", {"login": "nobody"}).status

    with ThreadPoolExecutor(len(visitors)) as pool:
        # Fills the kept connections.
        list(pool.map(lambda visitor: visitor.get("/login"), visitors))
        with paused(portal.web_server):
            asked = [pool.submit(ask, visitor, number) for number, visitor in enumerate(visitors)]
            time.sleep(0.5)
            change()
        return Counter(one.result() for one in asked)


def judge_statuses(report, answers):
    statuses = {"GET": {200}, "POST": {403, 422, 429}}
    for (method, status), count in answers.items():
        report.require(status in statuses[method], f"{count} × {status} for {method}")
    report.saw = ", ".join(
        f"{method} {count} × {status}" for (method, status), count in sorted(answers.items()))
    return report


@fault("a worker killed under a hundred kept connections")
def worker_killed(stage):
    times = stage.pick(short=2, long=20)
    with stage.portal() as portal:
        visitors = clients(portal, 100)
        answers, most = Counter(), 0
        for _ in range(times):
            victim = max(portal.workers, key=socket_count)
            most = max(most, socket_count(victim))

            def change():
                kill(victim)
                until(lambda: victim not in portal.workers)

            answers += asked_meanwhile(portal, visitors, change)
            until(lambda: len(portal.workers) == 2)
        report = judge_statuses(Report(f"{times}"), answers)
        report.saw += f"; up to {most} sockets in the worker"
        return report


@fault("a reload under a hundred kept connections")
def reloaded_meanwhile(stage):
    times = stage.pick(short=2, long=20)
    with stage.portal() as portal:
        visitors = clients(portal, 100)
        answers = Counter()
        for _ in range(times):
            before = set(portal.workers)

            def change():
                assert portal.run("reload").returncode == 0
                until(lambda: not before & set(portal.workers), 40)

            answers += asked_meanwhile(portal, visitors, change)
        return judge_statuses(Report(f"{times}"), answers)


@fault("reloads while people read and save")
def reloads(stage):
    times = stage.pick(short=3, long=30)
    with stage.portal() as portal:
        crowd = stage.crowd(portal)
        with crowd.at_work():
            for _ in range(times):
                before = set(portal.workers)
                assert portal.run("reload").returncode == 0
                until(lambda: not before & set(portal.workers), 40)
                crowd.save_some(1)
            last = now()
        return stage.judge(crowd, portal, last, Report(f"{times}"))


@fault("nginx reloaded while people read and save")
def web_server_reloaded(stage):
    """nginx closes its clients' connections, as a browser expects. Nobody gets an error page."""
    times = stage.pick(short=3, long=30)
    with stage.portal() as portal:
        crowd = stage.crowd(portal)
        with crowd.at_work():
            for _ in range(times):
                os.kill(portal.pids("nginx.conf")[0], signal.SIGHUP)
                crowd.save_some(1)
            last = now()
        report = stage.judge(
            crowd, portal, last, Report(f"{times}"), failed_gets=None, failed_posts=None)
        failed = Counter(seen.status for seen in crowd.sightings.all if seen.status and seen.has_failed)
        report.require(not failed, f"error pages: {dict(failed)}")
        return report


@fault("two thousand unused connections", takes_long=True)
def unused(stage):
    """Straight at the socket. A worker keeps so many of them and closes the others, so that it does not
    run out of descriptors; and those that are kept are answered."""
    count = 2_000
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 2 * count)), hard))
    with stage.portal() as portal, ExitStack() as stack:
        crowd = stage.crowd(portal)
        with crowd.at_work():
            connections, answered = [], 0
            for _ in range(count):
                connections.append(KeptConnection(portal, stack))
                answered += connections[-1].get()
            most = max(socket_count(pid) for pid in portal.workers)
            again = sum(connection.get() for connection in connections)
            crowd.save_some(stage.pick(short=2, long=50))
            last = now()
        report = stage.judge(crowd, portal, last, Report(f"{count}"))
        report.require(answered == count, f"{answered} of {count} were answered at first")
        # Two workers keep 64 each. Each of their four threads may answer one that is kept as another one is used again.
        report.require(0 < again <= 2 * (64 + 4), f"{again} were kept")
        report.require(most < 100, f"a worker has {most} sockets")
        report.saw += f"; {again} kept, up to {most} sockets in a worker"
        return report


@fault("half a request on kept connections", takes_long=True)
def half_a_request(stage):
    """More than there are threads: each waits for the rest for two seconds, and closes the connection."""
    with stage.portal() as portal, ExitStack() as stack:
        crowd = stage.crowd(portal)
        connections = [KeptConnection(portal, stack) for _ in range(12)]
        assert all(connection.get() for connection in connections)
        with crowd.at_work():
            for connection in connections:
                connection.stream.sendall((BEGUN + record(PARAMS, pair(b"A", b"B")))[:-1])
            crowd.save_some(stage.pick(short=3, long=100))
            last = now()
        report = stage.judge(crowd, portal, last, Report("12"))
        report.require(not any(connection.is_answered() for connection in connections),
                       "such a connection is closed without an answer")
        return report


@fault("answers above the socket's buffer on kept connections")
def large(stage):
    """Some are read, each the same number of bytes, and some are not: the worker closes those."""
    times = stage.pick(short=10, long=100)
    with stage.portal(program=faulty_program()) as portal, ExitStack() as stack:
        crowd = stage.crowd(portal)
        # Several, because one alone would meet the limit of requests, and another one for the answers that nobody
        # reads, because they hold places of that person's pages.
        *askers, other = [KeptVisitor(portal, address=f"127.0.6.{number + 1}").register(f"asker-{number}")
                          for number in range(11)]
        with crowd.at_work():
            silent = [KeptConnection(portal, stack) for _ in range(2)]
            for connection in silent:
                assert connection.get()
                connection.send(b"/faulty/large", cookies_of(other).encode())
            answers = Counter()
            for number in range(times):
                asker = askers[number % len(askers)]
                answer = asker.get("/faulty/large")
                answers[answer.status, len(answer.body)] += 1
                answers[asker.get("/login").status] += 1
            # The worker waits for five seconds.
            time.sleep(6)
            last = now()
        report = stage.judge(crowd, portal, last, Report(f"{times}"), checks=False)
        whole = {(200, 6 << 20): times, 303: times}
        report.require(answers == whole, f"the large answers were {dict(answers)}")
        report.require(not any(connection.is_answered() for connection in silent),
                       "an answer that is not read is broken off")
        return report


@fault("slow pages on all threads of a worker")
def slow_worker(stage):
    """The worker hands its kept connections back, so that pages come from the other one."""
    with stage.portal(program=faulty_program()) as portal:
        crowd = stage.crowd(portal)
        askers = [KeptVisitor(portal, address=f"127.0.5.{number + 1}").register(f"asker-{number}")
                  for number in range(4)]
        with crowd.at_work(), ThreadPoolExecutor(len(askers)) as pool:
            for _ in range(stage.pick(short=2, long=20)):
                asked = list(pool.map(lambda asker: asker.get("/faulty/slow").status, askers))
                assert set(asked) == {200}, asked
            last = now()
        report = stage.judge(crowd, portal, last, Report(f"{len(askers)}"), checks=False)
        slowest = max(seen.took for seen in crowd.sightings.all)
        report.saw += f"; none waited longer than {slowest:.1f} s"
        # A slow page takes three seconds.
        report.require(slowest < stage.pick(short=2.9, long=2), f"somebody waited {slowest:.1f} s")
        return report
