"""What is read of processes, and the load that they are put under."""

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

    `together` is the processor time of a request with that of the web server in front.
    """

    requests: int
    per_request: float
    together: float
    rate: float
    median: float
    slowest: float
    size: float


def load(port, requests, seconds, responder, expected=None, front=(), connections=CONNECTIONS):
    """Puts a responder under the load of a file of requests; its processes' time is what counts.

    `front` are the processes of the web server, whose time is counted as well.

    With `expected` each answer's status is compared. Without, only errors are seen, and the caller
    compares the answers' size with that of a round in which they were the right ones.
    """
    pids = responder.pids
    before = processor_time(pids)
    before_in_front = processor_time(front)
    command = [
        "wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--timeout", "20s",
        "-H", f"Host: {HOST}", "-s", Path(__file__).parent / "load.lua", f"http://127.0.0.1:{port}/", "--", requests,
    ]
    if expected:
        command.append(str(expected))
    done = subprocess.run(command, capture_output=True, text=True, timeout=seconds + 60)
    spent = processor_time(pids) - before
    together = spent + processor_time(front) - before_in_front
    figures = re.search(r"^figures (\d+) (\d+) (\d+) (\d+) (\d+) (\d+)$", done.stdout, re.M)
    if not figures:
        raise RuntimeError(f"wrk said: {done.stdout}{done.stderr}")
    count, failed, size, duration, median, slowest = map(int, figures.groups())
    if responder.pids != pids:
        raise RuntimeError(f"processes of {responder.name} ended under load")
    if failed or not count:
        raise RuntimeError(f"{failed} of {count} requests of {requests.name} failed: {done.stdout}")
    return Round(
        requests=count, per_request=spent / count * 1e6,
        together=together / count * 1e6, rate=count / duration * 1e6, median=median, slowest=slowest, size=size / count,
    )
