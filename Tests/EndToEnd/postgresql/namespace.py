"""A network of its own for a server, and a link to it that can be cut. Needs root."""

import itertools
import os
import subprocess

from postgresql.workspace import Workspace

NUMBERS = itertools.count(os.getpid() * 4)


class Namespace:
    """A network namespace that ends with a workspace, after its processes."""

    def __init__(self, workspace: Workspace) -> None:
        self.name = workspace.path.name
        number = next(NUMBERS) % (1 << 14)
        # Of the networks for tests of devices (RFC 2544), four addresses.
        network = f"198.18.{number >> 6}.{(number & 63) * 4}"
        base, _, last = network.rpartition(".")
        self.address = f"{base}.{int(last) + 2}"
        link, other = f"pc{number}a", f"pc{number}b"
        workspace.at_end(f"ip netns delete {self.name}")
        for command in (
                f"ip netns add {self.name}",
                f"ip link add {link} type veth peer name {other} netns {self.name}",
                f"ip address add {base}.{int(last) + 1}/30 dev {link}",
                f"ip link set {link} up",
                f"ip -netns {self.name} address add {self.address}/30 dev {other}",
                f"ip -netns {self.name} link set {other} up",
                f"ip -netns {self.name} link set lo up"):
            run(command)

    @property
    def prefix(self) -> list[str]:
        """The command that runs another one in the namespace."""
        return ["ip", "netns", "exec", self.name]

    def cut(self) -> None:
        """Drops all that arrives, so that nobody is told that the link is gone."""
        run(f"ip netns exec {self.name} nft add table ip cut; add chain ip cut dropping"
            " { type filter hook input priority 0; policy drop; }")

    def mend(self) -> None:
        run(f"ip netns exec {self.name} nft delete table ip cut")


def run(command: str) -> None:
    subprocess.run(command.split(), check=True, timeout=60)
