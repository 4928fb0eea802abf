"""Requests that no browser and no nginx of ours sends."""

import random
import socket
import ssl
import struct
from contextlib import suppress

from visitor import untrusting

from faults.report import Report
from faults.stage import fault, now

CONTEXT = untrusting()
HEADS = [
    b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", b"GET  / HTTP/1.1\r\n\r\n", b"\r\n" * 40, b"\0" * 64,
    b"GET /%00 HTTP/1.1\r\nHost: localhost\r\n\r\n", b"GET http://[::1 HTTP/1.1\r\n\r\n",
    b"POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
    b"POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nlogin",
    b"POST /login HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    b"POST /login HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n",
    b"GET / HTTP/9.9\r\nHost: localhost\r\n\r\n", b"GET / HTTP/1.1\r\nHost: a b\r\n\r\n",
    b"GET /" + b"x" * 20000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nCookie: " + b"=;" * 9000 + b"\r\n\r\n",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\xff\xff\x01" * 30,
]


def spoilt(chance, whole):
    """A copy with bytes changed, taken out or repeated."""
    bytes_ = bytearray(whole)
    for _ in range(chance.randrange(0, 6)):
        place = chance.randrange(len(bytes_)) if bytes_ else 0
        match chance.randrange(3):
            case 0 if bytes_:
                bytes_[place] = chance.randrange(256)
            case 1:
                del bytes_[place:place + chance.randrange(1, 20)]
            case _:
                bytes_[place:place] = bytes_[place:place + chance.randrange(1, 40)]
    return bytes(bytes_)


def exchange(stream, content):
    """Sends, and takes what comes back, for a moment: what hangs is left hanging."""
    stream.settimeout(0.05)
    with suppress(OSError):
        stream.sendall(content)
        while stream.recv(65536):
            pass


@fault("malformed HTTP")
def http(stage):
    # So few that the people who save meanwhile stay below the limit of their forms in ten minutes.
    count = stage.pick(short=200, long=5_000)
    chance = random.Random(11)
    with stage.portal() as portal:
        crowd = stage.crowd(portal)
        with crowd.at_work():
            for number in range(count):
                plain = socket.create_connection(("localhost", portal.port), timeout=5)
                with plain, suppress(ssl.SSLError, OSError):
                    stream = plain if number % 10 == 0 else CONTEXT.wrap_socket(plain)
                    exchange(stream, spoilt(chance, chance.choice(HEADS)))
            last = now()
        return stage.judge(crowd, portal, last, Report(str(count)))


def record(kind, content, length=None, request=1):
    length = len(content) if length is None else length
    return struct.pack(">BBHHBB", 1, kind, request, length & 0xFFFF, 0, 0) + content


def pair(name, value, name_length=None, value_length=None):
    lengths = b""
    for text, length in [(name, name_length), (value, value_length)]:
        length = len(text) if length is None else length
        lengths += bytes([length]) if length < 128 else struct.pack(">I", length | 0x80000000)
    return lengths + name + value


BEGIN, PARAMS, STDIN = 1, 4, 5
BEGUN = record(BEGIN, b"\0\1\0\0\0\0\0\0")
RECORDS = [
    BEGUN + record(PARAMS, pair(b"REQUEST_METHOD", b"GET") + pair(b"REQUEST_URI", b"/login")
                   + pair(b"HTTP_HOST", b"localhost")) + record(PARAMS, b"") + record(STDIN, b""),
    BEGUN + record(PARAMS, pair(b"A", b"", value_length=0x7FFFFFF0)) + record(PARAMS, b""),
    # Lengths of which the library does not get over (CVE-2025-23016).
    BEGUN + record(PARAMS, pair(b"", b"", 0x7FFFFFFE, 0x7FFFFFFE)) + record(PARAMS, b""),
    BEGUN + record(PARAMS, pair(b"A", b"B"), length=60_000), BEGUN, b"\1", b"\0" * 8,
    record(BEGIN, b"\0\1\0"), record(PARAMS, b"\xff" * 30), record(9, b"FCGI_MAX_CONNS"),
    record(77, b"?"), BEGUN + record(2, b""), BEGUN + BEGUN + record(STDIN, b"x" * 90),
    BEGUN + record(PARAMS, pair(b"CONTENT_LENGTH", b"99") + pair(b"REQUEST_METHOD", b"POST"))
    + record(PARAMS, b"") + record(STDIN, b"a=b"),
]


@fault("malformed FastCGI")
def fastcgi(stage):
    """Straight at the socket, as only another process of this machine could: the library ends the
    worker for some, and its requests with it, so POSTs may fail, as many as there are threads."""
    count = stage.pick(short=200, long=10_000)
    chance = random.Random(13)
    with stage.portal() as portal:
        crowd = stage.crowd(portal)
        path = str(portal.data / "run" / "polyclinic.sock")
        with crowd.at_work():
            for _ in range(count):
                with socket.socket(socket.AF_UNIX) as stream, suppress(OSError):
                    stream.settimeout(5)
                    stream.connect(path)
                    exchange(stream, spoilt(chance, chance.choice(RECORDS)))
            last = now()
        died = portal.said.count("ended unasked")
        report = stage.judge(
            crowd, portal, last, Report(str(count)), failed_gets=died, failed_posts=4 * died)
        report.saw += f"; {died} workers ended"
        return report
