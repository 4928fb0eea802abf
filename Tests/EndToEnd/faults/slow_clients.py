"""python3 slow_clients.py PORT KIND COUNT: thousands of slow clients of one address, until it is killed.

A process of its own, so that it takes no time from those who measure. Each second it sends one more byte
on every connection, makes those anew that were closed, and prints how many are open, and how many were
opened in all.
"""

import contextlib
import resource
import selectors
import socket
import ssl
import sys
import time

HEADS = {
    "heads": b"GET /login HTTP/1.1\r\nHost: localhost:%d\r\nX-Slow: ",
    "posts": b"POST /login HTTP/1.1\r\nHost: localhost:%d\r\nContent-Length: 500000\r\n"
             b"Content-Type: application/x-www-form-urlencoded\r\n\r\nlogin=",
}
# Beside the connections: standard streams, the selector, what Python opens.
SPARE = 50


def raise_limit(count):
    """Takes as many descriptors as the hard limit allows; says whether they are enough."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard == resource.RLIM_INFINITY or hard >= count + SPARE


def untrusting():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


class Client:
    """One connection: its handshake, its beginning, then a byte a second."""

    def __init__(self, port, context, beginning):
        plain = socket.socket()
        plain.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            plain.connect(("127.0.0.1", port))
        self.stream = context.wrap_socket(
            plain, server_hostname="localhost", do_handshake_on_connect=False)
        self.beginning = beginning
        self.is_ready = False

    def advance(self):
        """Goes on with the handshake, then reads what there is; raises when the connection has ended."""
        if not self.is_ready:
            self.stream.do_handshake()
            self.stream.send(self.beginning)
            self.is_ready = True
        while not self.stream.recv(65536) == b"":
            pass
        raise ConnectionError("closed")

    def trickle(self):
        if self.is_ready:
            self.stream.send(b"x")


def hold(port, kind, count):
    context = untrusting()
    beginning = HEADS[kind] % port
    waiting = selectors.EpollSelector()
    clients = set()

    def drop(client):
        with contextlib.suppress(KeyError, ValueError):
            waiting.unregister(client.stream)
        client.stream.close()
        clients.discard(client)

    def tried(client, action):
        try:
            action()
        except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
            pass
        except OSError:
            drop(client)

    upcoming = time.monotonic() + 1
    opened = 0
    while True:
        for _ in range(min(100, count - len(clients))):
            try:
                client = Client(port, context, beginning)
            except BlockingIOError:
                # nginx's queue is full. The rest follows in the next round.
                break
            clients.add(client)
            opened += 1
            waiting.register(client.stream, selectors.EVENT_READ, client)
            tried(client, client.advance)
        for key, _ in waiting.select(0.01):
            tried(key.data, key.data.advance)
        if time.monotonic() >= upcoming:
            upcoming = time.monotonic() + 1
            for client in list(clients):
                tried(client, client.trickle)
            print(sum(client.is_ready for client in clients), opened, flush=True)


if __name__ == "__main__":
    port, kind, count = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    if not raise_limit(count):
        sys.exit(f"the hard limit of descriptors is below {count + SPARE}")
    hold(port, kind, count)
