"""What is read of processes, and the load that they are put under."""

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

CONNECTIONS = 16


def processor_time(pids):
    """Seconds that the processes' threads have run, in user and kernel mode."""
    nanoseconds = 0
    for pid in pids:
        for task in Path(f"/proc/{pid}/task").iterdir():
            nanoseconds += int((task / "schedstat").read_text().split()[0])
    return nanoseconds / 1e9


def proportional_memory(pid):
    """Bytes of a process, pages shared with others counted in part (PSS)."""
    rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
    return 1024 * int(re.search(r"^Pss:\s+(\d+)", rollup, re.M)[1])


@dataclass
class Round:
    """One responder under load for a while; times in microseconds."""

    per_request: float
    nginx_per_request: float
    rate: float
    median: float
    slowest: float


def load(url, host, cookies, seconds, responder, nginx):
    """Puts a responder under load; `responder` and `nginx` are their process ids."""
    before = processor_time(responder), processor_time(nginx)
    command = [
        "wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds}s", "-H", f"Host: {host}",
        "-H", "Accept-Language: en", "-s", Path(__file__).parent / "load.lua", url, "--",
    ]
    if cookies:
        command.append(cookies)
    done = subprocess.run(command, capture_output=True, text=True, timeout=seconds + 30)
    after = processor_time(responder), processor_time(nginx)
    figures = re.search(r"^figures (\d+) (\d+) (\d+) (\d+) (\d+)$", done.stdout, re.M)
    if not figures:
        raise RuntimeError(f"wrk said: {done.stdout}{done.stderr}")
    requests, failed, duration, median, slowest = map(int, figures.groups())
    if failed or not requests:
        raise RuntimeError(f"{failed} of {requests} requests to {url} failed")
    return Round(
        per_request=(after[0] - before[0]) / requests * 1e6,
        nginx_per_request=(after[1] - before[1]) / requests * 1e6,
        rate=requests / duration * 1e6, median=median, slowest=slowest,
    )
