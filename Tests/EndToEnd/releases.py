"""Test releases of the portal, which differ in the last bytes of the program and in the style sheet."""

import json
import os
import re
import shutil
from contextlib import suppress
from pathlib import Path

from portal import PROGRAM
from visitor import Visitor
from waiting import until

MARK = b"\npolyclinic release "


class Installed:
    """The installation directory of releases: the program and its `www`."""

    def __init__(self, directory):
        directory.chmod(0o755)
        self.program = directory / "bin" / "polyclinic"
        self.www = directory / "www"
        self.program.parent.mkdir()
        decoder = Path(PROGRAM).with_name("polyclinic-decode")
        shutil.copy(decoder, self.program.parent)
        shutil.copytree(www(Path(PROGRAM).resolve()), self.www)
        self.styles = (self.www / "styles/style.css").read_text()

    def install(self, number, program=PROGRAM):
        """Replaces the installed release as an upgrade does. ELF files may have trailing bytes."""
        replace(self.program, Path(program).read_bytes() + MARK + str(number).encode())
        replace(self.www / "styles/style.css", f"{self.styles}\n/* release {number} */\n".encode())


def replace(path, content):
    draft = path.with_name(".new")
    draft.write_bytes(content)
    draft.chmod(0o755)
    os.replace(draft, path)


def www(program):
    return next(above / "www" for above in program.parents if (above / "www/styles/style.css").exists())


def of_process(pid):
    """Returns the release that a process runs, or None if the process has ended."""
    with suppress(OSError), open(f"/proc/{pid}/exe", "rb") as file:
        file.seek(-64, os.SEEK_END)
        return int(file.read().rpartition(MARK)[2])
    return None


def running(portal):
    """Returns the releases of all workers and jobs processes."""
    return {of_process(pid) for pid in [*portal.workers, *portal.pids(" jobs ")]} - {None}


def served(portal):
    """Returns the release of the style sheet that the sign-in page links to, and asserts that it loads."""
    page = Visitor(portal).get("/login")
    style = Visitor(portal).get(re.search(r'<link rel="stylesheet" href="([^"]+)"', page.text)[1])
    assert style.status == 200 and "immutable" in style.headers["Cache-Control"], style.headers
    return int(re.findall(r"/\* release (\d+) \*/", style.text)[-1])


def directory(portal):
    return portal.database.with_name("releases")


def kept(portal):
    """Returns the releases with a complete copy."""
    return {int((path.parent / "polyclinic").read_bytes().rpartition(MARK)[2])
            for path in directory(portal).glob("[0-9a-f]*/release.json")}


def await_copy(portal, installed):
    """Waits until a copy of the installed release is stored."""
    changed = installed.program.stat().st_mtime_ns

    def is_kept():
        records = [json.loads(path.read_text()) for path in directory(portal).glob("[0-9a-f]*/release.json")]
        return any(record["installed"]["changed"] == changed for record in records)

    until(is_kept, 60)


def upgrade(portal, installed, number, program=PROGRAM):
    """Installs a release, reloads the portal and waits until a copy of the release is stored."""
    installed.install(number, program)
    answer = portal.run("reload")
    assert answer.returncode == 0, answer.stderr
    await_copy(portal, installed)
