"""A Debian machine with systemd, in namespaces of this one: it boots, loses its power, and boots again."""

import ctypes
import http.client
import os
import shutil
import socket
import ssl
import subprocess
from contextlib import contextmanager
from pathlib import Path

from visitor import Visitor, untrusting
from waiting import until

CLONE_NEWNET = 0x40000000
HOST = "clinic.example"
LIBC = ctypes.CDLL(None, use_errno=True)

# The first process of the machine's namespaces: it makes the layers the root, and becomes systemd.
BOOT = """
set -e
mount --make-rprivate /
root=$1
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount -t sysfs -o ro sysfs "$root/sys"
mount -t tmpfs -o mode=755 tmpfs "$root/sys/fs/cgroup"
mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
for device in null zero full random urandom tty; do
  touch "$root/dev/$device"
  mount --bind "/dev/$device" "$root/dev/$device"
done
mkdir "$root/dev/pts" "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
ln -s pts/ptmx "$root/dev/ptmx"
ln -s /proc/self/fd "$root/dev/fd"
mount -t tmpfs tmpfs "$root/dev/shm"
mount -t tmpfs -o mode=755 tmpfs "$root/run"
mount -t tmpfs tmpfs "$root/tmp"
mkdir -p "$root/.before"
cd "$root"
pivot_root . .before
umount -l /.before
exec env -i container=lxc PATH=/usr/sbin:/usr/bin:/sbin:/bin \
  /lib/systemd/systemd --system --log-target=null --show-status=false
"""


class Machine:
    """A machine whose disk is a layer of its own over read-only ones."""

    port = 443
    origin = f"https://{HOST}"

    def __init__(self, directory, layers, megabytes=2048):
        self.directory = Path(directory)
        self.root = self.directory / "root"
        self.disk = self.directory / "disk"
        self.process = None
        for path in (self.root, self.disk):
            path.mkdir(parents=True)
        mount("-t", "tmpfs", "-o", f"size={megabytes}m,mode=755", "tmpfs", self.disk)
        for name in ("upper", "work"):
            (self.disk / name).mkdir()
        lower = ":".join(map(str, layers))
        mount("-t", "overlay", "-o", f"lowerdir={lower},upperdir={self.disk}/upper,workdir={self.disk}/work",
              "overlay", self.root)
        (self.root / "etc/hostname").write_text("clinic\n")
        (self.root / "etc/hosts").write_text(f"127.0.0.1 localhost\n127.0.1.1 {HOST} clinic\n")

    def end_as_layer(self):
        """Ends the machine, and returns what was written on its disk, for use as a layer of others."""
        self.cut_power()
        subprocess.run(["umount", self.root], check=True)
        return self.disk / "upper"

    def boot(self):
        self.process = subprocess.Popen(
            ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--cgroup", "--ipc", "--uts", "--net",
             "sh", "-c", BOOT, "boot", self.root],
            stdin=subprocess.DEVNULL, stdout=(self.directory / "boot.log").open("wb"), stderr=subprocess.STDOUT)
        until(self.has_booted)
        return self

    def has_booted(self):
        if self.process.poll() is not None:
            raise RuntimeError((self.directory / "boot.log").read_text())
        state = self.run("systemctl", "is-system-running", check=False).stdout.strip()
        return state in ("running", "degraded")

    def cut_power(self):
        """Ends everything at once. The disk keeps what was written."""
        self.process.kill()
        self.process.wait()
        self.process = None

    def discard(self):
        if self.process:
            self.cut_power()
        for path in (self.root, self.disk):
            subprocess.run(["umount", "--lazy", path], check=False)
        shutil.rmtree(self.directory)

    @property
    def first_process(self):
        """The process id of systemd outside of the machine."""
        pid = self.process.pid
        return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()[0]

    def command(self, *words):
        return ["nsenter", "--target", self.first_process, "--all", "--root", "--wd", "env", "-i",
                "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND=noninteractive", "LC_ALL=C.UTF-8",
                *map(str, words)]

    def run(self, *words, check=True):
        """Runs a command in the machine as root; its output and errors are one text."""
        if not Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text():
            return subprocess.CompletedProcess(words, 1, "")
        ended = subprocess.run(
            self.command(*words), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, timeout=300, check=False)
        assert not check or ended.returncode == 0, ended.stdout
        return ended

    def start(self, *words):
        return subprocess.Popen(
            self.command(*words), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True)

    def portal(self, *words):
        """Runs a command of the portal as its user, and returns what it says."""
        return self.run(
            "runuser", "-u", "polyclinic", "--", "polyclinic", *words,
            "--config", "/etc/polyclinic/polyclinic.yaml").stdout

    def install(self, package, *options, check=True):
        """Returns what apt and the package say."""
        return self.run("apt-get", "install", "--yes", *options, f"/packages/{package}", check=check).stdout

    def refused(self, package, *options):
        """Asserts that an installation fails, and returns what was said."""
        ended = self.run("apt-get", "install", "--yes", *options, f"/packages/{package}", check=False)
        assert ended.returncode != 0, ended.stdout
        return ended.stdout

    @property
    def version(self):
        return self.run("dpkg-query", "--show", "--showformat=${Version} ${db:Status-Status}", "polyclinic").stdout

    def path(self, name):
        """The place of a file of the machine, from outside."""
        return self.root / name.lstrip("/")

    @contextmanager
    def network(self):
        """This thread's sockets are the machine's meanwhile."""
        own = os.open("/proc/thread-self/ns/net", os.O_RDONLY)
        others = os.open(f"/proc/{self.first_process}/ns/net", os.O_RDONLY)
        try:
            enter(others)
            yield
        finally:
            enter(own)
            os.close(own)
            os.close(others)

    def visitor(self):
        return MachineVisitor(self)

    def serves(self):
        try:
            return self.visitor().get("/login").status == 200
        except OSError:
            return False


class MachineVisitor(Visitor):
    """A visitor who is on the machine's network and calls the portal by its name."""

    def connect(self):
        return Connection(self.portal, self.address)


class Connection(http.client.HTTPSConnection):
    def __init__(self, machine, address):
        super().__init__(HOST, machine.port, timeout=40, context=untrusting())
        self.machine = machine
        self.address = address

    def connect(self):
        with self.machine.network():
            plain = socket.create_connection((self.address, self.port), self.timeout)
        self.sock = ssl.SSLContext.wrap_socket(untrusting(), plain, server_hostname=HOST)


def enter(descriptor):
    if LIBC.setns(descriptor, CLONE_NEWNET) != 0:
        raise OSError(ctypes.get_errno(), "setns")


def mount(*words):
    subprocess.run(["mount", *map(str, words)], check=True)
