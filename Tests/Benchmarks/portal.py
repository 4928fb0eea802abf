"""The portal as it is measured: one worker of four threads."""

import subprocess
import time
from pathlib import Path

from fastcgi import HOST, ask
from processes import Responder

THREADS = 4
PORTAL = "portal/polyclinic.sqlite"
ROOT = Path(__file__).parent.parent.parent


class Portal(Responder):
    """`polyclinic serve`, which answers once this is made."""

    name = "portal"

    def __init__(self, program, directory):
        self.database = directory / PORTAL
        self.socket = directory / "portal" / "polyclinic.sock"
        self.socket.unlink(missing_ok=True)
        began = time.monotonic()
        super().__init__(
            [program, "serve", "--config", directory / "portal" / "polyclinic.yaml"],
            directory / "portal.log")
        self.await_that(lambda: "Status: 200" in ask(self.socket, "/robots.txt"))
        self.seconds_to_answer = time.monotonic() - began

    @property
    def site(self):
        """The site that the portal gives to nginx."""
        command = [*self.process.args[:1], "config", "nginx", *self.process.args[2:]]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    def await_backup(self):
        """Returns as soon as there is the backup that a new portal makes at its start."""
        self.await_that(lambda: "backup made" in self.log.read_text())

    @property
    def worker(self):
        """The process id of the one that answers."""
        return self.children(" worker ")[0]


def make_portal(filler, directory, people):
    """Makes a database whose people are signed in, and its configuration; their cookies."""
    place = directory / "portal"
    place.mkdir(mode=0o700)
    forms = directory / "contacts.tsv"
    forms.write_text("".join(f"{one.owner}\t{one.form}\n" for one in people))
    subprocess.run([filler, place, ROOT / "www", forms], check=True, timeout=600)
    forms.unlink()
    make_certificate(place / "certificate")
    (place / "polyclinic.yaml").write_text(f"""\
server: {{ origin: "https://{HOST}", listen: "unix:polyclinic.sock", data: ".", workers: 1,
  threads: {THREADS}, www: "{ROOT / 'www'}" }}
database: {{ url: "sqlite:polyclinic.sqlite" }}
vault: {{ key_file: "master.key" }}
clinic: {{ name: "Polyclinic", languages: [en, ru, he], time_zone: "UTC" }}
modules: {{ appointments: {{ enabled: true, open_bookings: 0 }}, contacts: {{ enabled: true }},
  health-metrics: {{ enabled: true }}, covid-stats: {{ enabled: true, source: owid }},
  vaccination-qr: {{ enabled: true }} }}
""")
    return cookies_in(directory)


def cookies_in(directory):
    """The cookies of the people's sessions, in the order of their numbers."""
    return (directory / "portal" / "cookies.txt").read_text().split()


def guardian_in(directory):
    """The cookie of the session of somebody who acts for another person."""
    return (directory / "portal" / "guardian.txt").read_text()


def make_certificate(place):
    """Makes a certificate for nginx, of the kind that `polyclinic run` makes."""
    place.mkdir()
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
         "-subj", "/CN=localhost", "-keyout", place / "key.pem", "-out", place / "certificate.pem"],
        check=True, capture_output=True)
