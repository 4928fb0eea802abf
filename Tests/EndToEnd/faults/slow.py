"""Those who send or read a little at a time, or nothing at all."""

import socket
import ssl
from contextlib import ExitStack, suppress

from visitor import untrusting

from faults.report import Report
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


@fault("connections without a request")
def half_open(stage):
    return beside(stage, lambda portal, stack: connect(portal, stack, secure=False),
                  stage.pick(100, 400))


@fault("requests that never end")
def unfinished(stage):
    def hold(portal, stack):
        connect(portal, stack).sendall(
            b"POST /login HTTP/1.1\r\nHost: localhost:%d\r\nContent-Length: 400\r\n"
            b"Content-Type: application/x-www-form-urlencoded\r\n\r\nlogin=" % portal.port)

    return beside(stage, hold, stage.pick(60, 200))


@fault("answers that nobody reads")
def unread(stage):
    def hold(portal, stack):
        stream = connect(portal, stack)
        stream.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        stream.sendall(b"GET /register HTTP/1.1\r\nHost: localhost:%d\r\n\r\n" % portal.port * 20)

    return beside(stage, hold, stage.pick(60, 90))


@fault("half a FastCGI record on each thread")
def stalled(stage):
    """Only another process of this machine could: a thread waits for the rest for some seconds."""
    def hold(portal, stack):
        stream = stack.enter_context(socket.socket(socket.AF_UNIX))
        stream.settimeout(5)
        stream.connect(str(portal.data / "run" / "polyclinic.sock"))
        stream.sendall(b"\1\1\0")

    return beside(stage, hold, 12)
