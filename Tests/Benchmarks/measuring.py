"""Measurements of processes, and the generation of load."""

import contextlib
import re
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from fastcgi import HOST

# The connections of the rows that do not name another number.
CONNECTIONS = 16


def processor_time(pids):
    """Seconds that the processes have run, in user and kernel mode, in threads that ended, too."""
    return sum(time.clock_gettime(processor_clock(pid)) for pid in pids)


def processor_clock(pid):
    """Another process's clock, in nanoseconds, as clock_getcpuclockid(3) makes its number."""
    return ~pid << 3 | 2


def proportional_memory(pid):
    """Bytes of a process, pages shared with others counted in part (PSS)."""
    rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
    return 1024 * int(re.search(r"^Pss:\s+(\d+)", rollup, re.M)[1])


@dataclass
class Round:
    """One responder under load for a while; times in microseconds.

    `together` is the processor time of a request with that of the web server in front. `saved` is the
    number of forms that one more client had answered meanwhile, `saves` that of a second. The processor
    time is of these requests, too.
    """

    requests: int
    per_request: float
    together: float
    rate: float
    median: float
    slowest: float
    size: float
    saved: int = 0
    saves: float = 0


class Client:
    """A run of wrk, which sends the requests of a file to a web server."""

    def __init__(self, url, requests, seconds, connections, expected=None):
        self.requests = requests
        self.longest = seconds + 60
        command = [
            "wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--timeout", "20s", "-H", f"Host: {HOST}",
            "-s", Path(__file__).parent / "load.lua", url, "--", requests,
        ]
        if expected:
            command.append(str(expected))
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()

    def figures(self):
        """Returns requests, bytes, duration, median and 99th percentile; stops if a request failed."""
        output, errors = self.process.communicate(timeout=self.longest)
        figures = re.search(r"^figures (\d+) (\d+) (\d+) (\d+) (\d+) (\d+)$", output, re.M)
        if not figures:
            raise RuntimeError(f"wrk said: {output}{errors}")
        count, failed, *others = map(int, figures.groups())
        if failed or not count:
            raise RuntimeError(f"{failed} of {count} requests of {self.requests.name} failed: {output}")
        return count, *others


def load(front, requests, seconds, connections=CONNECTIONS, expected=None, forms=None):
    """Puts a responder behind its web server under the load of a file of requests.

    With `expected` each answer's status is compared. Without, only errors are seen, and the caller
    compares the answers' size with that of a round in which they were the right ones. With `forms` one
    more client sends the forms of that file meanwhile, without a pause.
    """
    pids, all_pids = front.responder.pids, front.pids
    before, all_before = processor_time(pids), processor_time(all_pids)
    with contextlib.ExitStack() as clients:
        if forms:
            status = 303 if expected else None
            writer = clients.enter_context(Client(front.url, forms, seconds, 1, status))
        reader = clients.enter_context(Client(front.url, requests, seconds, connections, expected))
        count, size, duration, median, slowest = reader.figures()
        saved, _, saving, *_ = writer.figures() if forms else (0, 0, 1)
    spent = processor_time(pids) - before
    together = spent + processor_time(all_pids) - all_before
    if front.responder.pids != pids or front.pids != all_pids:
        raise RuntimeError(f"processes of {front.responder.name} or of its nginx ended under load")
    return Round(
        requests=count, per_request=spent / (count + saved) * 1e6,
        together=together / (count + saved) * 1e6, rate=count / duration * 1e6, median=median,
        slowest=slowest, size=size / count, saved=saved, saves=saved / saving * 1e6,
    )
