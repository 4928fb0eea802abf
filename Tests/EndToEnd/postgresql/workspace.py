"""A temporary directory with the processes that work in it."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

# PostgreSQL refuses to run as root.
USER = "postgres" if os.geteuid() == 0 else None
UNPRIVILEGED: dict = {"user": USER, "group": USER, "extra_groups": []} if USER else {}
PROGRAMS = "/usr/lib/postgresql/15/bin:/usr/sbin:/usr/bin:/sbin:/bin"


class Failed(Exception):
    """A program that ended with non-zero; the text is what it printed."""


class Workspace:
    """A temporary directory of an ordinary user. Its end, or that of this process, kills all processes whose
    working directory lies in it, whoever started them."""

    def __init__(self) -> None:
        # Not below the temporary directory of the tests, because a socket's path has at most 107 bytes.
        self.path = Path(tempfile.mkdtemp(prefix="polyclinic-", dir="/tmp"))
        self.started: list[subprocess.Popen] = []
        self.guard = subprocess.Popen(
            [sys.executable, Path(__file__).with_name("guard.py"), self.path], stdin=subprocess.PIPE, text=True,
            cwd="/", start_new_session=True)
        self.path.chmod(0o755)
        self.give(self.path)

    def give(self, path: Path) -> None:
        """Makes the file one of the user who runs the programs."""
        if USER:
            shutil.chown(path, USER, USER)

    def new_directory(self, name: str) -> Path:
        path = self.path / name
        path.mkdir(mode=0o700)
        self.give(path)
        return path

    def new_file(self, name: str, text: str) -> Path:
        """Creates a file that only its owner may read."""
        path = self.path / name
        path.touch(mode=0o600)
        path.write_text(text)
        self.give(path)
        return path

    def run(self, *command: object, input: str | None = None, before: Sequence[str] = ()) -> str:
        """Runs a program to its end and returns its output. Throws `Failed`. Root runs it by the command `before`."""
        as_user = {} if before else UNPRIVILEGED
        if before and USER:
            command = (*before, "setpriv", f"--reuid={USER}", f"--regid={USER}", "--init-groups", *command)
        done = subprocess.run(
            [str(part) for part in command], input=input, stdin=None if input else subprocess.DEVNULL,
            capture_output=True, text=True, timeout=120, cwd=self.path, env=environment(), **as_user)
        if done.returncode:
            raise Failed(f"{command[0]}: {done.stdout}{done.stderr}")
        return done.stdout

    def start(self, name: str, *command: object, directory: Path | None = None) -> subprocess.Popen:
        """Starts a program whose output goes into a log of this name."""
        with (self.path / f"{name}.log").open("ab") as log:
            process = subprocess.Popen(
                [str(part) for part in command], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                cwd=directory or self.path, env=environment(), start_new_session=True, **UNPRIVILEGED)
        self.started.append(process)
        return process

    def at_end(self, command: str) -> None:
        """Has the shell run a command after the processes have ended."""
        assert self.guard.stdin
        self.guard.stdin.write(command + "\n")
        self.guard.stdin.flush()

    def remove(self) -> None:
        """Kills the processes and deletes the directory."""
        assert self.guard.stdin
        self.guard.stdin.close()
        self.guard.wait(60)
        for process in self.started:
            process.wait(60)

    def __enter__(self):
        return self

    def __exit__(self, *_: object) -> None:
        self.remove()


def environment() -> dict[str, str]:
    """Returns the variables of a program, without those that PostgreSQL and Patroni would read."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PG", "PATRONI", "ETCD"))}
    return kept | {"PATH": PROGRAMS, "LC_ALL": "C", "HOME": "/"}
