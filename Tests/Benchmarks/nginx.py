"""The web server in front of all responders."""

import os
import re
import socket

from processes import Process

HANDING_OVER = re.compile(
    r"^ *(fastcgi_(?:param \w+|keep_conn|buffer_size|buffers|max_temp_file_size)) .*;$", re.M)
KEEPING = re.compile(r"^ *keepalive(?:_requests)? \d+;$", re.M)


class Nginx(Process):
    """One nginx for all; each responder has a port, in the order of the sockets. The first is the portal's."""

    def __init__(self, directory, sockets, site):
        self.ports = [free_port() for _ in sockets]
        (directory / "nginx").mkdir()
        configuration = directory / "nginx.conf"
        configuration.write_text(text(directory, zip(self.ports, sockets), site))
        path = os.environ["PATH"] + ":/usr/sbin"
        super().__init__(
            ["nginx", "-e", "stderr", "-c", configuration], directory / "nginx.log",
            env=dict(os.environ, PATH=path))
        self.await_that(lambda: all(map(listens, self.ports)))


def text(directory, servers, site):
    """A configuration that hands requests over as the portal's own site does, without TLS and limits.

    Only the portal's connections are kept: another responder on libfcgi gives a thread to each.
    """
    # Several locations say the same.
    handing_over = "\n".join({line[1]: line[0] for line in HANDING_OVER.finditer(site)}.values())
    places = "".join(
        f"  {name}_temp_path {directory / 'nginx'};\n"
        for name in ["client_body", "fastcgi", "proxy", "scgi", "uwsgi"])
    (port, portal), *others = servers
    sites = server(port, "$workers") + "".join(server(port, f"unix:{path}") for port, path in others)
    return f"""\
{"user root;" if os.geteuid() == 0 else ""}
daemon off;
pid {directory / "nginx.pid"};
error_log stderr crit;
worker_processes 1;
events {{ worker_connections 1024; }}
http {{
  access_log off;
  keepalive_requests 1000000;
  upstream portal {{ server unix:{portal}; }}
  upstream kept {{ server unix:{portal}; {" ".join(KEEPING.findall(site))} }}
  map $request_method $workers {{ default portal; "~^(?:GET|HEAD)$" kept; }}
{places}
{handing_over}
{sites}}}
"""


def server(port, place):
    return f"  server {{ listen 127.0.0.1:{port}; location / {{ fastcgi_pass {place}; }} }}\n"


def free_port():
    """A port of this machine that nobody listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def listens(port):
    """Whether a port of this machine takes connections."""
    with socket.socket() as connection:
        return connection.connect_ex(("127.0.0.1", port)) == 0
