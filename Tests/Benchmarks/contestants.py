"""The portal, the reference responder, and the nginx in front of both."""

import contextlib
import hashlib
import os
import re
import socket
import sqlite3
import struct
import subprocess
import time
from pathlib import Path

HOST = "localhost:8443"
THREADS = 4
HERE = Path(__file__).parent
ROOT = HERE.parent.parent


class Process:
    """A program that is ended with the block it is used in."""

    def __init__(self, command, log, **options):
        with open(log, "ab") as output:
            self.process = subprocess.Popen(
                [str(word) for word in command], stdout=output, stderr=output, **options)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(timeout=40)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def children(self, word=""):
        """The process ids of its children whose command line has the word."""
        found = []
        for task in Path(f"/proc/{self.process.pid}/task").iterdir():
            for pid in (task / "children").read_text().split():
                if word in Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " "):
                    found.append(int(pid))
        return found


class Portal(Process):
    """`polyclinic serve` with one worker, which answers once this is made."""

    def __init__(self, program, directory):
        self.socket = directory / "portal" / "polyclinic.sock"
        self.socket.unlink(missing_ok=True)
        began = time.monotonic()
        super().__init__(
            [program, "serve", "--config", directory / "portal" / "polyclinic.yaml"],
            directory / "portal.log")
        self.await_answer()
        self.seconds_to_answer = time.monotonic() - began

    def await_answer(self):
        """Asks for a page until the answer is there."""
        deadline = time.monotonic() + 30
        while b"Status: 200" not in ask(self.socket, "/robots.txt"):
            if time.monotonic() > deadline or self.process.poll() is not None:
                raise RuntimeError("the portal does not answer: see portal.log")
            time.sleep(0.001)

    @property
    def pids(self):
        return self.children(" worker ")

    @staticmethod
    def prepare(filler, directory, rows):
        """Makes a database whose owners are signed in, and its configuration."""
        place = directory / "portal"
        place.mkdir(mode=0o700)
        names = directory / "contacts.tsv"
        names.write_text("".join(f"{owner}\t{name}\n" for owner, name in rows))
        subprocess.run([filler, place, ROOT / "www", names], check=True, timeout=600)
        (place / "polyclinic.yaml").write_text(f"""\
server: {{ origin: "https://{HOST}", listen: "unix:polyclinic.sock", workers: 1, threads: {THREADS},
  www: "{ROOT / 'www'}" }}
database: {{ url: "sqlite:polyclinic.sqlite" }}
vault: {{ key_file: "master.key" }}
clinic: {{ name: "Polyclinic", languages: [en, ru, he], time_zone: "UTC" }}
modules: {{ contacts: {{ enabled: true }} }}
""")
        return place / "cookies.txt"


class Reference(Process):
    """The C responder."""

    def __init__(self, directory):
        self.socket = directory / "reference.sock"
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(self.socket))
            listener.listen(1024)
            super().__init__(
                [directory / "reference", directory / "reference.sqlite", directory, THREADS],
                directory / "reference.log", stdin=listener)
        self.pids = [self.process.pid]

    @staticmethod
    def prepare(directory, rows, cookies):
        """Compiles it, and makes its database with the same rows and sessions, in plain text."""
        subprocess.run(
            ["cc", "-O2", "-o", directory / "reference", HERE / "reference.c", "-lfcgi",
             "-lsqlite3", "-lcrypto", "-lpthread"], check=True)
        with contextlib.closing(sqlite3.connect(directory / "reference.sqlite")) as database:
            database.executescript("""
                PRAGMA journal_mode = WAL;
                CREATE TABLE owners (owner INTEGER PRIMARY KEY, name TEXT);
                CREATE TABLE sessions (token_hash BLOB PRIMARY KEY, owner INTEGER, expires INTEGER);
                CREATE TABLE contacts (id_contact INTEGER PRIMARY KEY, owner INTEGER, name TEXT);
            """)
            database.executemany("INSERT INTO contacts (owner, name) VALUES (?, ?)", rows)
            for owner, cookie in enumerate(cookies.read_text().split(), start=1):
                token = cookie.partition("=")[2].encode()
                database.execute("INSERT INTO owners VALUES (?, 'Anna Petrova')", [owner])
                database.execute(
                    "INSERT INTO sessions VALUES (?, ?, ?)",
                    [hashlib.sha256(token).digest(), owner, 4_102_444_800])
            database.executescript("CREATE INDEX contacts_name ON contacts (owner, name); ANALYZE;")
            database.commit()

    @staticmethod
    def imitate(directory, fetch):
        """Keeps the portal's pages as those of the reference, with marks for what differs."""
        (directory / "robots.txt").write_text(fetch("/robots.txt"))
        (directory / "home.html").write_text(fetch("/"))
        frame = fetch("/contacts")
        for pattern, mark in [
            (r'(?<=aria-hidden="true">)A(?=</span><span class="name">)', "%initial%"),
            (r'(?<=<span class="name">)Anna Petrova(?=</span>)', "%owner%"),
            (r"1,000(?= contacts)", "%total%"),
            (r'(?<=<ul class="rows">)<li>.*?(?=</ul>)', "%rows%"),
        ]:
            frame, count = re.subn(pattern, mark, frame, count=1, flags=re.S)
            if count != 1:
                raise RuntimeError(f"the portal's list has no place for {mark}")
        (directory / "contacts.html").write_text(frame)


class Nginx(Process):
    """One nginx for all; each responder has a port, in the order of the sockets."""

    def __init__(self, directory, sockets):
        self.ports = [free_port() for _ in sockets]
        servers = "".join(
            f"server {{ listen 127.0.0.1:{port}; location / {{ fastcgi_pass unix:{path}; }} }}\n"
            for port, path in zip(self.ports, sockets))
        names = [
            "client_body_temp_path", "fastcgi_temp_path", "proxy_temp_path", "scgi_temp_path",
            "uwsgi_temp_path",
        ]
        places = "".join(f"{name} {directory / 'nginx'};\n" for name in names)
        configuration = directory / "nginx.conf"
        configuration.write_text(f"""\
{"user root;" if os.geteuid() == 0 else ""}
daemon off;
pid {directory / "nginx.pid"};
error_log stderr crit;
worker_processes 1;
events {{ worker_connections 1024; }}
http {{
  access_log off;
  {places}
  fastcgi_keep_conn off;
  fastcgi_buffer_size 32k;
  fastcgi_buffers 32 32k;
  fastcgi_param GATEWAY_INTERFACE CGI/1.1;
  fastcgi_param REQUEST_METHOD $request_method;
  fastcgi_param REQUEST_URI $request_uri;
  fastcgi_param QUERY_STRING $query_string;
  fastcgi_param CONTENT_TYPE $content_type;
  fastcgi_param CONTENT_LENGTH $content_length;
  fastcgi_param SERVER_PROTOCOL $server_protocol;
  fastcgi_param SERVER_NAME localhost;
  fastcgi_param SERVER_PORT 8443;
  fastcgi_param REMOTE_ADDR $remote_addr;
  fastcgi_param HTTPS on;
  fastcgi_param REQUEST_ID $request_id;
  fastcgi_param HTTP_PROXY "";
  {servers}
}}
""")
        path = os.environ["PATH"] + ":/usr/sbin"
        super().__init__(
            ["nginx", "-e", "stderr", "-c", configuration], directory / "nginx.log",
            env=dict(os.environ, PATH=path))
        deadline = time.monotonic() + 10
        while not listens(self.ports[-1]):
            if time.monotonic() > deadline or self.process.poll() is not None:
                raise RuntimeError("nginx does not listen: see nginx.log")
            time.sleep(0.01)

    @property
    def pids(self):
        return self.children()


def free_port():
    """A port of this machine that nobody listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def listens(port):
    """Whether a port of this machine takes connections."""
    with socket.socket() as connection:
        return connection.connect_ex(("127.0.0.1", port)) == 0


def ask(path, target, cookie=""):
    """What a FastCGI responder answers to a GET; empty when nobody listens."""
    parameters = {
        "REQUEST_METHOD": "GET", "REQUEST_URI": target, "HTTP_HOST": HOST,
        "HTTP_ACCEPT_LANGUAGE": "en", "HTTP_COOKIE": cookie, "REMOTE_ADDR": "127.0.0.1",
    }
    pairs = b"".join(
        struct.pack("BB", len(name), len(value)) + name.encode() + value.encode()
        for name, value in parameters.items())

    def record(kind, content=b""):
        return struct.pack("!BBHHBB", 1, kind, 1, len(content), 0, 0) + content

    answer = b""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(30)
        try:
            connection.connect(str(path))
        except (FileNotFoundError, ConnectionRefusedError):
            return b""
        begin = struct.pack("!HB5x", 1, 0)
        connection.sendall(record(1, begin) + record(4, pairs) + record(4) + record(5))
        received = connection.makefile("rb")
        while header := received.read(8):
            _, kind, _, length, padding, _ = struct.unpack("!BBHHBB", header)
            content = received.read(length + padding)[:length]
            if kind == 6:
                answer += content
    return answer
