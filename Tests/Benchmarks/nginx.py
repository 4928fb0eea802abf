"""The web server in front of a responder."""

import os
import re
import socket

from processes import Process
from templates import replaced


class Nginx(Process):
    """An nginx with the portal's own site, in front of one responder."""

    def __init__(self, directory, portal, responder):
        self.responder = responder
        self.port = free_port()
        place = directory / f"nginx-{self.port}"
        place.mkdir()
        site = moved(portal.site, portal.socket, responder.socket, self.port, place)
        # libfcgi would give a thread to each kept connection.
        site = site if responder is portal else without_kept_connections(site)
        (place / "nginx.conf").write_text(configuration(site, place))
        path = os.environ["PATH"] + ":/usr/sbin"
        super().__init__(
            ["nginx", "-e", "stderr", "-c", place / "nginx.conf"], place / "nginx.log",
            env=dict(os.environ, PATH=path))
        self.await_that(lambda: listens(self.port))

    @property
    def url(self):
        return f"https://127.0.0.1:{self.port}/"


def moved(site, socket, other_socket, port, logs):
    """Returns the site for another socket, at another port, and with its logs in a directory."""
    site = replaced(site, re.escape(str(socket)), str(other_socket), None)
    site = replaced(site, r"(?m)^( *listen \S+):\d+", rf"\g<1>:{port}", None)
    return replaced(site, "/var/log/nginx", str(logs), None)


def without_kept_connections(site):
    return re.sub(r"(?m)^ *keepalive(?:_requests)? \d+;\n", "", site)


def configuration(site, place):
    """Returns what is around the site where `polyclinic run` starts nginx."""
    places = "".join(
        f"  {name}_temp_path {place}/{name};\n"
        for name in ["client_body", "fastcgi", "proxy", "scgi", "uwsgi"])
    return f"""\
{"user root;" if os.geteuid() == 0 else ""}
daemon off;
pid {place}/nginx.pid;
error_log stderr crit;
worker_processes auto;
events {{ worker_connections 1024; }}
http {{
  sendfile on;
  tcp_nopush on;
  default_type application/octet-stream;
{places}
{site}
}}
"""


def free_port():
    """A port of this machine that nobody listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def listens(port):
    """Returns True if a port of this machine takes connections."""
    with socket.socket() as connection:
        return connection.connect_ex(("127.0.0.1", port)) == 0
