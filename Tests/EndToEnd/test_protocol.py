"""Responses of nginx and the portal at the level of TLS and HTTP, also to malformed requests."""

import socket
import ssl
import subprocess

import pytest

from visitor import FORM, Visitor, untrusting

SECURITY_HEADERS = [
    "Content-Security-Policy", "Strict-Transport-Security", "X-Content-Type-Options",
    "Referrer-Policy", "Cross-Origin-Opener-Policy", "Cross-Origin-Resource-Policy",
    "Permissions-Policy", "Cache-Control",
]


def handshake(portal, **options):
    """Returns the negotiated TLS version and application protocol."""
    context = untrusting()
    context.set_ciphers("ALL:@SECLEVEL=0")
    for name, value in options.items():
        setattr(context, name, value)
    context.set_alpn_protocols(["h2", "http/1.1"])
    with socket.create_connection(("127.0.0.1", portal.port), timeout=10) as plain:
        with context.wrap_socket(plain, server_hostname="localhost") as secure:
            return secure.version(), secure.selected_alpn_protocol()


def spoken(portal, text, secure=True):
    """Sends the bytes and returns the response."""
    with socket.create_connection(("127.0.0.1", portal.port), timeout=10) as plain:
        stream = untrusting().wrap_socket(plain, server_hostname="localhost") if secure else plain
        stream.sendall(text)
        answer = b""
        while part := stream.recv(65536):
            answer += part
        return answer.decode(errors="replace")


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1])
def test_old_versions_of_tls_are_refused(portal, version):
    with pytest.warns(DeprecationWarning), pytest.raises((ssl.SSLError, ConnectionError)):
        handshake(portal, minimum_version=version, maximum_version=version)


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
def test_http_2_is_negotiated_over_tls_1_2_and_1_3(portal, version):
    assert handshake(portal, minimum_version=version, maximum_version=version)[1] == "h2"


def by_http_2(address, *options, body=None):
    """Requests the address with curl; returns the HTTP version, the status and the content type."""
    fetched = subprocess.run(
        ["curl", "--silent", "--insecure", "--http2", "--output", "/dev/null", "--max-time", "10",
         "--write-out", "%{http_version} %{http_code} %{content_type}", *options, address],
        input=body, capture_output=True)
    return fetched.stdout.decode()


def test_http_2_carries_a_page(portal):
    assert by_http_2(f"{portal.origin}/login").startswith("2 200 ")


@pytest.mark.parametrize(
    "path, kind", [("/login", "text/html; charset=utf-8"), ("/api/v1/contacts", "application/problem+json")])
def test_a_body_above_the_limit_gets_413_over_http_2(portal, path, kind):
    answer = by_http_2(
        f"{portal.origin}{path}", "--request", "POST", "--data-binary", "@-", body=b"x" * 600_000)
    assert answer == f"2 413 {kind}"


def test_plain_http_on_the_same_port_is_redirected(portal):
    request = b"GET /login?next=/account HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    answer = spoken(portal, request, secure=False)
    assert answer.startswith("HTTP/1.1 301 ")
    assert f"Location: {portal.origin}/login\r\n" in answer, "the query is not repeated in clear"


CHUNKED = "{} {} HTTP/1.1\r\nHost: localhost:{}\r\nTransfer-Encoding: chunked\r\n" \
    "Connection: close\r\nContent-Type: {}\r\nAccept-Language: en\r\n\r\n1\r\na\r\n0\r\n\r\n"


@pytest.mark.parametrize(
    "method, path, kind, answered",
    [
        ("POST", "/login", FORM, "text/html; charset=utf-8"),
        ("POST", "/contacts/import", "multipart/form-data; boundary=b", "text/html; charset=utf-8"),
        ("POST", "/api/v1/contacts", "application/json", "application/problem+json"),
        ("PUT", "/api/v1/contacts/1", "application/json", "application/problem+json"),
        ("GET", "/readyz", FORM, "text/html; charset=utf-8"),
    ],
)
def test_a_chunked_body_is_refused_with_411(portal, method, path, kind, answered):
    answer = spoken(portal, CHUNKED.format(method, path, portal.port, kind).encode())
    assert answer.startswith("HTTP/1.1 411 ") and f"Content-Type: {answered}\r\n" in answer
    assert ('"status":411' in answer) == path.startswith("/api/")
    assert ("We need to know how much" in answer) != path.startswith("/api/")


@pytest.mark.parametrize(
    "method, path, status",
    [
        ("GET", "/", 200), ("GET", "/login", 200), ("GET", "/nothing-here", 404),
        ("GET", "/assets/styles/style.css", 200), ("GET", "/assets/nothing.css", 404),
        ("GET", "/favicon.ico", 200), ("GET", "/contacts", 303), ("TRACE", "/", 405),
        ("GET", "/" + "x" * 8000, 414), ("HEAD", "/login", 200), ("POST", "/login", 415),
    ],
)
def test_every_answer_has_each_security_header_once(visitor, method, path, status):
    answer = visitor().request(method, path)
    assert answer.status == status
    counts = {name: len(answer.headers.get_all(name, [])) for name in SECURITY_HEADERS}
    assert set(counts.values()) == {1}, counts


def test_a_body_above_the_limit_gets_413_with_security_headers(visitor):
    answer = visitor().request("POST", "/login", b"a=" + b"x" * 600_000, {"Content-Type": FORM})
    assert answer.status == 413
    assert answer.headers.get_all("Content-Security-Policy", []) != []
    answer = visitor().request(
        "POST", "/login", None, {"Content-Type": FORM, "Content-Length": "100000000"})
    assert answer.status == 413
    assert len(answer.headers.get_all("Content-Security-Policy")) == 1


def test_static_files_have_a_hash_in_their_name_and_immutable_caching(visitor):
    page = visitor().get("/login").text
    style = page.split('rel="stylesheet" href="')[1].split('"')[0]
    assert style.startswith("/assets/styles/style.") and style != "/assets/styles/style.css"
    answer = visitor().get(style)
    assert answer.status == 200
    assert answer.headers["Content-Type"].startswith("text/css")
    assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"


def test_files_of_modules_are_compressed_and_cached_as_those_of_nginx_and_pages_are_not_compressed(visitor):
    packed = {"Accept-Encoding": "gzip"}
    style = visitor().get("/login").links(r"/assets/modules\.[^\"]+")[0]
    answer = visitor().request("GET", style, None, packed)
    assert answer.status == 200
    assert answer.headers["Content-Type"] == "text/css; charset=utf-8"
    assert answer.headers["Content-Encoding"] == "gzip"
    assert answer.headers["Vary"] == "Accept-Encoding"
    assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert {len(answer.headers.get_all(name, [])) for name in SECURITY_HEADERS} == {1}
    assert visitor().get("/assets/modules/nothing/map.js").status == 404
    assert visitor().request("GET", "/login", None, packed).headers["Content-Encoding"] is None


def test_private_pages_are_sent_with_no_store(person):
    assert person().get("/account").headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "FROBNICATE"])
def test_an_unsupported_method_gets_405_with_allow(visitor, method):
    answer = visitor().request(method, "/login")
    assert answer.status == 405
    assert {"GET", "HEAD", "POST"} <= set(answer.headers["Allow"].split(", "))


@pytest.mark.parametrize(
    "path, status",
    [
        ("//", 404), ("//login", 404), ("/%2f", 404), ("/contacts%2f1", 404), ("/..", 400),
        ("/a/../../etc/passwd", 400), ("/assets/../polyclinic.yaml", 404), ("/%2e%2e/x", 400),
        ("/contacts/%00", 400), ("/%zz", 400), ("/contacts/1/2/3", 404), ("/contacts/x", 404),
        ("/assets/%2e%2e/%2e%2e/etc/passwd", 400), ("/error.html", 404),
    ],
)
def test_a_malformed_or_unknown_path_gets_an_error_page(person, path, status):
    answer = person().get(path)
    assert answer.status == status
    assert status == 308 or "<h1>" in answer.text
    assert "root:" not in answer.text


def test_a_foreign_host_header_gets_421(visitor):
    for host in ["evil.example", "127.0.0.1", "localhost.evil.example"]:
        answer = visitor().get("/login", Host=host)
        assert answer.status == 421
        assert "evil" not in answer.text


@pytest.mark.parametrize(
    "body, content_type, status",
    [
        ("&".join(f"f{index}=1" for index in range(1001)), FORM, 400),
        ("login=%zz", FORM, 400), ("login=%4", FORM, 400), ("login=%ff%fe", FORM, 400),
        (b"login=\xff\xfe", FORM, 400), ("{}", "application/json", 415), ("<x/>", "text/xml", 415),
        ("--b\r\n", "multipart/form-data; boundary=b", 415), ("login=x", "", 415),
    ],
)
def test_a_malformed_body_gets_a_styled_error_page(visitor, body, content_type, status):
    answer = visitor().request("POST", "/login", body, {"Content-Type": content_type})
    assert answer.status == status
    assert "<h1>" in answer.text and "style." in answer.text


def test_error_pages_use_the_visitors_language(portal):
    for language, direction in [("en", "ltr"), ("ru", "ltr"), ("he", "rtl")]:
        for path in ["/nothing", "/assets/nothing.css", "/" + "x" * 8000]:
            text = Visitor(portal, language=language).get(path).text
            assert f'lang="{language}"' in text and f'dir="{direction}"' in text
            cookies = f"a=b; __Host-language={language}; c=d"
            text = Visitor(portal, language="xx").get(path, Cookie=cookies).text
            assert f'lang="{language}"' in text and f'dir="{direction}"' in text


def test_a_cross_site_form_is_refused_with_403(person):
    user = person()
    fields = user.filled("/contacts/new", {"name": "Vera"})
    for headers in [
        {"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ]:
        assert user.post("/contacts/new", fields, **headers).status == 403
    assert "Vera" not in user.get("/contacts").text


def test_an_invalid_csrf_token_is_refused_and_the_form_keeps_its_values(person):
    user, other = person(), person()
    fields = dict(user.filled("/contacts/new", {"name": "Vera Typed"}))
    foreign = dict(other.filled("/contacts/new", {}))["csrf"]
    user.post("/logout", user.get("/account").fields("/logout"))
    assert user.sign_in(user.login).status == 303
    for token in ["", foreign, fields["csrf"], "x" * 90]:
        answer = user.post("/contacts/new", {**fields, "csrf": token})
        assert answer.status == 403
        again = dict(answer.fields())
        assert again["name"] == "Vera Typed"
    assert user.post("/contacts/new", again).status == 303


def test_a_proxy_request_header_has_no_effect(visitor):
    assert visitor().get("/login", Proxy="http://evil.example").status == 200
