"""Searches files for secrets in plaintext and in common encodings."""

import base64
import os
import stat
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote, quote_plus


def files(directory):
    """Returns all files of an installation except copies of releases, which are program files."""
    apart = "releases"
    result = []
    # A portal that runs creates and removes folders: the one above is never entered, and one that is gone is left out.
    for folder, names, entries in os.walk(directory, onerror=raise_unless_gone):
        names[:] = [name for name in names if name != apart]
        result += [path for name in entries if (path := Path(folder, name)).is_file()]
    return result


def raise_unless_gone(error):
    """Raises the error of a folder that cannot be read, unless the folder was removed."""
    if not isinstance(error, FileNotFoundError):
        raise error


def contents(directory):
    """Maps the paths of these files, relative to the directory, to what they contain."""
    result = {}
    for path in files(directory):
        # A portal that runs may rename a file, such as a backup that is complete now.
        with suppress(FileNotFoundError):
            result[path.relative_to(directory)] = path.read_bytes()
    return result


def found(directory, secrets):
    """Returns one line for each secret found in a file; `secrets` maps descriptions to texts or bytes."""
    return found_in(contents(directory), secrets)


def found_open(pids, secrets):
    """Searches all files that these processes have open, deleted files included."""
    opened = {}
    for pid in pids:
        for entry in descriptors(pid):
            with suppress(OSError):
                if stat.S_ISREG(entry.stat().st_mode):
                    opened[f"{entry} ({os.readlink(entry)})"] = entry.read_bytes()
    return found_in(opened, secrets)


def descriptors(pid):
    """Returns the paths of a process's descriptors in /proc: none, if it has ended."""
    with suppress(FileNotFoundError, ProcessLookupError):
        return list(Path(f"/proc/{pid}/fd").iterdir())
    return []


def found_in(contents, secrets):
    """Returns one line for each secret in each content; `contents` maps locations to bytes."""
    forms = [(what, how, form.lower()) for what, secret in secrets.items()
             for how, form in encodings(secret)]
    return [f"{what} as {how} in {place}"
            for place, content in contents.items() for content in [content.lower()]
            for what, how, form in forms if form in content]


def encodings(secret):
    """Yields the secret as text, UTF-16, hexadecimal, percent encoding and base64, with the encodings' names."""
    if isinstance(secret, str):
        yield "UTF-16", secret.encode("utf-16-le")
        for quoted in {quote(secret, safe=""), quote_plus(secret)} - {secret}:
            yield "percent encoding", quoted.encode()
        secret = secret.encode()
    yield "text", secret
    yield "hexadecimal", secret.hex().encode()
    for shift in range(3):
        coded = base64.b64encode(b"\0" * shift + secret).rstrip(b"=")
        # Neighbouring bytes change the first and the last characters.
        inner = coded[(0, 2, 3)[shift]:-1]
        yield "base64", inner
        yield "base64 for addresses", inner.translate(bytes.maketrans(b"+/", b"-_"))
