"""Asks a FastCGI responder at its socket, without a web server in between."""

import socket
import struct

HOST = "localhost:8443"


FORM = "application/x-www-form-urlencoded"
# The longest content of a record.
MOST = 65_528


def ask(path, target, cookie="", body=None, media_type=FORM):
    """The answer to a GET, or to a POST of a form; empty when nobody listens."""
    parameters = {
        "REQUEST_METHOD": "GET" if body is None else "POST", "REQUEST_URI": target,
        "HTTP_HOST": HOST, "HTTP_ACCEPT_LANGUAGE": "en", "HTTP_COOKIE": cookie,
        "REMOTE_ADDR": "127.0.0.1", "SERVER_PROTOCOL": "HTTP/1.1", "HTTPS": "on",
    }
    if body is not None:
        body = body.encode() if isinstance(body, str) else body
        parameters["CONTENT_TYPE"] = media_type
        parameters["CONTENT_LENGTH"] = str(len(body))
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(30)
        try:
            connection.connect(str(path))
        except (FileNotFoundError, ConnectionRefusedError):
            return ""
        connection.sendall(request(parameters, body or b""))
        return answer(connection.makefile("rb")).decode()


def request(parameters, body):
    """All records of a request."""
    begin = struct.pack("!HB5x", 1, 0)
    pairs = b"".join(pair(name.encode(), value.encode()) for name, value in parameters.items())
    records = record(1, begin) + record(4, pairs) + record(4)
    parts = (body[start:start + MOST] for start in range(0, len(body), MOST))
    return records + b"".join(record(5, part) for part in parts) + record(5)


def record(kind, content=b""):
    return struct.pack("!BBHHBB", 1, kind, 1, len(content), 0, 0) + content


def pair(name, value):
    return length(name) + length(value) + name + value


def length(text):
    if len(text) < 128:
        return struct.pack("B", len(text))
    return struct.pack("!I", len(text) | 1 << 31)


def answer(received):
    """The output of the responder."""
    content = b""
    while header := received.read(8):
        _, kind, _, count, padding, _ = struct.unpack("!BBHHBB", header)
        part = received.read(count + padding)[:count]
        if kind == 6:
            content += part
    return content
