"""Decrypts a database as an attacker with copies of its file and the key file can.

Each sealed value is AES-256-GCM: version, nonce of 12 bytes, ciphertext, tag of 16. Reading needs neither the
tag nor the associated data, because the ciphertext is AES in counter mode from 2 on. Every value is decrypted
with every key; a wrong key yields noise.
"""

import base64
import sqlite3
from collections import defaultdict
from contextlib import closing

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF


def contents(portal):
    """Returns all values of the database by column, as stored and decrypted with each remaining key."""
    with closing(sqlite3.connect(f"file:{portal.database}?mode=ro", uri=True)) as database:
        keys = all_keys(portal, database)
        found = defaultdict(list)
        for place, value in values(database):
            found[place].append(value)
            if value[:1] == b"\1":
                for owner, key in keys.items():
                    found[f"{place} by the key of {owner}"].append(deciphered(key, value[1:]))
    return {place: b"\n".join(parts) for place, parts in found.items()}


def blobs(portal):
    """Returns all ciphertexts, hashes and wrapped keys of the database with their columns."""
    with closing(sqlite3.connect(f"file:{portal.database}?mode=ro", uri=True)) as database:
        return {value: place for place, value in values(database, "BLOB") if len(value) >= 16}


def values(database, kind=None):
    """Yields each value with its table and column, of one column type if given."""
    columns = database.execute("""
        SELECT tables.name, columns.name, columns.type
        FROM sqlite_schema AS tables JOIN pragma_table_info(tables.name) AS columns
        WHERE tables.type = 'table'""").fetchall()
    for table, column, type_ in columns:
        if kind in (None, type_):
            for (value,) in database.execute(f'SELECT "{column}" FROM "{table}"'):
                if value is not None:
                    yield f"{table}.{column}", value if isinstance(value, bytes) else str(value).encode()


def all_keys(portal, database):
    """Returns the portal's own key and the keys of all stored people by their numbers."""
    lines = [line.split() for line in portal.key.read_text().splitlines()[1:-1]]
    masters = {bytes.fromhex(words[0]): base64.b64decode(words[2]) for words in lines}

    def unwrapped(wrapped):
        return deciphered(masters[wrapped[1:5]], wrapped[5:])

    installation = dict(database.execute("SELECT name, value FROM installation"))
    lookup = unwrapped(installation["lookup-key"])
    portal_key = HKDF(SHA256(), 32, installation["installation"], b"portal-data").derive(lookup)
    people = database.execute("SELECT id_person, wrapped_key FROM people")
    return {"the portal": portal_key, **{person: unwrapped(key) for person, key in people}}


def deciphered(key, sealed):
    """Decrypts nonce, ciphertext and tag without checking the tag."""
    nonce, text = sealed[:12], sealed[12:-16]
    counter = Cipher(algorithms.AES(key), modes.CTR(nonce + (2).to_bytes(4, "big")))
    return counter.decryptor().update(text)
