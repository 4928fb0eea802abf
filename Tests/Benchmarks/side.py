"""One of the two that a row compares."""

import contextlib

from measuring import load


class Side:
    """A responder under the load of a file of requests, round after round, or of another in each."""

    def __init__(self, row, front, files):
        self.row = row
        self.front = front
        self.files = files
        # A file of the forms that one more client sends meanwhile.
        self.forms = None
        self.rounds = []
        self.saved = 0
        # The requests of all rounds, also of the one that is not counted.
        self.answered = 0
        self.size = None

    def add(self, seconds, number):
        expected = self.row.status if number == 0 else None
        file = self.files[number % len(self.files)]
        result = load(self.front, file, seconds, self.row.connections, expected, self.forms)
        self.saved += result.saved if self.forms else result.requests
        self.answered += result.requests
        if number == 0:
            self.size = result.size
            return
        # A redirect or a page of words is no error to the client, and much smaller.
        if abs(result.size / self.size - 1) > 0.1:
            raise RuntimeError(
                f"{self.front.responder.name} answered {file.name} otherwise than before")
        self.rounds.append(result)

    @contextlib.contextmanager
    def counted(self, table):
        """Stops unless something is stored for each form that was answered."""
        responder, connections = self.front.responder, 1 if self.forms else self.row.connections
        before = responder.stored(table)
        yield
        # Some are under way when a round ends.
        under_way = connections * (len(self.rounds) + 1)
        if not 0 <= responder.stored(table) - before - self.saved <= under_way:
            raise RuntimeError(f"{responder.name} answered forms that it did not save")
