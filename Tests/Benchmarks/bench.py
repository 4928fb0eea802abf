#!/usr/bin/env python3
"""bench.py PORTAL FILLER: the portal's figures beside those of a reference in C, as Markdown.

Both answer the same bytes of the same rows behind one nginx, in turns, so that what else the machine
does meets both. Judged is processor time per request; the medians of all rounds are printed.
"""

import argparse
import statistics
import sys
import tempfile
from pathlib import Path

from contestants import HOST, Nginx, Portal, Reference, ask
from measuring import load, proportional_memory
from names import contacts

PAGES = [
    ("fixed page", "/robots.txt", False),
    ("public home", "/", False),
    ("50 of 1000 contacts", "/contacts", True),
]


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("portal", type=Path)
    options.add_argument("filler", type=Path)
    options.add_argument("--rounds", type=int, default=7)
    options.add_argument("--seconds", type=int, default=2, help="of each round")
    options.add_argument("--owners", type=int, default=200)
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="polyclinic-bench-") as directory:
        measure(chosen, Path(directory))


def measure(chosen, directory):
    say("Making the databases…")
    rows = contacts(chosen.owners, each=1000)
    cookies = Portal.prepare(chosen.filler, directory, rows)
    Reference.prepare(directory, rows, cookies)
    (directory / "nginx").mkdir()
    starts = []
    for _ in range(chosen.rounds):
        with Portal(chosen.portal, directory) as portal:
            starts.append(portal.seconds_to_answer)
    with Portal(chosen.portal, directory) as portal:
        cookie = cookies.read_text().split()[0]
        Reference.imitate(directory, lambda target: body(ask(portal.socket, target, cookie)))
        (directory / "home.html").write_text(body(ask(portal.socket, "/")))
        with Reference(directory) as reference:
            responders = [reference, portal]
            with Nginx(directory, [one.socket for one in responders]) as nginx:
                compare(chosen, responders, nginx, cookies)
            memory = proportional_memory(portal.pids[0])
    print(f"\nFirst answer after `serve`: {statistics.median(starts) * 1000:.0f} ms. "
          f"Idle worker's memory (PSS): {memory / 1e6:.0f} MB.")


def compare(chosen, responders, nginx, cookies):
    print("| page | | µs | ratio | nginx µs | requests/s | p50 ms | p99 ms |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for page, target, is_signed_in in PAGES:
        rounds = [[], []]
        for number in range(chosen.rounds + 1):
            for which, responder in enumerate(responders):
                result = load(
                    f"http://127.0.0.1:{nginx.ports[which]}{target}", HOST,
                    cookies if is_signed_in else None, chosen.seconds, responder.pids, nginx.pids)
                # The first round warms up.
                if number > 0:
                    rounds[which].append(result)
            say(f"{page}, {number} of {chosen.rounds}")
        ratio = statistics.median(
            portal.per_request / reference.per_request for reference, portal in zip(*rounds))
        print(line(page, "C", rounds[0], ""))
        print(line("", "portal", rounds[1], f"{ratio:.2f}"), flush=True)


def line(page, name, rounds, ratio):
    def median(figure):
        return statistics.median(getattr(one, figure) for one in rounds)

    return (
        f"| {page} | {name} | {median('per_request'):.1f} | {ratio} "
        f"| {median('nginx_per_request'):.1f} | {median('rate'):.0f} "
        f"| {median('median') / 1000:.2f} | {median('slowest') / 1000:.2f} |")


def body(answer):
    return answer.partition(b"\r\n\r\n")[2].decode()


def say(text):
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
