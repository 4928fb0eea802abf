"""The portal with its database on a PostgreSQL server of the same machine, beside the portal on SQLite."""

import re
import statistics
import subprocess
import sys
import time
from contextlib import contextmanager
from urllib.parse import quote

from fastcgi import ask
from measuring import processor_time
from portal import ROOT, THREADS, Portal
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
        """The processor time of each of its processes, by their ids. There is one for each connection."""
        found = {}
        for pid in [self.main, *children(self.main)]:
            try:
                found[pid] = processor_time([pid])
            except OSError:
                # It has ended meanwhile, as a worker of autovacuum does.
                continue
        return found


def children(pid):
    with open(f"/proc/{pid}/task/{pid}/children") as ids:
        return [int(word) for word in ids.read().split()]


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
    # As autovacuum does within minutes.
    server.run(database, "VACUUM ANALYZE")
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


class Counts:
    """What a server did, and the portal's writes there, during a row."""

    server = 0.0
    writes = repeated = 0

    @contextmanager
    def counting(self, portal):
        seconds, (writes, repeated) = portal.server.seconds, portal.writes
        yield
        last = portal.server.seconds
        self.server = sum(last[pid] - seconds[pid] for pid in seconds.keys() & last.keys())
        after, repeated_after = portal.writes
        self.writes, self.repeated = after - writes, repeated_after - repeated


def line(kind, sides, counts):
    """The line of the table. Judged is the processor time of the portal alone."""
    compared = Comparison(kind, *(side.rounds for side in sides))
    ratios = compared.ratios("per_request")
    one, other = (f"{compared.median(of, 'per_request'):.0f} µs" for of in compared.both)
    ratio = statistics.median(ratios)
    share, most = counts.repeated / max(counts.writes, 1), MOST_REPEATED
    return row(
        kind.title, one, other, times(ratio), f"{times(min(ratios))} – {times(max(ratios))}",
        f"≤ {times(kind.aim)}" if kind.aim else "", verdict(ratio, kind.aim),
        f"{counts.server / sides[0].answered * 1e6:.0f} µs",
        compared.pair("rate", 1), times(statistics.median(compared.ratios("rate"))),
        compared.pair("median", 1e-3), compared.pair("slowest", 1e-3),
        *([f"{share:.1%} of {counts.writes}", f"≤ {most:.0%}", verdict(share, most)] if kind.table else []))


NOTE = f"""\
PostgreSQL on the same machine, by a unix socket, with {', '.join(
    f'{name}={value}' for name, value in Server.SETTINGS.items() if value)}, and Debian's settings otherwise.
One worker of {THREADS} threads where no other number is named. Repeated are the writes that ran a second time.
The server's is its processor time for each request."""
