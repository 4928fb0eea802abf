"""A load stops at an answer that must not be counted, and each side is served by the portal's site."""

import contextlib
import http.server
import os
import tempfile
import threading
import unittest
from pathlib import Path
from types import SimpleNamespace

import pages
import templates
from measuring import load
from nginx import moved, without_kept_connections
from side import Side


@contextlib.contextmanager
def server(statuses, bodies=("",)):
    """The port of a web server that answers with each status and body in turn, for ever."""
    turn = [0]

    class Answer(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            turn[0] += 1
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            body = bodies[turn[0] % len(bodies)].encode()
            self.send_response(statuses[turn[0] % len(statuses)])
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_POST = do_GET

        def log_message(self, *_):
            pass

    listener = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    # The client leaves in the middle of an answer when its time is over.
    listener.handle_error = lambda *_: None
    threading.Thread(target=listener.serve_forever, daemon=True).start()
    yield listener.server_address[1]
    listener.shutdown()
    listener.server_close()


class LoadTests(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.file = Path(directory.name) / "requests.txt"
        self.file.write_text("\t/\n__Host-session=a\t/contacts/new\tname=Anna&csrf=b\n")
        self.row = pages.Row("page", "page", None, connections=4)

    def front(self, port, own=(), nginx=()):
        """A web server at the port, in front of a responder of these processes."""
        responder = SimpleNamespace(pids=list(own), name="server")
        return SimpleNamespace(pids=list(nginx), responder=responder, url=f"http://127.0.0.1:{port}/")

    def test_answers_of_the_expected_status_are_counted(self):
        with server([200], ["Hello"]) as port:
            result = load(self.front(port, own=[os.getpid()]), self.file, 1, expected=200)
        self.assertGreater(result.requests, 10)
        self.assertGreater(result.per_request, 0)
        self.assertEqual(result.together, result.per_request)

    def test_the_time_of_the_web_server_is_counted_for_both_together(self):
        with server([200], ["Hello"]) as port:
            result = load(self.front(port, nginx=[os.getpid()]), self.file, 1, 2, 200)
        self.assertEqual(result.per_request, 0)
        self.assertGreater(result.together, 0)

    def test_a_redirect_in_place_of_a_page_stops_the_measuring(self):
        with server([200, 303]) as port, self.assertRaisesRegex(RuntimeError, "last: 303"):
            load(self.front(port), self.file, 1, expected=200)

    def test_an_error_stops_it_also_where_no_status_is_compared(self):
        with server([200, 429]) as port, self.assertRaisesRegex(RuntimeError, "failed"):
            load(self.front(port), self.file, 1)

    def test_forms_that_another_client_sends_are_counted_by_themselves(self):
        with server([303]) as port:
            result = load(self.front(port), self.file, 1, 2, 303, self.file)
        self.assertGreater(result.saved, 10)
        self.assertGreater(result.requests, 10)
        self.assertGreater(result.saves, 0)

    def test_a_form_that_is_refused_stops_the_measuring_of_the_pages_beside_it(self):
        with server([200]) as port, self.assertRaisesRegex(RuntimeError, "last: 200"):
            load(self.front(port), self.file, 1, 2, 200, self.file)

    def test_a_page_that_grows_much_smaller_stops_it(self):
        with server([200], ["a" * 5000]) as port:
            side = Side(self.row, self.front(port), [self.file])
            side.add(1, 0)
        with server([200], ["Sign in"]) as port:
            side.front = self.front(port)
            with self.assertRaisesRegex(RuntimeError, "otherwise"):
                side.add(1, 1)


class NginxTests(unittest.TestCase):
    site = """\
upstream polyclinic { server "unix:/a/polyclinic.sock" max_fails=0; }
upstream polyclinic_kept {
  server "unix:/a/polyclinic.sock" max_fails=0;
  keepalive 32;
  keepalive_requests 50;
}
server {
  listen 127.0.0.1:8443 ssl http2;
  listen [::1]:8443 ssl http2;
  access_log "/var/log/nginx/polyclinic.access.log" polyclinic;
}
"""

    def test_the_site_is_the_portals_but_for_socket_port_and_logs(self):
        site = moved(self.site, "/a/polyclinic.sock", "/b/reference.sock", 1234, "/logs")
        expected = self.site.replace("/a/polyclinic.sock", "/b/reference.sock")
        expected = expected.replace(":8443 ", ":1234 ").replace("/var/log/nginx", "/logs")
        self.assertEqual(site, expected)

    def test_a_site_without_the_socket_is_refused(self):
        with self.assertRaises(templates.NotLearnt):
            moved(self.site, "/elsewhere.sock", "/b/reference.sock", 1234, "/logs")

    def test_only_the_lines_that_keep_connections_are_left_out(self):
        left = without_kept_connections(self.site).split("\n")
        self.assertEqual(
            [line for line in self.site.split("\n") if line not in left],
            ["  keepalive 32;", "  keepalive_requests 50;"])


if __name__ == "__main__":
    unittest.main()
