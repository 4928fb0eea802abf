"""EU certificates of vaccination, signed, that people send to the portal as pictures; the reference gets rows."""

import contextlib
import ctypes
import hashlib
import random
import sqlite3
import struct
import subprocess
import sys
import zlib
from pathlib import Path

from fastcgi import ask
from imports import BOUNDARY, hidden, location, multipart
from names import FIRST, LAST
from pages import HOLDERS
from reference import REFERENCE
from templates import MONTHS, mark, marked, replaced, visitor

sys.path.append(str(Path(__file__).parent.parent))
from EndToEnd.certificates import COMMON, VACCINATION, payload  # noqa: E402

PAGE = "/vaccination-qr"
NEW = PAGE + "/new"
LABEL = "Mother"
# The times between which all of them are valid.
FROM, UNTIL = r"3 May 2021 at \d\d:\d\d", r"14 November 2023 at \d\d:\d\d"


def learn(fetch):
    """The template of the first person's certificate."""
    page = visitor(fetch(f"{PAGE}/1"))
    holder, entry = details(1)
    names = holder["nam"]
    page = marked(page, rf"(?<=/vaccination-qr/)1\b|(?<=certificate=)1\b", "id", None)
    page = marked(page, rf"(?<=<bdi>){LABEL}(?=</bdi>)", "label")
    page = marked(page, r'(?<= d=")M4 [^"]+', "rows")
    page = replaced(
        page, rf"(?<=<bdi>){names['gn']} {names['fn']}(?=</bdi>)", mark("given") + " " + mark("family"))
    for text, name in [
        (names["fn"], "family"), (names["gn"], "given"), (names["fnt"], "standard-family"),
        (names["gnt"], "standard-given"), (entry["ci"], "number"), (written(holder["dob"]), "birthday"),
        (written(entry["dt"]), "given-on"),
    ]:
        # The summary names some of them, too.
        page = marked(page, rf"(?<=<bdi>){text}(?=</bdi>)", name, None)
    return {"certificate": marked(marked(page, FROM, "from"), UNTIL, "until")}


def written(day):
    year, month, day = map(int, day.split("-"))
    return f"{day} {MONTHS[month - 1]} {year}"


def keep(portal, cookies, directory):
    """Has the portal trust an issuer, and the first people send it a certificate each; inserts the same for the
    reference."""
    issuer = Issuer(directory)
    subprocess.run(
        [*portal.process.args[:1], "vaccination-qr", "trust", issuer.certificate,
         *portal.process.args[2:]], check=True, capture_output=True)
    rows = []
    for number, cookie in enumerate(cookies[:HOLDERS], start=1):
        text = issuer.payload(number)
        side, dark = encoded(text)
        send(portal, cookie, picture(side, dark), number)
        rows.append((number, number, LABEL, text, bytes([side]) + packed(dark)))
    with contextlib.closing(sqlite3.connect(directory / REFERENCE)) as database, database:
        database.executemany("INSERT INTO certificates VALUES (?, ?, ?, ?, ?)", rows)
        database.execute(
            "INSERT INTO certificate_keys VALUES (?, ?)", [issuer.number, issuer.public_key])


def send(portal, cookie, content, number):
    """Sends a picture as the list's form does; stops unless it is kept under that number."""
    fields = hidden(ask(portal.socket, NEW, cookie)) | {"label": LABEL}
    answer = ask(
        portal.socket, NEW, cookie, multipart(fields, content, "image"),
        f"multipart/form-data; boundary={BOUNDARY}")
    if not location(answer).startswith(f"{PAGE}/{number}?"):
        raise RuntimeError(f"the portal keeps a picture elsewhere: {location(answer)}")


def details(number):
    """The holder and the vaccination of a certificate, the same in every run."""
    chance = random.Random(number)
    first, last = chance.choice(FIRST), chance.choice(LAST)
    holder = {
        "ver": "1.3.0", "dob": f"19{chance.randrange(40, 100)}-0{chance.randrange(1, 10)}-11",
        "nam": {"fn": last, "fnt": last.upper(), "gn": first, "gnt": first.upper()}}
    return holder, VACCINATION | {
        "dt": f"2021-0{chance.randrange(1, 10)}-1{chance.randrange(10)}",
        "ci": f"{COMMON['ci']}{number:04}"}


class Issuer:
    """An authority that signs certificates, with a key that is made each time."""

    def __init__(self, directory):
        self.key = directory / "issuer.pem"
        self.certificate = directory / "issuer-certificate.pem"
        openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                "-keyout", self.key, "-out", self.certificate, "-subj", "/C=AT/CN=Issuer",
                "-days", "3000")
        der = openssl("x509", "-in", self.certificate, "-outform", "DER")
        self.number = hashlib.sha256(der).digest()[:8]
        self.public_key = openssl("pkey", "-in", self.key, "-pubout", "-outform", "DER")

    def payload(self, number):
        """The text of a certificate."""
        holder, entry = details(number)
        return payload(holder=holder, key=self.number, sign=self.sign, v=entry)

    def sign(self, content):
        """r and s, of 32 bytes each (RFC 9053, 2.1), out of what openssl writes (RFC 3279, 2.2.3)."""
        der = openssl("dgst", "-sha256", "-sign", self.key, given=content)
        count = der[3]
        numbers = der[4:4 + count], der[6 + count:]
        return b"".join(number.lstrip(b"\0").rjust(32, b"\0") for number in numbers)


def openssl(*arguments, given=b""):
    return subprocess.run(
        ["openssl", *arguments], input=given, capture_output=True, check=True).stdout


class Encoded(ctypes.Structure):
    """QRcode of libqrencode."""

    _fields_ = [("version", ctypes.c_int), ("width", ctypes.c_int),
                ("data", ctypes.POINTER(ctypes.c_ubyte))]


def encoded(text):
    """The modules on a side of the text's code, level Q, and for each module, row by row, true if it is dark."""
    library = ctypes.CDLL("libqrencode.so.4")
    library.QRinput_new2.restype = ctypes.c_void_p
    library.QRcode_encodeInput.restype = ctypes.POINTER(Encoded)
    quartile, alphanumeric = 2, 1
    # In one mode, as the portal has it: left to itself, the library takes another one for long numbers.
    given = ctypes.c_void_p(library.QRinput_new2(0, quartile))
    library.QRinput_append(given, alphanumeric, len(text), text.encode())
    code = library.QRcode_encodeInput(given).contents
    return code.width, [code.data[place] & 1 == 1 for place in range(code.width ** 2)]


def packed(dark):
    """Eight modules a byte, the first in the highest bit."""
    bits = "".join("01"[one] for one in dark).ljust(-(-len(dark) // 8) * 8, "0")
    return int(bits, 2).to_bytes(len(bits) // 8, "big")


def picture(side, dark, scale=6, border=4):
    """A PNG of the code (RFC 2083), grey, with its light border."""
    light = [False] * side
    rows = [light] * border + [dark[row * side:][:side] for row in range(side)] + [light] * border
    lines = b""
    for row in rows:
        padded = [False] * border + list(row) + [False] * border
        lines += (b"\0" + b"".join(b"\0" * scale if one else b"\xff" * scale for one in padded)) * scale
    size = (side + 2 * border) * scale
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack("!I", len(content)) + kind + content
        + struct.pack("!I", zlib.crc32(kind + content))
        for kind, content in [
            (b"IHDR", struct.pack("!IIBBBBB", size, size, 8, 0, 0, 0, 0)),
            (b"IDAT", zlib.compress(lines)), (b"IEND", b"")])
