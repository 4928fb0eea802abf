"""Isolation between users, and no personal plaintext on disk."""

import os
import socket
import subprocess
from contextlib import suppress
from urllib.parse import quote

import pytest

import plaintext
from conftest import unique
from visitor import Visitor, untrusting


def test_another_persons_contact_gets_404_for_every_request(person):
    anna, boris = person(), person()
    paths = {anna: anna.add_contact("Secret Of Anna"), boris: boris.add_contact("Secret Of Boris")}
    made = [int(path.rsplit("/", 1)[1]) for path in paths.values()]
    asked = {0, 1, 2, *range(max(0, min(made) - 10), max(made) + 3), -1, 2**63, 10**30}
    for visitor, own in paths.items():
        other = "Secret Of Boris" if visitor is anna else "Secret Of Anna"
        token = dict(visitor.filled("/contacts/new", {}))
        for id in asked:
            path = f"/contacts/{id}"
            if path == own:
                continue
            for method, tail in [("GET", ""), ("GET", "/edit"), ("GET", "/delete"), ("HEAD", "")]:
                answer = visitor.request(method, path + tail)
                assert answer.status == 404 and other.encode() not in answer.body
            for tail in ["/edit", "/delete"]:
                answer = visitor.post(path + tail, {**token, "name": "Stolen"})
                assert answer.status == 404
            for action in ["restore", "purge"]:
                visitor.post(f"/account/deleted/{action}",
                             {**token, "module": "contacts", "item": id, "confirm": "yes"})
        assert other not in visitor.get("/contacts?q=Secret").text
    for visitor, own in paths.items():
        assert visitor.get(own).status == 200


def test_a_form_made_for_another_person_is_refused_with_409(person):
    anna, boris = person(), person()
    fields = {**dict(boris.filled("/contacts/new", {"name": "Whose"})),
              "person": dict(anna.filled("/contacts/new", {}))["person"]}
    answer = boris.post("/contacts/new", fields)
    assert answer.status == 409
    assert "Whose" not in boris.get("/contacts").text


@pytest.mark.parametrize("path", ["/contacts", "/contacts/new", "/contacts/1", "/account", "/admin"])
def test_private_pages_redirect_to_sign_in_without_a_session(visitor, path):
    answer = visitor().get(f"{path}?q=words")
    assert answer.status == 303
    assert answer.location == f"/login?next={quote(path, safe='')}" or path in answer.location
    assert "words" not in answer.location


def test_no_file_contains_personal_data_in_the_clear(start_portal):
    portal = start_portal()
    link = portal.setup_path
    Visitor(portal).register(unique("zq-admin"), page=link)
    secrets = {
        "login": "zqlogin-vexillum", "password": "zq quiet plinth of amber", "street": "Zqstreetovaya",
        "name": "Zqfirstname", "surname": "Zqsurnamsky", "phone": "+375291119977",
        "contact": "Zqcontact Marmelad", "notes": "zq allergic to obsidian", "words": "zqsearchwords",
        "mail": "zqmail@plinth.example", "number": "+48600733221", "workplace": "Zqworkplace Ltd",
    }
    user = Visitor(portal).register(
        secrets["login"], secrets["password"], name=secrets["name"], surname=secrets["surname"],
        street=secrets["street"], phone=secrets["phone"])
    contact = user.add_contact(
        secrets["contact"], notes=secrets["notes"], workplace=secrets["workplace"],
        method_type=["phone", "email"], method_value=[secrets["number"], secrets["mail"]])
    user.submit(f"{contact}/edit", {"notes": secrets["notes"] + " " * 3 + "x" * 4000})
    assert user.get("/contacts?q=" + secrets["words"]).status == 200
    assert user.get("/contacts?q=zqcontact").status == 200
    visitor = Visitor(portal)
    visitor.get("/login?next=/" + secrets["words"])
    visitor.sign_in(secrets["login"], secrets["password"] + "-wrong")
    visitor.post("/contacts/new", {"name": secrets["contact"]})
    visitor.get(f"/{secrets['contact'].replace(' ', '-')}/%zz")
    session = user.cookies["__Host-session"]
    secrets |= {"link": link.rsplit("/", 1)[1], "session": session}

    assert portal.run("backup", portal.data / "taken.backup").returncode == 0
    files = plaintext.files(portal.data)
    assert any(path.name.endswith("-wal") for path in files)
    assert any(path.name.endswith("access.log") and path.stat().st_size for path in files)
    assert any(path.suffix == ".backup" for path in files)
    assert plaintext.found(portal.data, secrets) == []


SECRET = "zq-body-obsidian "


def by_length(portal):
    """Sends a form of 400 KB and pauses before its end."""
    with open_stream(portal) as stream:
        stream.sendall(
            b"POST /login HTTP/1.1\r\nHost: localhost:%d\r\nContent-Length: 400000\r\n"
            b"Connection: close\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\n" % portal.port)
        stream.sendall((SECRET * 25_000).encode()[:399_990])
        yield
        stream.sendall(b"x" * 10)
        assert stream.recv(100).startswith(b"HTTP/1.1 4")


def by_chunks(portal):
    """Sends JSON of 400 KB in chunks of four bytes, without the last chunk."""
    body = (SECRET * 25_000).encode()[:400_000]
    with open_stream(portal) as stream:
        stream.sendall(
            b"POST /api/v1/contacts HTTP/1.1\r\nHost: localhost:%d\r\nTransfer-Encoding: chunked\r\n"
            b"Content-Type: application/json\r\n\r\n" % portal.port)
        with suppress(OSError):
            stream.sendall(b"".join(
                b"4\r\n%s\r\n" % body[place:place + 4] for place in range(0, len(body), 4)))
        assert stream.recv(100).startswith(b"HTTP/1.1 411 ")
        yield


def by_http_2_without_a_length(portal):
    """Sends a form of 400 KB by HTTP/2 without a Content-Length and pauses before its end."""
    curl = subprocess.Popen(
        ["curl", "--silent", "--insecure", "--http2", "--max-time", "30", "--request", "POST",
         "--upload-file", "-", "--header", "Content-Type: application/x-www-form-urlencoded",
         "--output", "/dev/null", "--write-out", "%{http_version} %{http_code}", f"{portal.origin}/login"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    for place in range(0, 400_000, 40):
        curl.stdin.write((SECRET * 3).encode()[:40])
        curl.stdin.flush()
    yield
    assert curl.communicate(timeout=40)[0].decode().startswith("2 4")


def open_stream(portal):
    plain = socket.create_connection(("localhost", portal.port), timeout=20)
    return untrusting().wrap_socket(plain)


@pytest.mark.parametrize("send", [by_length, by_chunks, by_http_2_without_a_length])
def test_nginx_writes_no_request_body_to_disk(portal, send):
    directories = [path for path in (portal.data / "run" / "nginx").glob("*") if path.is_dir()]
    before = [path.stat().st_mtime_ns for path in directories]
    assert "client_body" in [path.name for path in directories] and portal.web_server
    for _ in send(portal):
        assert plaintext.found_open(portal.web_server, {"body": SECRET}) == []
    # A temporary file would have changed its directory's modification time.
    assert [path.stat().st_mtime_ns for path in directories] == before
    assert plaintext.found(portal.data, {"body": SECRET}) == []


def test_the_search_finds_a_secret_in_a_deleted_open_file(tmp_path):
    with (tmp_path / "nameless").open("w+") as file:
        file.write(SECRET)
        file.flush()
        (tmp_path / "nameless").unlink()
        assert plaintext.found_open([os.getpid()], {"body": SECRET}) != []
    assert plaintext.found_open([os.getpid()], {"body": SECRET}) == []


def test_the_search_finds_a_secret_in_every_encoding(tmp_path):
    (tmp_path / "releases").mkdir()
    (tmp_path / "releases" / "program").write_text("zq secret")
    assert plaintext.found(tmp_path, {"word": "zq secret"}) == []
    for number, (how, form) in enumerate(plaintext.encodings("zq secret")):
        file = tmp_path / f"file-{number}"
        file.write_bytes(b"before" + form + b"behind")
        assert any(f"as {how} in" in one for one in plaintext.found(tmp_path, {"word": "zq secret"}))
        file.unlink()
