"""A portal with its own nginx, as `polyclinic run` starts it."""

import os
import random
import re
import signal
import socket
import sqlite3
import subprocess
from contextlib import closing, suppress
from pathlib import Path

from waiting import until

PROGRAM = os.environ.get("POLYCLINIC_BIN", "")


# Ports below the system's ephemeral range, each used once; no two of up to ten processes that test at
# once (gw0, gw1, …, as pytest-xdist names them) take the same.
PROCESS = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % 10
PORTS = iter(random.sample(range(20_000 + PROCESS, 30_000, 10), 1_000))


def free_port():
    """Returns an unused port of this machine that no other caller gets."""
    for port in PORTS:
        with socket.socket() as listener, suppress(OSError):
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(("127.0.0.1", port))
            return port
    raise RuntimeError("All ports are given")


def command(
        *arguments, data=None, port=None, input=None, program=PROGRAM, variables=None, directory=None):
    """Runs the program to its end and captures stdout and stderr as text."""
    environment = dict(os.environ, **(variables or {}))
    if data is not None:
        environment["DATA"] = str(data)
    if port is not None:
        environment["PORT"] = str(port)
    return subprocess.run(
        [program, *map(str, arguments)],
        env=environment, input=input, capture_output=True, text=True, timeout=60, cwd=directory,
    )


def stat(pid):
    """Returns the fields of /proc/PID/stat from the state on: parent, group, session, terminal (proc(5))."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


class Portal:
    """A portal in its own directory, on a free port of this machine."""

    def __init__(self, directory, program=None, before=(), environment=None, options=(), database_url=None):
        """Takes `before`, a prefix of the command line such as `prlimit` with options, `options` of
        `polyclinic run`, and the address of an empty PostgreSQL database in place of a file of SQLite."""
        self.data = Path(directory)
        self.program = program or PROGRAM
        self.before = before
        self.options = options
        # An unusable proxy keeps tests from downloading figures from the internet.
        self.environment = {"https_proxy": "http://127.0.0.1:1", **(environment or {})}
        self.port = free_port()
        self.origin = f"https://localhost:{self.port}"
        self.setup_path = None
        if database_url:
            self.configure(database_url)
        self.process = None
        self.foreground = None
        self.gone = False

    def configure(self, database_url):
        """Writes the configuration of a portal that has not been started yet."""
        modules = ["appointments", "contacts", "health-metrics", "vaccination-qr"]
        self.data.mkdir()
        self.configuration.write_text(
            f'server:\n  origin: "{self.origin}"\nclinic: {{ time_zone: "Europe/Minsk" }}\n'
            f'database:\n  url: "{database_url}"\nmodules:\n'
            + "".join(f"  {module}: {{ enabled: true }}\n" for module in modules))

    @property
    def configuration(self):
        return self.data / "polyclinic.yaml"

    @property
    def database(self):
        return self.data / "data" / "polyclinic.sqlite"

    @property
    def key(self):
        return self.data / "keys" / "master.key"

    @property
    def output(self):
        return self.data.with_suffix(".log")

    def start(self):
        """Starts the portal and waits until it is ready; raises RuntimeError with its output if it exits."""
        self.gone = False
        self.process = subprocess.Popen(
            [*self.before, self.program, "run", *self.options],
            env=dict(os.environ, DATA=str(self.data), PORT=str(self.port), **self.environment),
            stdin=subprocess.DEVNULL,
            stdout=self.output.open("wb"),
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        until(lambda: "Ctrl-C" in self.said or self.process.poll() is not None, seconds=60)
        if self.process.poll() is not None:
            raise RuntimeError(f"The portal ended with status {self.process.returncode}: {self.said}")
        until(lambda: len(self.workers) == 2 and self.pids(" jobs "))
        # The parent of nginx and the supervisor. If root starts the portal, it runs in another session.
        self.foreground = int(stat(self.supervisor)[1])
        if link := re.search(r"https://\S+(/setup/\S+)", self.said):
            self.setup_path = link[1]
        return self

    @property
    def said(self):
        return self.output.read_text(errors="replace")

    def stop(self):
        """Stops the portal as Ctrl-C does and returns its exit status."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        status = self.process.wait(timeout=60)
        self.gone = self.gone or not self.left
        return status

    def kill(self):
        """Kills all remaining processes of the portal by their ids and waits for their end."""
        def none_is_left():
            # Repeats, because a process may have started another before it died.
            left = self.left
            for pid in left:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            return self.process.poll() is not None and not left

        # Kills once only, because the system reuses the id of an ended session.
        if not self.gone:
            until(none_is_left, 60)
        self.gone = True

    def run(self, *arguments):
        """Runs another command of the program as the owner of the portal's data."""
        program, *others = self.command_line(*arguments)
        return command(
            *others, data=self.data, port=self.port, program=program, variables=self.environment)

    def command_line(self, *arguments):
        """Returns the command line that runs another command as the owner of the data."""
        owner = self.data.stat()
        as_owner = [] if owner.st_uid == os.geteuid() else [
            "setpriv", f"--reuid={owner.st_uid}", f"--regid={owner.st_gid}", "--clear-groups"]
        return [*as_owner, self.program, *map(str, arguments), "--config", str(self.configuration)]

    def rows(self, query, *values):
        """Returns the rows of a database query, in which `?` stands for a value."""
        with closing(sqlite3.connect(self.database, timeout=30)) as database:
            return database.execute(query, values).fetchall()

    def execute(self, statement, *values):
        """Changes the database."""
        with closing(sqlite3.connect(self.database, timeout=30)) as database, database:
            database.execute("PRAGMA foreign_keys = ON")
            database.execute(statement, values)

    def pids(self, words):
        """Returns the portal's processes whose command lines contain these words and its directory."""
        found = []
        for entry in Path("/proc").iterdir():
            if not entry.name.isdecimal():
                continue
            try:
                line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            except OSError:
                continue
            if words in line and str(self.data) + "/" in line:
                found.append(int(entry.name))
        return sorted(found)

    @property
    def left(self):
        """All running processes of the portal."""
        return {*self.pids(""), *self.family}

    @property
    def family(self):
        """All processes in the portal's sessions, including nginx's workers, whose command lines name no
        directory."""
        found, leaders = [], {self.foreground, self.process and self.process.pid}
        for entry in Path("/proc").iterdir():
            if entry.name.isdecimal():
                with suppress(OSError):
                    state, _, _, session = stat(entry.name)[:4]
                    if int(session) in leaders and state != "Z":
                        found.append(int(entry.name))
        return found

    @property
    def web_server(self):
        """The nginx processes: the master and its workers."""
        found = []
        for pid in self.family:
            with suppress(OSError):
                if Path(f"/proc/{pid}/comm").read_text() == "nginx\n":
                    found.append(pid)
        return found

    @property
    def workers(self):
        return self.pids(" worker ")

    @property
    def supervisor(self):
        return next(iter(self.pids(" serve ")), None)

    def memory(self):
        """Returns the workers' proportional memory (PSS) in bytes."""
        total = 0
        for pid in self.workers:
            try:
                rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
            except OSError:
                continue
            total += 1024 * int(re.search(r"^Pss:\s+(\d+)", rollup, re.M)[1])
        return total
