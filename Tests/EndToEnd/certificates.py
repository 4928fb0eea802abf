"""Creates EU certificates as health authorities do and uploads them as patients do."""

import zlib

LIST = "/vaccination-qr"
NEW = LIST + "/new"
BASE45 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"
COMMON = {"tg": "840539006", "co": "AT", "is": "Ministry of Health, Austria", "ci": "URN:UVCI:01:AT:1"}
VACCINATION = {"vp": "1119349007", "mp": "EU/1/20/1528", "ma": "ORG-100030215", "dn": 1, "sd": 2,
               "dt": "2021-02-18"} | COMMON
TEST = {"tt": "LP217198-3", "sc": "2021-04-13T14:20:00Z", "tr": "260415000", "tc": "Testcentrum"} | COMMON
HOLDER = {"ver": "1.3.0", "dob": "1998-02-26",
          "nam": {"fn": "Gößinger", "fnt": "GOESSINGER", "gn": "Gabriele", "gnt": "GABRIELE"}}
RECOVERY = {"fr": "2021-02-20", "df": "2021-04-04", "du": "2021-10-04"} | COMMON


def cbor(value):
    """A value in CBOR (RFC 8949): numbers, texts, bytes, lists and dictionaries."""
    match value:
        case int() if value < 0:
            return head(1, -1 - value)
        case int():
            return head(0, value)
        case bytes():
            return head(2, len(value)) + value
        case str():
            return head(3, len(value.encode())) + value.encode()
        case list():
            return head(4, len(value)) + b"".join(map(cbor, value))
    return head(5, len(value)) + b"".join(cbor(key) + cbor(one) for key, one in value.items())


def head(major, number):
    if number < 24:
        return bytes([major << 5 | number])
    size = next(size for size in (1, 2, 4, 8) if number < 256 ** size)
    return bytes([major << 5 | {1: 24, 2: 25, 4: 26, 8: 27}[size]]) + number.to_bytes(size, "big")


def message(holder=HOLDER, key=b"12345678", sign=lambda _: bytes(64), **entry):
    """An EU certificate (hcert-spec 1.0.8) as a COSE message; `entry` is v, t or r.

    `sign` returns r and s of ES256. Its default is an invalid signature of zeros.
    """
    health = holder | {name: [what] for name, what in entry.items()}
    claims = cbor({1: "AT", 4: 1_700_000_000, 6: 1_620_000_000, -260: {1: health}})
    protected = cbor({1: -7, 4: key})
    signature = sign(cbor(["Signature1", protected, b"", claims]))
    return b"\xd2" + cbor([protected, {}, claims, signature])


def payload(**parts):
    """Returns the text of a certificate's QR code."""
    return code_text(zlib.compress(message(**parts)))


def code_text(content):
    """Encodes the bytes in base45 (RFC 9285) after the prefix "HC1:"."""
    text = "HC1:"
    for place in range(0, len(content), 2):
        pair = content[place:place + 2]
        number = int.from_bytes(pair, "big")
        for _ in range(len(pair) + 1):
            text += BASE45[number % 45]
            number //= 45
    return text


def keep(visitor, content, label="Mother"):
    """Uploads a picture by the form for a new certificate and returns the response."""
    boundary = "----boundary-of-the-test"
    parts = [f'Content-Disposition: form-data; name="{name}"\r\n\r\n{value}'.encode()
             for name, value in visitor.get(NEW).fields(NEW) if name not in ("image", "label")]
    parts += [
        f'Content-Disposition: form-data; name="label"\r\n\r\n{label}'.encode(),
        b'Content-Disposition: form-data; name="image"; filename="photo.jpg"\r\n'
        b"Content-Type: image/jpeg\r\n\r\n" + content]
    body = b"".join(b"--%s\r\n%s\r\n" % (boundary.encode(), part) for part in parts)
    return visitor.request("POST", NEW, body + b"--%s--\r\n" % boundary.encode(), {
        "Content-Type": f"multipart/form-data; boundary={boundary}"})
