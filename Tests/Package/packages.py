"""The package that is tried, and others made from it: later versions, a broken one, one for another machine."""

import hashlib
import os
import shutil
import subprocess
from pathlib import Path

from releases import MARK

PACKAGE = os.environ.get("POLYCLINIC_DEB", "")


def field(package, name):
    return subprocess.run(
        ["dpkg-deb", "--field", package, name], capture_output=True, text=True, check=True).stdout.strip()


def dependencies():
    """The names of the packages that the package depends on."""
    return [one.split()[0].split(":")[0] for one in field(PACKAGE, "Depends").split(",")]


class Packages:
    """A directory of packages that machines see as /packages."""

    def __init__(self, layer):
        self.layer = Path(layer)
        self.directory = self.layer / "packages"
        self.directory.mkdir(parents=True)
        self.version = field(PACKAGE, "Version")
        shutil.copy(PACKAGE, self.directory / "first.deb")
        self.make("second", 2)
        self.make("third", 3)
        self.make("broken", 4, program=b"#!/bin/sh\necho This program is broken. >&2\nexit 1\n")
        self.make("foreign", 5, architecture="arm64" if field(PACKAGE, "Architecture") == "amd64" else "amd64")

    def number(self, number):
        """The version of the package that is the release of this number."""
        return self.version if number == 1 else f"{self.version}.{number}"

    def make(self, name, number, program=None, architecture=None):
        """Makes a package of another version, whose program and style sheet differ as those of releases do."""
        root = self.layer.with_name(f"unpacked-{name}")
        subprocess.run(["dpkg-deb", "--raw-extract", PACKAGE, root], check=True)
        for file in (root / "DEBIAN").iterdir():
            text = file.read_text().replace(f"Version: {self.version}", f"Version: {self.number(number)}")
            text = text.replace(f"version={self.version}", f"version={self.number(number)}")
            if architecture and file.name == "control":
                text = text.replace(f"Architecture: {field(PACKAGE, 'Architecture')}",
                                    f"Architecture: {architecture}")
            file.write_text(text)
        binary = root / "usr/lib/polyclinic/polyclinic"
        binary.write_bytes(program or binary.read_bytes() + MARK + str(number).encode())
        with (root / "usr/share/polyclinic/www/styles/style.css").open("a") as style:
            style.write(f"\n/* release {number} */\n")
        sums = [f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(root)}"
                for path in sorted(root.rglob("*"))
                if path.is_file() and not path.is_symlink() and "DEBIAN" not in path.parts]
        (root / "DEBIAN/md5sums").write_text("\n".join(sums) + "\n")
        subprocess.run(
            ["dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "--build", root, self.directory / f"{name}.deb"],
            check=True, stdout=subprocess.DEVNULL)
        shutil.rmtree(root)
