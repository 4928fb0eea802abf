"""A portal with an nginx of its own, as `polyclinic run` starts it."""

import os
import random
import re
import signal
import socket
import subprocess
from contextlib import suppress
from pathlib import Path

from waiting import until

PROGRAM = os.environ.get("POLYCLINIC_BIN", "")


# Below those that the system gives to whoever calls or listens without naming one, each given once.
PORTS = iter(random.sample(range(20_000, 30_000), 10_000))


def free_port():
    """A port of this machine that nobody listens on and nobody else is given."""
    for port in PORTS:
        with socket.socket() as listener, suppress(OSError):
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(("127.0.0.1", port))
            return port
    raise RuntimeError("All ports are given")


def command(*arguments, data=None, port=None, input=None, program=PROGRAM, variables=None):
    """Runs the program to its end; its output is text, with errors and answers apart."""
    environment = dict(os.environ, **(variables or {}))
    if data is not None:
        environment["DATA"] = str(data)
    if port is not None:
        environment["PORT"] = str(port)
    return subprocess.run(
        [program, *map(str, arguments)],
        env=environment, input=input, capture_output=True, text=True, timeout=60,
    )


def stat(pid):
    """What the kernel tells of a process from its state on: its parent, group, session, terminal (proc(5))."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


class Portal:
    """A portal in a directory of its own, on a free port of this machine."""

    def __init__(self, directory, program=None, before=(), environment=None, options=()):
        """`before` stands before the program in its command line, such as `prlimit` and its options;
        `options` are those of `polyclinic run`."""
        self.data = Path(directory)
        self.program = program or PROGRAM
        self.before = before
        self.options = options
        # No test asks a source of figures that it does not bring along.
        self.environment = {"https_proxy": "http://127.0.0.1:1", **(environment or {})}
        self.port = free_port()
        self.origin = f"https://localhost:{self.port}"
        self.setup_path = None
        self.process = None
        self.foreground = None
        self.gone = False

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
        """Starts it, and returns when it answers; raises with what it said when it does not."""
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
        # The process that has started nginx and the supervisor: root's first starts one in another session.
        self.foreground = int(stat(self.supervisor)[1])
        if link := re.search(r"https://\S+(/setup/\S+)", self.said):
            self.setup_path = link[1]
        return self

    @property
    def said(self):
        return self.output.read_text(errors="replace")

    def stop(self):
        """Stops it as Ctrl-C does, and returns its exit status."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        status = self.process.wait(timeout=60)
        self.gone = self.gone or not self.left
        return status

    def kill(self):
        """Ends all that is left of it, by process id, whatever state it is in, and waits for its end."""
        def none_is_left():
            # Again and again: what had begun to start another may have done so before it died.
            left = self.left
            for pid in left:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            return self.process.poll() is not None and not left

        # Once: the system gives the id of a session that has ended to another.
        if not self.gone:
            until(none_is_left, 60)
        self.gone = True

    def run(self, *arguments):
        """Runs another command of the program beside the running portal, as the owner of its data."""
        program, *others = self.command_line(*arguments)
        return command(
            *others, data=self.data, port=self.port, program=program, variables=self.environment)

    def command_line(self, *arguments):
        """The words by which another command of the program is run as the owner of the data."""
        owner = self.data.stat()
        as_owner = [] if owner.st_uid == os.geteuid() else [
            "setpriv", f"--reuid={owner.st_uid}", f"--regid={owner.st_gid}", "--clear-groups"]
        return [*as_owner, self.program, *map(str, arguments), "--config", str(self.configuration)]

    def pids(self, words):
        """Its processes whose command line holds these words and its directory."""
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
        """All of its processes that run."""
        return {*self.pids(""), *self.family}

    @property
    def family(self):
        """All that it started, nginx's workers too, whose command lines name no directory: they are
        of a session that it leads."""
        found = []
        for entry in Path("/proc").iterdir():
            if entry.name.isdecimal():
                with suppress(OSError):
                    state, _, _, session = stat(entry.name)[:4]
                    if int(session) in (self.process.pid, self.foreground) and state != "Z":
                        found.append(int(entry.name))
        return found

    @property
    def web_server(self):
        """All of its nginx: the first process and the workers."""
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
        """The workers' memory in bytes, shared pages counted in part (PSS)."""
        total = 0
        for pid in self.workers:
            try:
                rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
            except OSError:
                continue
            total += 1024 * int(re.search(r"^Pss:\s+(\d+)", rollup, re.M)[1])
        return total
