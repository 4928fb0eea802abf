"""Those who send or read a little at a time, or nothing at all."""

import socket
import ssl
import subprocess
import sys
from collections import Counter
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from visitor import Visitor, untrusting
from waiting import until

from faults.report import Report, Skipped
from faults.stage import fault, now

CONTEXT = untrusting()


def connect(portal, stack, secure=True):
    plain = stack.enter_context(socket.create_connection(("localhost", portal.port), timeout=5))
    return stack.enter_context(CONTEXT.wrap_socket(plain)) if secure else plain


def beside(stage, hold, count):
    """People work while so many others hold on to something."""
    with stage.portal() as portal, ExitStack() as stack:
        crowd = stage.crowd(portal)
        with crowd.at_work():
            for _ in range(count):
                with suppress(OSError, ssl.SSLError):
                    hold(portal, stack)
            crowd.save_some(stage.pick(short=3, long=100))
            last = now()
        return stage.judge(crowd, portal, last, Report(str(count)))


@fault("connections without a request", takes_long=True)
def half_open(stage):
    return beside(stage, lambda portal, stack: connect(portal, stack, secure=False),
                  stage.pick(100, 400))


@fault("requests that never end", takes_long=True)
def unfinished(stage):
    def hold(portal, stack):
        connect(portal, stack).sendall(
            b"POST /login HTTP/1.1\r\nHost: localhost:%d\r\nContent-Length: 400\r\n"
            b"Content-Type: application/x-www-form-urlencoded\r\n\r\nlogin=" % portal.port)

    return beside(stage, hold, stage.pick(60, 200))


@fault("answers that nobody reads", takes_long=True)
def unread(stage):
    def hold(portal, stack):
        stream = connect(portal, stack)
        stream.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        stream.sendall(b"GET /register HTTP/1.1\r\nHost: localhost:%d\r\n\r\n" % portal.port * 20)

    return beside(stage, hold, stage.pick(60, 90))


@fault("half a FastCGI record on each thread", takes_long=True)
def stalled(stage):
    """Only another process of this machine could: a thread waits for the rest for some seconds."""
    def hold(portal, stack):
        stream = stack.enter_context(socket.socket(socket.AF_UNIX))
        stream.settimeout(5)
        stream.connect(str(portal.data / "run" / "polyclinic.sock"))
        stream.sendall(b"\1\1\0")

    return beside(stage, hold, 12)


@contextmanager
def slow_clients(portal, kind, count):
    """So many slow clients of one address, as soon as all have come. Yields a line for each second: how
    many are open, and how many were opened in all, those anew that the portal has closed."""
    program = Path(__file__).with_name("slow_clients.py")
    process = subprocess.Popen(
        [sys.executable, program, str(portal.port), kind, str(count)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    held = []
    try:
        for line in process.stdout:
            held.append([int(word) for word in line.split()])
            if held[-1][1] >= count or len(held) > 60:
                break
        else:
            raise Skipped(process.stderr.read().strip())
        yield held
    finally:
        process.kill()
        lines = process.communicate()[0].splitlines()
        held += [[int(word) for word in line.split()] for line in lines]


def visits(portal, count):
    """The outcome of each of so many visits from another address, and how long the slowest took."""
    outcomes, slowest = Counter(), 0
    for _ in range(count):
        began = now()
        try:
            outcomes[Visitor(portal, "127.0.0.77").get("/login").status] += 1
        except OSError as error:
            outcomes[type(error).__name__] += 1
        slowest = max(slowest, now() - began)
    return outcomes, slowest


def beside_slow_clients(stage, kind):
    """One address holds thousands of connections; another visitor is answered within a second."""
    count = stage.pick(2400, 4000)
    with stage.portal() as portal:
        began = now()
        with slow_clients(portal, kind, count) as held:
            outcomes, slowest = visits(portal, stage.pick(60, 400))
        seconds = now() - began
        report = Report(str(count))
        most, opened = max(line[0] for line in held), held[-1][1]
        report.require(most > count / 4 and opened >= count, f"only {most} were held, {opened} opened")
        report.require(set(outcomes) == {200}, f"the visitor got {dict(outcomes)}")
        if stage.form == "long":
            report.require(slowest < 1, f"the visitor waited {slowest:.2f} s")
        report.saw = f"{dict(outcomes)}, the slowest {slowest:.2f} s; {most} held at once, {opened} "
        report.saw += f"opened within {seconds:.0f} s"
        report.seconds = until(lambda: well_again(portal), 60)
        return report


def well_again(portal):
    """The duration of a visit that is answered."""
    began = now()
    with suppress(OSError):
        if Visitor(portal, "127.0.0.78").get("/login").status == 200:
            return now() - began


@fault("thousands of unfinished heads from one address", takes_long=True)
def unfinished_heads(stage):
    return beside_slow_clients(stage, "heads")


@fault("thousands of slow forms from one address", takes_long=True)
def slow_posts(stage):
    return beside_slow_clients(stage, "posts")
