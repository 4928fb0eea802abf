"""Portals whose database is on a server, one or several with the same database."""

import json
import shutil
import socket
from contextlib import closing
from pathlib import Path

from portal import Portal, free_port
from waiting import until

from postgresql.cluster import Database, certify
from postgresql.workspace import Workspace

MODULES = ["appointments", "contacts", "covid-stats", "health-metrics", "vaccination-qr"]
PASSWORD_FILE = "database-password"
# Two workers and the jobs.
PROCESSES = 3


class ServedPortal(Portal):
    """A portal with its database on a server; `database` is that database as its administrator sees it."""

    def __init__(
            self, directory: Path, database: Database, url: str, password: str | None = None,
            server: dict | None = None, **others) -> None:
        """Takes the settings of the section `server` besides the origin, and what `Portal` takes."""
        super().__init__(directory, **others)
        self.stored = database
        self.url = url
        self.password = password
        self.write_configuration({"origin": self.origin} | (server or {}))

    def write_configuration(self, server: dict) -> None:
        """Writes the configuration of a first run; JSON is YAML."""
        self.data.mkdir(parents=True)
        database = {"url": self.url}
        if self.password:
            path = self.data / PASSWORD_FILE
            path.touch(mode=0o600)
            path.write_text(self.password + "\n")
            database["password_file"] = PASSWORD_FILE
        sections = {
            "server": server, "database": database, "clinic": {"time_zone": "Europe/Minsk"},
            "accounts": {"second_factor": "optional"}, "modules": {name: {"enabled": True} for name in MODULES},
        }
        self.configuration.write_text(
            "".join(f"{name}: {json.dumps(section)}\n" for name, section in sections.items()))

    def start(self) -> "ServedPortal":
        """Starts the portal and waits for its processes to be ready. Requests that wait longer for them than five
        seconds, as on a busy machine, get 503."""
        super().start()
        until(lambda: self.said.count("supervisor ready") >= PROCESSES)
        return self

    @property
    def database(self) -> Database:
        return self.stored

    def rows(self, query: str, *values: object) -> list[tuple]:
        return self.stored.rows(query, *values)

    def execute(self, statement: str, *values: object) -> None:
        self.stored.execute(statement, *values)

    def sibling(self, directory: Path, name: str) -> "ServedPortal":
        """Returns another machine's portal, which has the same database and a copy of the key."""
        other = ServedPortal(directory, self.stored, self.url, self.password, machine(name))
        other.key.parent.mkdir(mode=0o700)
        shutil.copyfile(self.key, other.key)
        other.key.chmod(0o600)
        return other


def machine(name: str) -> dict:
    """Returns the settings of one machine among several behind a `Balancer`."""
    return {"machine": name, "balancers": ["127.0.0.1"]}


class Balancer:
    """HAProxy before two portals. Visitors take it for a portal: it has a `port`."""

    def __init__(self, *portals: ServedPortal) -> None:
        self.workspace = Workspace()
        self.port = free_port()
        try:
            certify(self.workspace)
            parts = [(self.workspace.path / name).read_text() for name in ("server.crt", "server.key")]
            self.workspace.new_file("haproxy.pem", "".join(parts))
            configuration = self.workspace.new_file("haproxy.cfg", self.configuration(portals))
            self.workspace.start("haproxy", "haproxy", "-db", "-f", configuration)
            # Until the checks have begun, each of them passes for ready.
            until(lambda: is_open(self.port))
        except BaseException:
            self.workspace.remove()
            raise

    def configuration(self, portals: tuple[ServedPortal, ...]) -> str:
        """Each request goes to one of the portals that are ready, by chance, and then perhaps to the other one, as in
        `polyclinic config balancer haproxy`. The name of its server here becomes its host, since two portals on one
        machine differ by their ports."""
        return "\n".join([
            "global", "  log stderr format raw local0 warning",
            "defaults", "  mode http", "  timeout connect 2s", "  timeout client 60s", "  timeout server 60s",
            "  timeout check 5s", "  option forwardfor",
            *(f"  http-error status {status} content-type text/html string <h1>Later</h1> hdr Retry-After 1"
              for status in (502, 503, 504)),
            "frontend people", f"  bind 127.0.0.1:{self.port} ssl crt {self.workspace.path}/haproxy.pem",
            "  default_backend portals",
            "backend portals", "  balance random", "  http-send-name-header Host", "  option httpchk",
            "  http-check send meth GET uri /readyz ver HTTP/1.1 hdr Host localhost",
            "  retries 2", "  option redispatch 1",
            "  retry-on conn-failure empty-response response-timeout 502 503",
            "  http-request disable-l7-retry unless { method GET HEAD }",
            "  default-server check check-sni localhost inter 200ms fall 2 rise 1 ssl verify none sni str(localhost)",
            *(f"  server localhost:{portal.port} 127.0.0.1:{portal.port}" for portal in portals)]) + "\n"

    def remove(self) -> None:
        self.workspace.remove()

    def __enter__(self):
        return self

    def __exit__(self, *_: object) -> None:
        self.remove()


def is_open(port: int) -> bool:
    with closing(socket.socket()) as attempt:
        return attempt.connect_ex(("127.0.0.1", port)) == 0
