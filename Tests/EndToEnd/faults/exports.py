"""Downloads of everything that somebody has stored, and downloads that cannot be whole."""

import base64
import http.client
import io
import os
import re
import subprocess
import threading
import time
import zipfile
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlencode

from visitor import FORM, Visitor
from waiting import until

from faults.load import KeptVisitor
from faults.modules import faulty_program
from faults.report import Report
from faults.stage import fault, now

PHOTO = 24_000
CARDS_A_FILE = 230
# Of a worker that writes an export: its pieces, what is compressed, and pages of the database.
MOST_GROWTH = 64 << 20


class Collector:
    """Somebody who has stored many contacts with photographs."""

    def __init__(self, portal, megabytes):
        self.visitor = Visitor(portal).register("collector")
        self.photos = set()
        while len(self.photos) * PHOTO * 4 // 3 < megabytes << 20:
            self.bring_in()

    def bring_in(self):
        """Imports a file of cards, each with a photograph that nobody else has."""
        cards = []
        for _ in range(CARDS_A_FILE):
            photo = base64.b64encode(os.urandom(PHOTO)).decode()
            self.photos.add(f"PHOTO:data:image/png;base64,{photo}".encode())
            cards.append(f"BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Vera {len(self.photos)}\r\n"
                         f"PHOTO:data:image/png;base64,{photo}\r\nEND:VCARD\r\n")
        boundary, page = "boundary-of-the-cards", "/contacts/import"
        parts = "".join(
            f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
            for name, value in self.visitor.get(page).fields(page) if name != "file")
        body = (f'{parts}--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="f"'
                f'\r\n\r\n{"".join(cards)}\r\n--{boundary}--\r\n')
        preview = self.visitor.request("POST", page, body.encode(), {
            "Content-Type": f"multipart/form-data; boundary={boundary}"})
        assert preview.status == 303, preview
        taken = self.visitor.submit(preview.location, {})
        assert taken.status == 303, taken

    def has(self, cards):
        """Returns True if a file of cards is whole and has each photograph once."""
        lines = cards.replace(b"\r\n ", b"").split(b"\r\n")
        photos = [line for line in lines if line.startswith(b"PHOTO")]
        return lines[-2:] == [b"END:VCARD", b""] and sorted(photos) == sorted(self.photos)

    def cookies(self):
        return "; ".join(f"{name}={value}" for name, value in self.visitor.cookies.items())

    def begin(self, path, form=None):
        """Asks for a file, and reads no more than the head of the answer."""
        connection = self.visitor.connect()
        headers = {"Cookie": self.cookies()}
        if form is None:
            connection.request("GET", path, headers=headers)
        else:
            connection.request("POST", path, urlencode(form), {**headers, "Content-Type": FORM})
        return connection.getresponse()

    def copy_form(self):
        return self.visitor.get("/account/export").fields("/account/export")


def proportional(pid):
    """A process's memory in bytes, shared pages counted in part (PSS); 0 where it has ended."""
    with suppress(OSError):
        rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
        return 1024 * int(re.search(r"^Pss:\s+(\d+)", rollup, re.M)[1])
    return 0


@contextmanager
def watching(portal, growth):
    """Keeps in `growth` how much memory each worker took at most beyond what it had."""
    before = {pid: proportional(pid) for pid in portal.workers}
    over = threading.Event()

    def look():
        while not over.wait(0.05):
            for pid, had in before.items():
                growth[pid] = max(growth.get(pid, 0), proportional(pid) - had)

    looking = threading.Thread(target=look)
    looking.start()
    try:
        yield
    finally:
        over.set()
        looking.join()


def is_idle(portal):
    """Returns True if no worker handles a request, by their counts of twice a second."""
    time.sleep(1)
    return re.search(r"^polyclinic_threads_busy 0$", Visitor(portal).get("/metrics").text, re.M)


def received(answer):
    """The received bytes, and True if they are complete."""
    try:
        return answer.read(), True
    except (http.client.HTTPException, OSError) as error:
        return getattr(error, "partial", b""), False
    finally:
        answer.close()


@fault("exports of somebody who stores a lot")
def large_exports(stage):
    """More than a quota's worth, and in the long form many times that: no worker has it whole."""
    megabytes = stage.pick(52, 300)
    with stage.portal(sections={"storage": {"person_bytes": 2 * megabytes << 20}}) as portal:
        collector = Collector(portal, megabytes)
        crowd = stage.crowd(portal)
        report, growth = Report(f"{megabytes} MB"), {}
        workers = portal.workers
        with crowd.at_work(), watching(portal, growth):
            took = []
            for _ in range(2):
                began = now()
                cards, whole = received(collector.begin("/contacts/export.vcf"))
                took.append(now() - began)
                report.require(whole and collector.has(cards), "export.vcf is whole and right")
            began = now()
            copy, whole = received(collector.begin("/account/export", collector.copy_form()))
            took.append(now() - began)
            report.require(whole, "the copy comes whole")
            if whole:
                judge_copy(collector, copy, report)
            last = now()
            crowd.save_some(1)
        with watching(portal, growth):
            judge_unread(stage, collector, report)
        report.require(portal.workers == workers, "no worker was ended")
        report.require(max(growth.values()) <= MOST_GROWTH, f"workers grew by {growth}")
        stage.judge(crowd, portal, last, report)
        report.saw += (f"; took {', '.join(f'{one:.1f} s' for one in took)}; a worker grew by "
                       f"{max(growth.values()) >> 20} MB")
        return report


def judge_unread(stage, collector, report):
    """An answer that fits into nginx is whole, however late it is read; a larger one is broken off. Of those that
    one address holds open, there are three at most."""
    unread = []
    for _ in range(3):
        unread.append(collector.begin("/contacts/export.vcf"))
        until(lambda: is_idle(collector.visitor.portal), 40)
    refused = collector.begin("/contacts/export.vcf")
    report.require(refused.status == 429, "a fourth download of one address is refused")
    refused.close()
    stranger = Visitor(collector.visitor.portal, "127.0.0.8").get("/contacts/export.vcf")
    report.require(stranger.status == 303, "a stranger takes no place and is sent to sign in")
    for answer in unread:
        cards, whole = received(answer)
        if stage.form == "long":
            report.require(not whole, "an export that was not read in time is broken off")
        else:
            report.require(whole and collector.has(cards), "an export that was read late is right")


def judge_copy(collector, copy, report):
    archive = zipfile.ZipFile(io.BytesIO(copy))
    report.require(archive.testzip() is None, "the copy can be unpacked")
    report.require(collector.has(archive.read("contacts.vcf")), "the copy's cards are right")
    written = archive.read("contacts.json")
    report.require(written.startswith(b'{"contacts":[{"id":') and written.endswith(b"}]}")
                   and written.count(b'"name":"Vera ') == len(collector.photos),
                   "the copy's JSON has each contact once")


@fault("a download that fails midway")
def torn(stage):
    """The client learns that it is not whole, by either version of HTTP; the log says why."""
    with stage.portal(program=faulty_program()) as portal:
        visitor = KeptVisitor(portal).register("reader")
        report = Report("2")
        cookies = "; ".join(f"{name}={value}" for name, value in visitor.cookies.items())
        statuses = [
            subprocess.run(
                ["curl", "--silent", "--insecure", version, "--cookie", cookies, "--output",
                 "/dev/null", "--max-time", "20", f"{portal.origin}/faulty/torn"]).returncode
            for version in ("--http1.1", "--http2")]
        # 18: a body that ends too early; 92: a stream that was reset.
        report.require(statuses == [18, 92], f"curl ended with {statuses}")
        report.require(portal.said.count("a request failed") == 2, "the log has both")
        report.require(visitor.get("/contacts").status == 200, "the next page is there")
        report.saw = f"curl ended with {statuses}"
        return report
