"""An untrusted source of figures: a local server whose responses the test chooses."""

import datetime
import itertools
import re
import socket
import ssl
import subprocess
import threading
import zlib
from contextlib import suppress
from pathlib import Path

from portal import free_port

COUNTRIES = ["BY", "RU", "IL", "DE", "FR", "GB", "PL", "UA", "US", "NA", "XK", "IT", "ES", "JP", "BR", "IN"]
NAMES = "Date_reported,Country_code,Country,WHO_region,New_cases,Cumulative_cases,New_deaths,Cumulative_deaths"


def certificate(directory, name="upstream"):
    """Creates a self-signed certificate for this machine; returns it and its key."""
    made, key = directory / f"{name}.pem", directory / f"{name}.key"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
         "-days", "2", "-subj", f"/CN={name}", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.2",
         "-keyout", key, "-out", made],
        check=True, capture_output=True)
    made.chmod(0o644)
    return made, key


def context(identity):
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.load_cert_chain(*identity)
    return made


class Upstream:
    """A server for HTTPS, or HTTP without a certificate, on its own port; one request per connection."""

    def __init__(self, identity=None, address="127.0.0.1"):
        self.port = free_port()
        self.answer = answer(b"")
        self.asked = []
        self.released = threading.Event()
        self.context = None
        if identity:
            self.context = context(identity)
        self.address = address
        self.listener = None
        self.open()

    @property
    def origin(self):
        host = "localhost" if self.address == "127.0.0.1" else self.address
        return f"{'https' if self.context else 'http'}://{host}:{self.port}"

    def open(self):
        """Listens on the server's port, the same after each `close`."""
        self.listener = socket.create_server((self.address, self.port), backlog=64)
        threading.Thread(target=self.accept, args=[self.listener], daemon=True).start()

    def close(self):
        """Frees the port and ends waiting responses."""
        # Wakes the thread in accept, which would keep the port in use.
        with suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.released.set()

    def accept(self, listener):
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=[connection], daemon=True).start()

    def serve(self, connection):
        # The client may disconnect at any moment or reject the certificate.
        with connection, suppress(OSError):
            if self.context:
                connection = self.context.wrap_socket(connection, server_side=True)
            with connection:
                head = b""
                while b"\r\n\r\n" not in head:
                    piece = connection.recv(65536)
                    if not piece:
                        return
                    head += piece
                self.asked.append(head.split(b" ")[1].decode())
                self.answer(self, connection)


def answer(body, status="200 OK", **headers):
    """Returns a handler that sends the body with its length."""
    def send(_, connection):
        connection.sendall(head(status, Content_Length=len(body), **headers) + body)
    return send


def halved(body):
    """Returns a handler that sends the second half of the body when the source is released."""
    def send(upstream, connection):
        half = len(body) // 2
        connection.sendall(head(Content_Length=len(body)) + body[:half])
        upstream.released.wait(60)
        connection.sendall(body[half:])
    return send


def head(status="200 OK", **headers):
    """Returns the head of a response; header names have `_` in place of `-`."""
    lines = [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([f"HTTP/1.1 {status}", *lines, "Connection: close", "", ""]).encode()


def redirect(address, status="302 Found"):
    return answer(b"<html>elsewhere</html>", status, Location=address)


def hang(upstream, connection):
    """Sends no response."""
    upstream.released.wait(60)


def trickle(upstream, connection):
    """Sends one byte a second."""
    connection.sendall(head(Content_Length=1_000_000))
    while not upstream.released.wait(1):
        connection.sendall(b"D")


def endless(_, connection):
    """Sends an endless body of figures."""
    piece = b"2026-01-01,BY,Belarus,EUR,1,1,0,0\n" * 8_000
    connection.sendall(head() + NAMES.encode() + b"\n")
    while True:
        connection.sendall(piece)


def endless_headers(_, connection):
    """Sends endless headers."""
    connection.sendall(b"HTTP/1.1 200 OK\r\n")
    for number in range(10_000_000):
        connection.sendall(b"".join(b"X-%d-%d: %s\r\n" % (number, part, b"x" * 900) for part in range(100)))


def length_of_gigabytes(_, connection):
    """Sends a Content-Length of nine gigabytes."""
    connection.sendall(head(Content_Length=9_000_000_000) + figures())


def cut_off(body):
    """Returns a handler that sends half of the announced length."""
    def send(_, connection):
        connection.sendall(head(Content_Length=len(body)) + body[:len(body) // 2])
    return send


def endless_chunks(body):
    """Returns a handler that closes the connection before the last chunk."""
    def send(_, connection):
        connection.sendall(head(Transfer_Encoding="chunked") + f"{len(body):x}\r\n".encode() + body + b"\r\n")
    return send


def bomb(request, connection):
    """Sends a gzip bomb: a megabyte that unpacks to a gigabyte."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    header = packer.flush(zlib.Z_FULL_FLUSH)
    # After a full flush, a block does not depend on those before it.
    zeros = packer.compress(b"\0" * (1 << 20)) + packer.flush(zlib.Z_FULL_FLUSH)
    packed = header + 1024 * zeros
    answer(packed, Content_Encoding="gzip")(request, connection)


def day_after_tomorrow():
    return datetime.date.today() + datetime.timedelta(days=2)


def figures(countries=COUNTRIES, days=60, until=None, row=None):
    """Returns a file in the format of the World Health Organization; `row` gives a country's new cases of a day."""
    until = until or datetime.date.today()
    new = row or (lambda code, day: 100 + day)
    lines = ["\ufeff" + NAMES]
    for code in countries:
        total = 0
        for day in range(days):
            cases = new(code, day)
            total += cases
            date = until - datetime.timedelta(days=days - 1 - day)
            lines.append(f"{date},{code},Name,EUR,{cases},{total},,{day}")
    return ("\n".join(lines) + "\n").encode()


def large_figures(names, row, lines=500_000):
    """Returns a file of that many lines; `row` formats a date, a country's codes and a number."""
    countries = all_countries()
    days = lines // len(countries) + 1
    rows = (row(datetime.date.today() - datetime.timedelta(days=days - 1 - day), *codes, day)
            for codes in countries for day in range(days))
    return "\n".join([names, *itertools.islice(rows, lines), ""]).encode()


def large_who():
    return large_figures(NAMES, lambda date, _, code, day: (
        f'{date},{code},"A country, of some name",EURO,{day},{day * day},{day // 9},{day * day // 90}'))


def large_owid():
    """Returns a large file in the format of Our World in Data, with 61 columns."""
    others = [f"other_{number}" for number in range(53)]
    rest = ",".join("12.345" if number % 2 else "" for number in range(53))
    names = ["country", "date", "total_cases", "new_cases", "total_deaths", "new_deaths", *others, "code",
             "population"]
    return large_figures(",".join(names), lambda date, code, _, day: (
        f"A country,{date},{day * day}.0,{day}.0,{day * day // 90}.0,{day // 9}.0,{rest},{code},9534956.0"))


def all_countries():
    """Returns the three-letter and two-letter code of each country that the module supports."""
    table = Path(__file__).parents[2] / "Plugins/CovidStats/Sources/Alpha3Codes.swift"
    return [(codes[:3], codes[3:]) for codes in re.findall(r"\b[A-Z]{5}\b", table.read_text())]
