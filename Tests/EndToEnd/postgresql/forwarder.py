"""A link between a portal and its database that is slow, breaks, or breaks while a transaction commits."""

import random
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from enum import Enum
from pathlib import Path

# The bytes that name a message's type and length (postgresql.org/docs/15/protocol-message-formats.html).
HEAD = 5
# The longest part of a stream that is read at once.
PART = 1 << 16


class Cut(Enum):
    """The moment in a COMMIT at which the connection breaks."""

    BEFORE = "before the server reads COMMIT"
    UNANSWERED = "before its answer"
    HALFWAY = "in the middle of its answer"


class Broken(Exception):
    """The connection is to break."""


class Messages:
    """Cuts a stream into whole messages. A client's first message has no type."""

    def __init__(self, from_client: bool) -> None:
        self.head = HEAD - 1 if from_client else HEAD
        self.rest = b""

    def read(self, part: bytes) -> Iterator[tuple[bytes, bytes]]:
        """Yields each message that is complete: its type, which may be empty, and all of its bytes."""
        self.rest += part
        while len(self.rest) >= self.head:
            # The length counts itself, but not the type.
            [length] = struct.unpack_from("!i", self.rest, self.head - 4)
            end = self.head - 4 + length
            if len(self.rest) < end:
                return
            message, self.rest = self.rest[:end], self.rest[end:]
            yield message[:self.head - 4], message
            self.head = HEAD


class Commits:
    """Recognizes the COMMIT of a client, sent as a text or as a prepared statement, and the server's answer."""

    def __init__(self) -> None:
        self.statements: set[bytes] = set()
        self.portals: set[bytes] = set()

    def is_sent(self, kind: bytes, message: bytes) -> bool:
        """Returns True if the client's message has the server commit."""
        first, _, rest = message[HEAD:].partition(b"\0")
        second = rest.partition(b"\0")[0]
        match kind:
            case b"P":
                self.note(self.statements, first, second.strip().upper() == b"COMMIT")
            case b"B":
                self.note(self.portals, first, second in self.statements)
            case b"E":
                return first in self.portals
            case b"Q":
                return first.strip(b" ;\n").upper() == b"COMMIT"
        return False

    @staticmethod
    def note(names: set[bytes], name: bytes, holds: bool) -> None:
        if holds:
            names.add(name)
        else:
            names.discard(name)

    @staticmethod
    def is_answer(kind: bytes, message: bytes) -> bool:
        """Returns True if the server's message says that it has committed."""
        return kind == b"C" and message[HEAD:] == b"COMMIT\0"


class Connection:
    """One client's connection, forwarded by two threads."""

    def __init__(self, forwarder: "Forwarder", client: socket.socket, server: socket.socket) -> None:
        self.forwarder = forwarder
        self.client = client
        self.server = server
        self.commits = Commits()
        for pump in (self.forward, self.answer):
            threading.Thread(target=self.until_broken, args=(pump,), daemon=True).start()

    def until_broken(self, pump) -> None:
        # An OSError is the end of one side, upon which the other side's connection ends, too.
        with suppress(OSError, Broken):
            pump()
        self.drop()

    def drop(self) -> None:
        self.forwarder.connections.discard(self)
        for end in (self.client, self.server):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def forward(self) -> None:
        messages = Messages(from_client=True)
        while part := self.client.recv(PART):
            for kind, message in messages.read(part):
                if self.commits.is_sent(kind, message):
                    self.forwarder.commit_reaches(Cut.BEFORE)
                self.server.sendall(message)

    def answer(self) -> None:
        messages = Messages(from_client=False)
        while part := self.server.recv(PART):
            # A part is the answer to one exchange, so that each exchange takes so much longer.
            time.sleep(self.forwarder.delay)
            for kind, message in messages.read(part):
                if self.commits.is_answer(kind, message):
                    self.forwarder.commit_reaches(Cut.UNANSWERED)
                    self.end_with(message, self.forwarder.breaks_at(Cut.HALFWAY))
                self.end_with(message, self.forwarder.breaks_by_chance())
                self.client.sendall(message)

    def end_with(self, message: bytes, breaks: bool) -> None:
        """Sends half of the message and breaks."""
        if breaks:
            self.client.sendall(message[:len(message) // 2])
            raise Broken


class Forwarder:
    """A unix socket in a directory of its own that stands for a server's socket. All connections pass it, and it does
    to them what its properties say."""

    def __init__(self, directory: Path, server: Path, seed: int = 1) -> None:
        """Takes the directory for the socket, and the path of the server's socket."""
        self.server = server
        # Seconds by which each answer is late.
        self.delay = 0.0
        # The share of the server's messages in which the connection breaks.
        self.chance = 0.0
        # The number of connections that broke.
        self.broken = 0
        # False to end each new connection at once.
        self.accepts = True
        self.connections: set[Connection] = set()
        self.cuts: list[Cut] = []
        # Called just before a COMMIT breaks.
        self.before_cut: Callable[[], object] = lambda: None
        self.random = random.Random(seed)
        self.lock = threading.Lock()
        self.directory = directory
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(directory / ".s.PGSQL.5432"))
        (directory / ".s.PGSQL.5432").chmod(0o777)
        self.listener.listen(128)
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self) -> None:
        # The end of the listener ends the thread.
        with suppress(OSError):
            while True:
                client, _ = self.listener.accept()
                server = socket.socket(socket.AF_UNIX)
                try:
                    if not self.accepts:
                        raise Broken
                    server.connect(str(self.server))
                except (OSError, Broken):
                    client.close()
                    server.close()
                    continue
                self.connections.add(Connection(self, client, server))

    def cut_commits(self, *cuts: Cut) -> None:
        """Has the next COMMITs break, each at one of these moments."""
        with self.lock:
            self.cuts += cuts

    def breaks_at(self, moment: Cut) -> bool:
        """Returns True, and forgets the cut, if the next one is to be at this moment."""
        with self.lock:
            breaks = self.cuts[:1] == [moment]
            if breaks:
                del self.cuts[0]
                self.broken += 1
        return breaks

    def commit_reaches(self, moment: Cut) -> None:
        if self.breaks_at(moment):
            self.before_cut()
            raise Broken

    def breaks_by_chance(self) -> bool:
        with self.lock:
            breaks = self.random.random() < self.chance
            self.broken += breaks
        return breaks

    def drop_all(self) -> None:
        """Breaks all connections."""
        for connection in list(self.connections):
            connection.drop()

    def close(self) -> None:
        self.accepts = False
        with suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.drop_all()

    def __enter__(self):
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
