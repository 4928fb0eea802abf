"""The portal as it is measured: one worker of four threads."""

import subprocess
import time
from pathlib import Path

from fastcgi import HOST, ask
from processes import Process

THREADS = 4
ROOT = Path(__file__).parent.parent.parent


class Portal(Process):
    """`polyclinic serve`, which answers once this is made."""

    name = "portal"

    def __init__(self, program, directory):
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
        """What the portal has nginx be told."""
        command = [*self.process.args[:1], "config", "nginx", *self.process.args[2:]]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

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
    (place / "polyclinic.yaml").write_text(f"""\
server: {{ origin: "https://{HOST}", listen: "unix:polyclinic.sock", workers: 1, threads: {THREADS},
  www: "{ROOT / 'www'}" }}
database: {{ url: "sqlite:polyclinic.sqlite" }}
vault: {{ key_file: "master.key" }}
clinic: {{ name: "Polyclinic", languages: [en, ru, he], time_zone: "UTC" }}
modules: {{ appointments: {{ enabled: true, open_bookings: 0 }}, contacts: {{ enabled: true }},
  health-metrics: {{ enabled: true }}, covid-stats: {{ enabled: true, source: owid }},
  vaccination-qr: {{ enabled: true }} }}
""")
    return (place / "cookies.txt").read_text().split()
