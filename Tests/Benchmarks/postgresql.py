"""The portal with its database on a PostgreSQL server of the same machine, beside the portal on SQLite."""

import os
import re
import statistics
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from fastcgi import ask
from measuring import processor_time
from portal import ROOT, THREADS, Portal
from side import Side
from table import Comparison, row, times, verdict

sys.path.append(str(ROOT / "Tests" / "EndToEnd" / "postgresql"))
from workspace import Workspace  # noqa: E402

HEAD = """\
| | on PostgreSQL | on SQLite | ratio | of all rounds | aim | | the server's | requests/s | ratio | p50 ms | p99 ms | writes repeated | aim | |
| --- | ---: | ---: | ---: | ---: | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |"""
# The most of the first tries of writes that may run a second time.
MOST_REPEATED = 0.05
ROLE = "polyclinic"


class Server:
    """A PostgreSQL server of its own, of an ordinary user, in a temporary directory and at a unix socket alone. It
    has Debian's settings otherwise, with which each commit is on the disk before it is answered."""

    SETTINGS = {"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on", "listen_addresses": ""}

    def __enter__(self):
        self.workspace = Workspace()
        try:
            self.start()
        except BaseException:
            self.workspace.remove()
            raise
        return self

    def __exit__(self, *_):
        self.workspace.remove()

    def start(self):
        data = self.workspace.path / "data"
        self.workspace.run(
            "initdb", "--username=postgres", "--auth=trust", "--locale=C", "--encoding=UTF8", "--no-instructions",
            "--pgdata", data)
        settings = self.SETTINGS | {"unix_socket_directories": str(self.workspace.path)}
        with (data / "postgresql.conf").open("a") as configuration:
            configuration.write("".join(f"{name} = '{value}'\n" for name, value in settings.items()))
        self.workspace.run("pg_ctl", "start", "--wait", "--silent", "-D", data, "-l", self.workspace.path / "log")
        self.main = int((data / "postmaster.pid").read_text().split()[0])
        self.run("postgres", f"CREATE ROLE {ROLE} LOGIN")

    def run(self, database, statement):
        """What a statement prints."""
        return self.workspace.run(
            "psql", "--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--set=ON_ERROR_STOP=1",
            f"--host={self.workspace.path}", "--username=postgres", f"--dbname={database}", f"--command={statement}")

    def create(self, database):
        """Creates an empty database, and returns its address."""
        self.run("postgres", f"CREATE DATABASE {database} OWNER {ROLE} TEMPLATE template0")
        return f"postgresql:///{database}?host={quote(str(self.workspace.path), safe='')}&user={ROLE}"

    @property
    def seconds(self):
        """The processor time of all its processes, also of those that ended: the portal closes idle connections."""
        # utime, stime, cutime and cstime: proc(5).
        times = Path(f"/proc/{self.main}/stat").read_text().rpartition(")")[2].split()[11:15]
        spent = sum(map(int, times)) / os.sysconf("SC_CLK_TCK")
        for pid in Path(f"/proc/{self.main}/task/{self.main}/children").read_text().split():
            # Some end meanwhile, as a worker of autovacuum does.
            with suppress(OSError):
                spent += processor_time([int(pid)])
        return spent


class PortalOnPostgreSQL(Portal):
    """`polyclinic serve` in a directory whose database has been moved to a server."""

    name = "portal on PostgreSQL"

    def __init__(self, program, directory, server, database):
        self.server = server
        self.served = database
        super().__init__(program, directory)

    def stored(self, table):
        return int(self.server.run(self.served, f"SELECT count(*) FROM {table}"))

    @property
    def writes(self):
        """The number of its writes, and of those that ran a second time."""
        text = ask(self.socket, "/metrics")
        counts = []
        for sample in ["write_wait_seconds_count", 'write_repeats_total{run="second"}']:
            found = re.search(rf"^polyclinic_database_{re.escape(sample)} (\d+)", text, re.M)
            if not found:
                raise RuntimeError(f"/metrics lacks {sample}: {text[:400]}")
            counts.append(int(found[1]))
        return counts


def move(program, directory, server, database):
    """Moves a portal's database to the server; returns the seconds that it took."""
    address = server.create(database)
    configuration = directory / "portal" / "polyclinic.yaml"
    # The one that was filled lacks the tables of some modules.
    run(program, "migrate", "--config", configuration)
    began = time.monotonic()
    said = run(program, "database", "move", address, "--config", configuration)
    seconds = time.monotonic() - began
    if address not in configuration.read_text():
        raise RuntimeError(f"the portal does not use the other database: {said}")
    # As the server does by itself within minutes, but not while it is measured.
    server.run(database, "VACUUM ANALYZE")
    server.run(database, "CHECKPOINT")
    return seconds


def run(*command):
    """What a command prints."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{' '.join(done.args)}: {done.stdout}{done.stderr}")
    return done.stdout


def set_threads(directory, threads):
    """Has the portal's worker begin with another number of threads than the ordinary one."""
    configuration = directory / "portal" / "polyclinic.yaml"
    text, count = re.subn(r"\bthreads: \d+", f"threads: {threads}", configuration.read_text())
    if count != 1:
        raise RuntimeError(f"{configuration} does not name the threads")
    configuration.write_text(text)


@dataclass
class Count:
    """The writes of a portal on PostgreSQL in a round, and those of them that ran a second time."""

    writes: int
    repeated: int

    @property
    def share(self):
        return self.repeated / max(self.writes, 1)


class ServedSide(Side):
    """The side of a portal on PostgreSQL. Counts what its server spends, and its writes in each round."""

    def __init__(self, row, front, files):
        super().__init__(row, front, files)
        self.spent = 0
        self.counts = []

    def add(self, seconds, number):
        portal = self.front.responder
        spent, before = portal.server.seconds, portal.writes
        super().add(seconds, number)
        self.spent += portal.server.seconds - spent
        self.counts.append(Count(*(last - first for first, last in zip(before, portal.writes))))


def line(kind, sides):
    """The line of the table. Judged are the processor time of the portal alone, and the writes of the last round."""
    compared = Comparison(kind, *(side.rounds for side in sides))
    ratios = compared.ratios("per_request")
    one, other = (f"{compared.median(of, 'per_request'):.0f} µs" for of in compared.both)
    ratio = statistics.median(ratios)
    return row(
        kind.title, one, other, times(ratio), f"{times(min(ratios))} – {times(max(ratios))}",
        f"≤ {times(kind.aim)}" if kind.aim else "", verdict(ratio, kind.aim),
        f"{sides[0].spent / sides[0].answered * 1e6:.0f} µs",
        compared.pair("rate", 1), times(statistics.median(compared.ratios("rate"))),
        compared.pair("median", 1e-3), compared.pair("slowest", 1e-3),
        *(repeated_cells(sides[0].counts) if kind.table else []))


def repeated_cells(counts):
    """The cells of the writes that ran a second time, in the first round and in the last."""
    first, last = counts[0], counts[-1]
    share = f"{first.share:.1%}, then {last.share:.1%}"
    return [share, f"≤ {MOST_REPEATED:.0%}", verdict(last.share, MOST_REPEATED)]


NOTE = f"""\
PostgreSQL on the same machine, by a unix socket, with {', '.join(
    f'{name}={value}' for name, value in Server.SETTINGS.items() if value)}, and Debian's settings otherwise.
One worker of {THREADS} threads where no other number is named. The server's is its processor time for each request.
Repeated are the writes that ran a second time, in the first round and in the last."""
