"""A PostgreSQL server of the tests' own, and its databases."""

import atexit
import functools
import itertools
import json
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

from portal import free_port

from postgresql.namespace import Namespace
from postgresql.workspace import Failed, Workspace

# The role of the portal; it owns its database and is no superuser.
ROLE = "polyclinic"
# Nothing here survives a power failure, and everything a killed server: what it has written, the kernel keeps.
SETTINGS = {
    "fsync": "off", "full_page_writes": "off", "max_connections": "200", "shared_buffers": "32MB",
    "autovacuum": "off", "log_min_messages": "warning", "logging_collector": "off",
}
RULES = """
local   all         all                       trust
hostssl all         all          all          scram-sha-256
"""
NUMBERS = itertools.count(1)


@functools.cache
def template() -> Path:
    """Returns the files of a new server, made once; all servers begin with a copy of them."""
    workspace = Workspace()
    atexit.register(workspace.remove)
    data = workspace.path / "data"
    workspace.run(
        "initdb", "--username=postgres", "--locale=C", "--encoding=UTF8", "--no-sync", "--no-instructions",
        "--pgdata", data)
    (data / "pg_hba.conf").write_text(RULES)
    workspace.run("postgres", "--single", "-D", data, "postgres", input=f"CREATE ROLE {ROLE} LOGIN\n")
    return data


def certify(workspace: Workspace, address: str = "127.0.0.1") -> None:
    """Makes `server.crt` and `server.key` for localhost and the address, which no authority has signed."""
    workspace.run(
        "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
        "-addext", f"subjectAltName=DNS:localhost,IP:{address}",
        "-keyout", "server.key", "-out", "server.crt")
    # The portal runs as another user.
    (workspace.path / "server.crt").chmod(0o644)


def certificate_settings(workspace: Workspace) -> dict[str, str]:
    return {"ssl": "on", "ssl_cert_file": f"{workspace.path}/server.crt",
            "ssl_key_file": f"{workspace.path}/server.key"}


class Cluster:
    """A PostgreSQL server, reached by a unix socket; if it has a password, also by TLS at localhost, where it asks
    for that."""

    def __init__(self, password: str | None = None, apart: bool = False) -> None:
        """Takes the password, and whether the server is to have a network of its own, which needs a password and
        root."""
        self.password = password
        self.workspace = Workspace()
        self.namespace: Namespace | None = None
        self.port = free_port()
        self.data = self.workspace.path / "data"
        try:
            self.workspace.run("cp", "--archive", template(), self.data)
            if apart:
                self.namespace = Namespace(self.workspace)
            if password:
                certify(self.workspace, self.address)
            self.start()
            if password:
                self.database("postgres").execute(f"ALTER ROLE {ROLE} PASSWORD ?", password)
        except BaseException:
            self.workspace.remove()
            raise

    @property
    def address(self) -> str:
        return self.namespace.address if self.namespace else "127.0.0.1"

    @property
    def host(self) -> Path:
        """The directory of the socket."""
        return self.workspace.path

    @property
    def log(self) -> Path:
        return self.workspace.path / "log"

    @property
    def settings(self) -> dict[str, str]:
        network = {"listen_addresses": self.address} | certificate_settings(self.workspace) \
            if self.password else {"listen_addresses": ""}
        return SETTINGS | network | {"port": str(self.port), "unix_socket_directories": str(self.host)}

    def start(self) -> None:
        """Starts the server and waits until it answers."""
        options = " ".join(f"-c {name}={value}" for name, value in self.settings.items())
        self.workspace.run(
            "pg_ctl", "start", "--wait", "--silent", "-D", self.data, "-l", self.log, "-o", options,
            before=self.namespace.prefix if self.namespace else ())

    def stop(self, immediate: bool = False) -> None:
        """Stops the server; an immediate stop is a crash that it recovers from at the next start."""
        mode = "immediate" if immediate else "fast"
        self.workspace.run("pg_ctl", "stop", "--wait", "--silent", "-D", self.data, "--mode", mode)

    @contextmanager
    def away(self, immediate: bool = False) -> Iterator[None]:
        """While the body runs, the server does not."""
        self.stop(immediate)
        try:
            yield
        finally:
            self.start()

    def restart(self, immediate: bool = False) -> None:
        with self.away(immediate):
            pass

    def database(self, name: str) -> "Database":
        return Database(self.workspace, self.port, name)

    def new_database(self) -> "Database":
        """Creates an empty database of the portal's role."""
        name = f"test_{next(NUMBERS)}"
        self.database("postgres").execute(f"CREATE DATABASE {name} OWNER {ROLE} TEMPLATE template0")
        return self.database(name)

    def url(self, database: "Database") -> str:
        """Returns the address of a database for the portal, by TLS if the server has a password."""
        if self.password:
            host = self.address if self.namespace else "localhost"
            return f"postgresql://{ROLE}@{host}:{self.port}/{database.name}" \
                f"?sslrootcert={self.workspace.path}/server.crt"
        return socket_url(database.name, self.host, self.port)

    def remove(self) -> None:
        self.workspace.remove()

    def __enter__(self):
        return self

    def __exit__(self, *_: object) -> None:
        self.remove()


def socket_url(database: str, directory: Path, port: int) -> str:
    return f"postgresql:///{database}?host={quote(str(directory), safe='')}&port={port}&user={ROLE}"


class Database:
    """A database as its administrator sees it, by a unix socket."""

    def __init__(self, workspace: Workspace, port: int, name: str) -> None:
        self.workspace = workspace
        self.port = port
        self.name = name

    def execute(self, statement: str, *values: object) -> str:
        """Runs a statement, in which `?` stands for a value, and returns the lines that psql prints."""
        variables, parts = [], statement.split("?")
        text = parts[0]
        for number, (value, part) in enumerate(zip(values, parts[1:], strict=True)):
            variables.append(f"\\set v{number} {quoted(str(value))}\n")
            text += (f":v{number}" if isinstance(value, (int, float)) else f":'v{number}'") + part
        # The values travel by the standard input, because everybody sees a command line.
        return self.workspace.run(
            "psql", "--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--set=ON_ERROR_STOP=1",
            f"--host={self.workspace.path}", f"--port={self.port}", "--username=postgres", f"--dbname={self.name}",
            input="".join(variables) + text + ";\n")

    def rows(self, query: str, *values: object) -> list[tuple]:
        """Returns the rows of a query."""
        lines = self.execute(f"SELECT row_to_json(found) FROM ({query}) AS found", *values)
        return [json.loads(line, object_pairs_hook=lambda pairs: tuple(value for _, value in pairs))
                for line in lines.splitlines()]

    def column(self, query: str, *values: object) -> list:
        return [row[0] for row in self.rows(query, *values)]

    def is_primary(self) -> bool:
        """Returns True if the server answers and takes writes."""
        try:
            return self.column("SELECT pg_is_in_recovery()") == [False]
        except Failed:
            return False

    def checkpointer(self) -> int | None:
        """Returns the server's checkpointer, another process after each crash; None if the server does not answer."""
        try:
            return self.column("SELECT pid FROM pg_stat_activity WHERE backend_type = 'checkpointer'")[0]
        except Failed:
            return None

    def sessions(self) -> list[int]:
        """Returns the server's processes for the portal."""
        return self.column(
            "SELECT pid FROM pg_stat_activity WHERE datname = ? AND usename = ?", self.name, ROLE)

    def kill_sessions(self) -> int:
        """Kills the server's processes for the portal, upon which the server ends all others and recovers; returns
        their number."""
        killed = self.sessions()
        for pid in killed:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        return len(killed)


def quoted(text: str) -> str:
    """Returns the text as psql reads it after `\\set`."""
    escaped = text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n")
    return f"'{escaped}'"
