"""What the portal tells of itself: to monitors, to administrators, to whoever reads its log."""

import os
import re
import signal
from contextlib import suppress
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from test_processes import ready_workers, status
from visitor import Visitor
from waiting import until


@pytest.fixture(scope="module")
def watched(start_portal):
    return start_portal()


def metrics(portal):
    """All samples by name and labels, as Prometheus reads them."""
    answer = Visitor(portal).get("/metrics")
    assert answer.status == 200
    assert answer.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
    samples = {}
    for family in text_string_to_metric_families(answer.text):
        for sample in family.samples:
            key = (sample.name, frozenset(sample.labels.items()))
            assert key not in samples, f"{key} comes twice"
            samples[key] = sample.value
    return samples


def value(portal, name, **labels):
    return metrics(portal).get((f"polyclinic_{name}", frozenset(labels.items())))


def test_metrics_are_of_the_whole_installation_and_outlive_a_killed_worker(watched):
    def seen():
        return value(watched, "requests_total", route="/login", method="GET", status="2xx")

    before = seen() or 0
    for _ in range(40):
        assert Visitor(watched).get("/login").status == 200
    assert seen() == before + 40, "whichever worker answered"
    for victim in watched.workers:
        os.kill(victim, signal.SIGKILL)
        until(lambda: victim not in ready_workers(watched) and len(ready_workers(watched)) == 2)
    assert seen() == before + 40
    assert Visitor(watched).get("/login").status == 200
    assert seen() == before + 41
    restarts = [figure for (name, _), figure in metrics(watched).items()
                if name == "polyclinic_process_restarts_total"]
    assert sum(restarts) >= 2
    assert value(watched, "processes", role="worker", state="ready") == 2


def test_metrics_outlive_a_reload(watched):
    Visitor(watched).get("/privacy")
    labels = dict(route="/privacy", method="GET", status="2xx")
    before = value(watched, "requests_total", **labels)
    assert watched.run("module", "disable", "contacts").returncode == 0
    assert Visitor(watched).get("/contacts").status == 404
    assert value(watched, "requests_total", **labels) >= before
    assert watched.run("module", "enable", "contacts").returncode == 0
    assert Visitor(watched).get("/contacts").status == 303
    Visitor(watched).get("/privacy")
    assert value(watched, "requests_total", **labels) > before


def test_metrics_name_routes_and_never_paths(watched):
    somebody = Visitor(watched).register("zq-seen")
    contact = somebody.add_contact("Zq Seen")
    assert somebody.get(contact).status == 200
    somebody.get("/contacts?q=zq-searched")
    somebody.get("/zq-nowhere")
    text = Visitor(watched).get("/metrics").text
    assert 'route="/contacts/{id}"' in text
    assert "zq" not in text.lower() and contact not in text


@pytest.mark.parametrize("path", ["/metrics", "/readyz"])
def test_what_goes_on_here_is_told_to_this_machine_alone(watched, path):
    nginx = (watched.data / "run" / "nginx" / "nginx.conf").read_text()
    place = re.search(r"location ~ \^/\(\?:readyz\|metrics\)\$ \{(.*?)\n {2,}\}", nginx, re.S)[1]
    assert re.findall(r"(allow|deny) (\S+);", place) == [
        ("allow", "127.0.0.1"), ("allow", "::1"), ("deny", "all")]
    assert Visitor(watched).get(path).status == 200


def test_a_worker_and_the_jobs_that_are_stopped_are_replaced(watched):
    stopped = [watched.workers[0], *watched.pids(" jobs ")]
    for pid in stopped:
        os.kill(pid, signal.SIGSTOP)

    def replaced():
        running = {entry.get("pid"): entry for entry in status(watched)["processes"]}
        return not set(stopped) & set(running) and len(running) == 3 and all(
            entry["state"] == "ready" for entry in running.values())

    until(replaced, seconds=60)
    assert Visitor(watched).get("/login").status == 200
    assert watched.said.count("fallen silent") >= 2


def test_status_tells_availability_backup_and_modules(watched):
    until(lambda: "Available for" in watched.run("status").stdout)
    shown = watched.run("status")
    assert shown.returncode == 0
    share = re.search(r"for ([\d.]+) % of the [\w ]+ since the first start; 99.50 % is promised", shown.stdout)
    assert share and 0 < float(share[1]) <= 100
    assert "backup" in shown.stdout and "Modules: appointments, contacts, health-metrics" in shown.stdout
    assert 0 < value(watched, "availability_ratio") <= 1


REFERENCE = re.compile(r'class="reference">[^<]*<code>([0-9a-f]{32})</code>')


def access_log(portal):
    return (portal.data / "run" / "nginx" / "polyclinic.access.log").read_text()


def test_a_request_bears_one_name_on_the_error_page_and_in_both_logs(start_portal):
    portal = start_portal()
    somebody = Visitor(portal).register("zq-failing")
    hidden = portal.data / "hidden"
    hidden.mkdir()
    for path in portal.database.parent.glob(portal.database.name + "*"):
        path.rename(hidden / path.name)
    failed = until(lambda: (page := somebody.get("/contacts?q=zq-words")).status == 503 and page)
    name = REFERENCE.search(failed.text)[1]
    line = until(lambda: next((line for line in portal.said.splitlines() if name in line), None))
    assert " error worker " in line and f" request={name}" in line
    line = until(lambda: next(
        (line for line in access_log(portal).splitlines() if name in line), None))
    assert f' method=GET path="/contacts" request={name} status=503 ' in line
    assert "zq-" not in access_log(portal) + portal.said


def test_while_nothing_can_be_saved_the_portal_is_not_there(start_portal):
    portal = start_portal()
    record = Path(f"{portal.database}.availability")
    until(lambda: record.exists())
    before = record.stat().st_ino
    database, away = portal.database, portal.database.with_name("away")
    os.rename(database, away)
    until(lambda: Visitor(portal).get("/readyz").status == 503)
    # The end is written at once, with the whole file.
    until(lambda: record.stat().st_ino != before)
    assert len(record.read_text().splitlines()) == 2
    os.rename(away, database)
    until(lambda: len(record.read_text().splitlines()) == 3, seconds=40)
    assert Visitor(portal).get("/readyz").status == 200


def test_while_workers_hang_the_portal_is_not_available(start_portal):
    portal = start_portal()
    record = Path(f"{portal.database}.availability")
    until(lambda: record.exists())
    before = record.stat().st_ino

    def is_noted_while_all_hang():
        for pid in portal.workers:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGSTOP)
        return record.stat().st_ino != before

    until(is_noted_while_all_hang, 60)
    assert len(record.read_text().splitlines()) == 2
    until(lambda: len(record.read_text().splitlines()) == 3, 40)


def test_pages_of_the_web_server_itself_bear_the_name_too(start_portal):
    portal = start_portal()
    os.kill(portal.supervisor, signal.SIGSTOP)
    for worker in portal.workers:
        os.kill(worker, signal.SIGKILL)
    (portal.data / "run" / "polyclinic.sock").unlink()
    try:
        for language in ["en", "ru", "he"]:
            page = Visitor(portal, language=language).get("/login")
            assert page.status in (502, 503) and f'lang="{language}"' in page.text
            name = REFERENCE.search(page.text)[1]
            until(lambda: f" request={name} status={page.status} " in access_log(portal))
    finally:
        os.kill(portal.supervisor, signal.SIGCONT)


def test_the_logs_are_of_one_form(watched):
    Visitor(watched).get("/login")
    form = re.compile(
        r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}Z|[+-]\d\d:\d\d) "
        r"(info|warning|error|critical) (supervisor|worker|jobs|nginx|\w+) "
        r'(\w[\w.-]*|"[^"]*")( [\w-]+=([^\s"]+|"([^"\\]|\\.)*"))*')
    lines = until(lambda: access_log(watched)).splitlines()
    lines += [line for line in watched.said.splitlines() if line.startswith("20")]
    assert len(lines) > 5
    assert [line for line in lines if not form.fullmatch(line)] == []


def test_an_outage_is_counted_though_nobody_could_note_it(start_portal):
    portal = start_portal()
    record = Path(f"{portal.database}.availability")
    until(lambda: record.exists() and len(record.read_text().splitlines()) == 2)
    # Whoever would begin it anew goes first; nginx takes its own processes along.
    os.kill(portal.foreground, signal.SIGKILL)
    os.kill(int((portal.data / "run" / "nginx" / "nginx.pid").read_text()), signal.SIGTERM)
    os.kill(portal.supervisor, signal.SIGKILL)
    portal.kill()
    until(lambda: not portal.pids(""))
    # As if all that had been an hour ago: nobody waits for one here.
    heading, span = record.read_text().splitlines()
    words = [heading.split()[-1], *span.split()]
    aged = {word: f"{int(word) - 3600:0{len(word)}}" for word in words}
    text = record.read_text()
    for word in sorted(set(words)):
        text = text.replace(word, aged[word])
    record.write_text(text)
    portal.start()
    until(lambda: len(record.read_text().splitlines()) == 3)
    assert value(portal, "availability_ratio") < 0.1
    assert "Available for 0." in portal.run("status").stdout


def test_a_broken_record_of_availability_is_set_aside(start_portal):
    portal = start_portal()
    portal.stop()
    record = Path(f"{portal.database}.availability")
    record.write_bytes(os.urandom(2000))
    portal.start()
    assert "unreadable" in portal.said
    assert Path(f"{record}.broken").exists()
    until(lambda: record.exists() and record.read_bytes().startswith(b"polyclinic availability"))
