"""Large files that one person takes in, and the pages of what they held: figures of the portal alone."""

import re
import time
from dataclasses import dataclass

from fastcgi import ask
from measuring import processor_time
from table import figure

CARDS = 3_500
# Two readings a day through twenty years.
READINGS = 14_600
READINGS_PAGE = "/health-metrics/blood-pressure"
BOUNDARY = "----a-line-that-no-file-holds"
# As often a page is asked for, after once that does not count.
TIMES = 50


@dataclass(frozen=True)
class File:
    """A file and the page that takes it."""

    name: str
    title: str
    page: str
    count: int
    text: str


@dataclass(frozen=True)
class Shown:
    """A page of what was in a file."""

    name: str
    title: str
    target: str


# Seconds from sending a file to having all of it stored, and milliseconds of processor time of a page.
LONGEST, DEAREST = 5.0, 20.0
NAMES = ["import"]


def files(now):
    return [
        File("cards", f"{CARDS} contacts from a file", "/contacts/import", CARDS, cards()),
        File("readings", f"{READINGS} readings from a file", f"{READINGS_PAGE}/import", READINGS,
             readings(now)),
    ]


PAGES = [
    Shown("readings", f"list of {READINGS} readings", READINGS_PAGE),
    Shown("middle", f"middle page of {READINGS} readings", f"{READINGS_PAGE}?page=146"),
    Shown("chart", f"chart of {READINGS} readings", f"{READINGS_PAGE}/chart?range=all"),
    Shown("report", f"report of {READINGS} readings", "/health-metrics/report?range=all"),
]


def cards():
    return "".join(
        "BEGIN:VCARD\r\nVERSION:4.0\r\n"
        f"UID:urn:uuid:00000000-0000-4000-8000-{number:012}\r\n"
        f"FN:Person {number} Petrova\r\nN:Petrova;Person {number};;;\r\n"
        f"TEL;TYPE=cell:+37529{number:07}\r\nEMAIL:person{number}@example.org\r\n"
        f"BDAY:19{number % 90 + 10}0{number % 9 + 1}1{number % 9}\r\n"
        "NOTE:Met at the swimming course.\r\nCATEGORIES:friends\r\nEND:VCARD\r\n"
        for number in range(CARDS))


def readings(now):
    """As blood-pressure-monitor-fl writes them, the newest first."""
    first = now // 60 * 60 - 600
    lines = [
        f"{(first - 43_200 * number) * 1000},{110 + number % 37},{65 + number % 23},{60 + number % 11}"
        for number in range(READINGS)]
    return "\r\n".join(["timestampUnixMs,systolic,diastolic,pulse", *lines])


def measure(portal, cookie):
    """The rows of the table."""
    for file in files(int(time.time())):
        yield figure(file.title, "s", take(portal, cookie, file), LONGEST, digits=1)
    for page in PAGES:
        yield figure(page.title, "ms", cost(portal, cookie, page) * 1e3, DEAREST, digits=1)


def take(portal, cookie, file):
    """Seconds until all of a file is stored; stops unless the portal says that it is."""
    began = time.monotonic()
    fields = hidden(ask(portal.socket, file.page, cookie))
    preview = location(ask(
        portal.socket, file.page, cookie, multipart(fields, file.text.encode()),
        f"multipart/form-data; boundary={BOUNDARY}"))
    form = "&".join(f"{name}={value}" for name, value in hidden(
        ask(portal.socket, preview, cookie)).items())
    done = location(ask(portal.socket, preview, cookie, form))
    if not re.search(rf"\b(new|imported)={file.count}\b", done):
        raise RuntimeError(f"the portal took something else in than {file.title}: {done}")
    return time.monotonic() - began


def cost(portal, cookie, page):
    """Seconds of processor time of a page."""
    pids = portal.pids
    for number in range(TIMES + 1):
        if number == 1:
            began = processor_time(pids)
        if not ask(portal.socket, page.target, cookie).startswith("Status: 200"):
            raise RuntimeError(f"the portal does not show {page.target}")
    return (processor_time(pids) - began) / TIMES


def hidden(page):
    """The hidden fields of the form in the middle of a page; the frame's have none of these names."""
    names = ["csrf", "person", "once", "version"]
    found = {name: re.findall(rf'name="{name}" value="([^"]*)"', page) for name in names}
    return {name: values[-1] for name, values in found.items() if values}


def multipart(fields, file, field="file"):
    """A form with a file in a field, as browsers send it (RFC 7578)."""
    parts = b"".join(
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
        for name, value in fields.items())
    head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{field}"; filename="file"\r\n\r\n'
    return parts + head.encode() + file + f"\r\n--{BOUNDARY}--\r\n".encode()


def location(answer):
    """The target of a redirect; stops at any other answer."""
    found = re.search(r"^Location: (\S+)", answer, re.M)
    if not found:
        raise RuntimeError(f"the portal refused a file: {answer[:400]}")
    return found[1]
