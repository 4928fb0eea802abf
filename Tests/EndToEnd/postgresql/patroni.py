"""Three PostgreSQL servers, of which Patroni makes one the primary, and another one after its death."""

import http.client
import json
import os
import signal
import time
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from portal import free_port
from waiting import until

from postgresql.cluster import NUMBERS, ROLE, SETTINGS, Database, certificate_settings, certify, template
from postgresql.guard import processes
from postgresql.workspace import Workspace

SCOPE = "polyclinic"
# The tests' own connections need no password; those of a portal come by TLS and need one.
RULES = [
    "local all all trust",
    "host replication replicator 127.0.0.1/32 trust",
    "host all postgres 127.0.0.1/32 trust",
    "hostssl all all 127.0.0.1/32 scram-sha-256",
]
# Seconds. A primary whose Patroni is dead is one no longer after `ttl`; if its server alone is dead, Patroni gives
# the place away at once. Patroni's documentation asks for a `ttl` of 20 at least, but etcd's leases may be shorter.
TIMES = {"ttl": 10, "loop_wait": 1, "retry_timeout": 3, "primary_start_timeout": 0}


@dataclass(frozen=True)
class Member:
    """One of the servers, with its Patroni."""

    name: str
    port: int
    # Patroni's own.
    control: int
    directory: Path


class Patroni:
    """A primary and two standbys. A commit is acknowledged when one of the standbys has it."""

    def __init__(self, password: str = "a password of three servers") -> None:
        self.password = password
        self.workspace = Workspace()
        try:
            certify(self.workspace)
            self.etcd = free_port()
            self.start_etcd()
            self.members = [self.new_member(f"server{number}") for number in (1, 2, 3)]
            for member in self.members:
                self.start(member)
            self.wait_until_whole()
            self.administration("postgres").execute(f"ALTER ROLE {ROLE} PASSWORD ?", password)
        except BaseException:
            self.workspace.remove()
            raise

    def start_etcd(self) -> None:
        client, peer = f"http://127.0.0.1:{self.etcd}", f"http://127.0.0.1:{free_port()}"
        self.workspace.start(
            "etcd", "etcd", "--name", "etcd", "--unsafe-no-fsync", "--data-dir", self.workspace.new_directory("etcd"),
            "--listen-client-urls", client, "--advertise-client-urls", client, "--listen-peer-urls", peer,
            "--initial-advertise-peer-urls", peer, "--initial-cluster", f"etcd={peer}")

    def new_member(self, name: str) -> Member:
        member = Member(name, free_port(), free_port(), self.workspace.new_directory(name))
        self.workspace.new_file(f"{name}.yml", json.dumps(self.configuration(member)))
        return member

    def configuration(self, member: Member) -> dict:
        data = member.directory / "data"
        address = f"127.0.0.1:{member.port}"
        control = f"127.0.0.1:{member.control}"
        return {
            "scope": SCOPE, "name": member.name,
            "restapi": {"listen": control, "connect_address": control},
            "etcd3": {"hosts": [f"127.0.0.1:{self.etcd}"]},
            "bootstrap": {
                "dcs": TIMES | {
                    "synchronous_mode": True, "synchronous_mode_strict": True,
                    "postgresql": {
                        "use_pg_rewind": True, "remove_data_directory_on_rewind_failure": True,
                        "parameters": SETTINGS}},
                "method": "copied",
                "copied": {"command": f"cp --archive {template()} {data}", "no_params": True}},
            "postgresql": {
                "listen": address, "connect_address": address, "data_dir": str(data),
                "bin_dir": "/usr/lib/postgresql/15/bin", "use_unix_socket": True, "pg_hba": RULES,
                "pgpass": str(member.directory / "pgpass"),
                "basebackup": [{"checkpoint": "fast"}, "no-sync"],
                "parameters": certificate_settings(self.workspace) | {
                    "unix_socket_directories": str(self.workspace.path)},
                "authentication": {
                    "superuser": {"username": "postgres"}, "replication": {"username": "replicator"},
                    "rewind": {"username": "postgres"}}},
        }

    def start(self, member: Member) -> None:
        """Starts the Patroni of a member, which starts its server."""
        self.workspace.start(
            member.name, "patroni", self.workspace.path / f"{member.name}.yml", directory=member.directory)

    def url(self, database: Database) -> str:
        """Returns the address of a database on whichever member is the primary, for the portal."""
        hosts = ",".join(f"localhost:{member.port}" for member in self.members)
        return f"postgresql://{ROLE}@{hosts}/{database.name}?sslrootcert={self.workspace.path}/server.crt"

    def database(self, member: Member, name: str) -> Database:
        return Database(self.workspace, member.port, name)

    def administration(self, name: str) -> Database:
        """Returns a database as the administrator of the primary sees it."""
        return self.database(self.primary(), name)

    def new_database(self) -> "FollowedDatabase":
        """Creates an empty database of the portal's role."""
        name = f"test_{next(NUMBERS)}"
        self.administration("postgres").execute(f"CREATE DATABASE {name} OWNER {ROLE} TEMPLATE template0")
        return FollowedDatabase(self, name)

    def primary(self) -> Member:
        """Returns the member that takes writes, as soon as there is one."""
        return until(lambda: next(
            (member for member in self.members if self.database(member, "postgres").is_primary()), None))

    def wait_until_whole(self) -> None:
        """Waits until the primary has both standbys, and Patroni has noted which one of them may follow it."""
        until(lambda: self.roles() == ["leader", "replica", "sync_standby"] and self.standbys() == 2, 120)

    def standbys(self) -> int:
        """Returns the number of standbys that receive the primary's changes."""
        return self.administration("postgres").column(
            "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'")[0]

    def roles(self) -> list[str]:
        """Returns what Patroni holds its members for, in the order of the words."""
        _, text = self.ask(self.primary(), "GET", "/cluster")
        return sorted(member["role"] for member in json.loads(text)["members"])

    def hand_over(self) -> Member:
        """Has Patroni stop the primary and make the synchronous standby the primary; returns the former one."""
        leader = self.primary()
        until(lambda: self.ask(leader, "POST", "/switchover", json.dumps({"leader": leader.name}))[0] == 200)
        return leader

    @staticmethod
    def ask(member: Member, method: str, path: str, body: str | None = None) -> tuple[int, str]:
        """Asks a member's Patroni (patroni.readthedocs.io, rest_api); returns the status and the text."""
        with closing(http.client.HTTPConnection("127.0.0.1", member.control, timeout=60)) as connection:
            connection.request(method, path, body)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()

    def crash_server(self) -> Member:
        """Kills all processes of the primary's server, but not Patroni; returns the member."""
        member = self.primary()
        kill(member.directory / "data")
        return member

    def crash_member(self) -> Member:
        """Kills the primary with its Patroni; returns the member."""
        member = self.primary()
        kill(member.directory)
        return member

    def next_primary(self, former: Member) -> float:
        """Waits until another member than the former one takes writes; returns the moment, or one just before it."""
        others = [self.database(member, "postgres") for member in self.members if member != former]

        def found():
            began = time.monotonic()
            return any(other.is_primary() for other in others) and began

        return until(found, 120)

    def remove(self) -> None:
        self.workspace.remove()

    def __enter__(self):
        return self

    def __exit__(self, *_: object) -> None:
        self.remove()


class FollowedDatabase(Database):
    """A database on whichever member is the primary."""

    def __init__(self, patroni: Patroni, name: str) -> None:
        self.patroni = patroni
        self.workspace = patroni.workspace
        self.name = name

    @property
    def port(self) -> int:
        return self.patroni.primary().port


def kill(directory: Path) -> None:
    """Kills all processes that work in the directory."""
    while left := processes(directory):
        for pid in left:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.01)
