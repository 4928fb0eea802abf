"""Programs that run for the length of a block."""

import contextlib
import sqlite3
import subprocess
import time
from pathlib import Path


class Process:
    """A program that is ended with the block it is used in."""

    def __init__(self, command, log, **options):
        self.log = Path(log)
        with open(log, "ab") as output:
            self.process = subprocess.Popen(
                [str(word) for word in command], stdout=output, stderr=output, **options)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(timeout=40)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def await_that(self, is_ready):
        """Returns as soon as the program is ready; fails when it ends or takes too long."""
        deadline = time.monotonic() + 30
        while not is_ready():
            if time.monotonic() > deadline or self.process.poll() is not None:
                end = self.log.read_text(errors="replace")[-2000:]
                raise RuntimeError(f"{self.process.args[0]} does not answer: {end}")
            time.sleep(0.001)

    @property
    def pids(self):
        """The process and its children."""
        return [self.process.pid, *self.children()]

    def children(self, word=""):
        """The process ids of its children whose command line has the word."""
        found = []
        for task in Path(f"/proc/{self.process.pid}/task").iterdir():
            for pid in (task / "children").read_text().split():
                if word in Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " "):
                    found.append(int(pid))
        return found


class Responder(Process):
    """A program that answers requests by FastCGI, with its database in a file of SQLite."""

    def stored(self, table):
        """The number of rows of a table of its database."""
        with contextlib.closing(sqlite3.connect(self.database)) as database:
            return database.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
