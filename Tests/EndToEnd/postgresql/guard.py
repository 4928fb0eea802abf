#!/usr/bin/env python3
"""Ends what works in a directory: guard.py DIRECTORY. Waits for the end of its standard input, kills each process
whose working directory lies in the directory, deletes it, and has the shell run the lines that it has read."""

import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path


def processes(directory: Path) -> list[int]:
    """Returns the processes whose working directory lies in this one."""
    found = []
    for entry in Path("/proc").iterdir():
        # Some have ended meanwhile, or belong to others.
        with suppress(OSError):
            if entry.name.isdecimal() and (entry / "cwd").readlink().is_relative_to(directory):
                found.append(int(entry.name))
    return found


def end(directory: Path) -> None:
    # Repeats, because a process may have started another before it died.
    while left := processes(directory):
        for pid in left:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.01)
    shutil.rmtree(directory)


def main() -> None:
    commands = sys.stdin.read()
    end(Path(sys.argv[1]))
    if commands:
        subprocess.run(["sh", "-c", commands], check=True)


if __name__ == "__main__":
    main()
