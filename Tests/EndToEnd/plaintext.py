"""Finds in files what only its owner may read, however it is written."""

import base64
import os
import stat
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote, quote_plus


def files(directory):
    """All files of an installation but those of its keys."""
    return [path for path in directory.rglob("*")
            if path.is_file() and "keys" not in path.relative_to(directory).parts]


def found(directory, secrets):
    """Where any of the secrets stands: a line for each place; `secrets` are texts by what they are."""
    contents = {path.relative_to(directory): path.read_bytes() for path in files(directory)}
    return found_in(contents, secrets)


def found_open(pids, secrets):
    """The same of all files that these processes have open, also of those that have no name any more."""
    contents = {}
    for pid in pids:
        for entry in Path(f"/proc/{pid}/fd").iterdir():
            with suppress(OSError):
                if stat.S_ISREG(entry.stat().st_mode):
                    contents[f"{entry} ({os.readlink(entry)})"] = entry.read_bytes()
    return found_in(contents, secrets)


def found_in(contents, secrets):
    """A line for each secret in each content; `contents` are bytes by their places."""
    forms = [(what, how, form.lower()) for what, secret in secrets.items()
             for how, form in disguises(secret)]
    return [f"{what} as {how} in {place}"
            for place, content in contents.items() for content in [content.lower()]
            for what, how, form in forms if form in content]


def disguises(secret):
    """A secret as it may be written: as it is, and in the encodings of addresses and headers."""
    yield "text", secret.encode()
    yield "UTF-16", secret.encode("utf-16-le")
    yield "hexadecimal", secret.encode().hex().encode()
    for quoted in {quote(secret, safe=""), quote_plus(secret)} - {secret}:
        yield "percent encoding", quoted.encode()
    for shift in range(3):
        coded = base64.b64encode(b"\0" * shift + secret.encode()).rstrip(b"=")
        # What stands before and behind changes the characters at the edges.
        inner = coded[(0, 2, 3)[shift]:-1]
        yield "base64", inner
        yield "base64 for addresses", inner.translate(bytes.maketrans(b"+/", b"-_"))
