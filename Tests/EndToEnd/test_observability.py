"""Metrics, status, logs and uptime history."""

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
    """Returns all samples by name and labels, parsed by the Prometheus client."""
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


def test_metrics_cover_all_workers_and_survive_killed_workers(watched):
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


def test_metrics_survive_a_reload(watched):
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


def test_metrics_contain_routes_but_no_paths(watched):
    user = Visitor(watched).register("zq-seen")
    contact = user.add_contact("Zq Seen")
    assert user.get(contact).status == 200
    user.get("/contacts?q=zq-searched")
    user.get("/zq-nowhere")
    text = Visitor(watched).get("/metrics").text
    assert 'route="/contacts/{id}"' in text
    assert "zq" not in text.lower() and contact not in text


@pytest.mark.parametrize("path", ["/metrics", "/readyz"])
def test_metrics_and_readiness_are_available_only_from_this_machine(watched, path):
    nginx = (watched.data / "run" / "nginx" / "nginx.conf").read_text()
    place = re.search(r"location ~ \^/\(\?:readyz\|metrics\)\$ \{(.*?)\n {2,}\}", nginx, re.S)[1]
    assert re.findall(r"(allow|deny) (\S+);", place) == [
        ("allow", "127.0.0.1"), ("allow", "::1"), ("deny", "all")]
    assert Visitor(watched).get(path).status == 200


def test_a_paused_worker_and_paused_jobs_process_are_replaced(watched):
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


def test_status_shows_availability_backup_and_modules(watched):
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


def test_the_error_page_and_both_logs_contain_the_same_request_id(start_portal):
    portal = start_portal()
    user = Visitor(portal).register("zq-failing")
    hidden = portal.data / "hidden"
    hidden.mkdir()
    for path in portal.database.parent.glob(portal.database.name + "*"):
        path.rename(hidden / path.name)
    failed = until(lambda: (page := user.get("/contacts?q=zq-words")).status == 503 and page)
    name = REFERENCE.search(failed.text)[1]
    line = until(lambda: next((line for line in portal.said.splitlines() if name in line), None))
    assert " error worker " in line and f" request={name}" in line
    line = until(lambda: next(
        (line for line in access_log(portal).splitlines() if name in line), None))
    assert f' method=GET path="/contacts" request={name} status=503 ' in line
    assert "zq-" not in access_log(portal) + portal.said


def test_an_unwritable_database_counts_as_downtime(start_portal):
    portal = start_portal()
    record = portal.database.with_name("availability")
    until(lambda: record.exists())
    before = record.stat().st_ino
    database, away = portal.database, portal.database.with_name("away")
    os.rename(database, away)
    until(lambda: Visitor(portal).get("/readyz").status == 503)
    # The end of availability is written at once, by replacing the file.
    until(lambda: record.stat().st_ino != before)
    assert len(record.read_text().splitlines()) == 2
    os.rename(away, database)
    until(lambda: len(record.read_text().splitlines()) == 3, seconds=40)
    assert Visitor(portal).get("/readyz").status == 200


def test_hanging_workers_count_as_downtime(start_portal):
    portal = start_portal()
    record = portal.database.with_name("availability")
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


def test_error_pages_of_nginx_contain_the_request_id(start_portal):
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


def test_all_log_lines_have_one_format(watched):
    Visitor(watched).get("/login")
    form = re.compile(
        r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}Z|[+-]\d\d:\d\d) "
        r"(info|warning|error|critical) (supervisor|worker|jobs|nginx|\w+) "
        r'(\w[\w.-]*|"[^"]*")( [\w-]+=([^\s"]+|"([^"\\]|\\.)*"))*')
    lines = until(lambda: access_log(watched)).splitlines()
    lines += [line for line in watched.said.splitlines() if line.startswith("20")]
    assert len(lines) > 5
    assert [line for line in lines if not form.fullmatch(line)] == []


def test_an_outage_of_all_processes_counts_as_downtime(start_portal):
    portal = start_portal()
    record = portal.database.with_name("availability")
    until(lambda: record.exists() and len(record.read_text().splitlines()) == 2)
    # Kills the process that restarts the supervisor first; nginx ends its own workers.
    os.kill(portal.foreground, signal.SIGKILL)
    os.kill(int((portal.data / "run" / "nginx" / "nginx.pid").read_text()), signal.SIGTERM)
    os.kill(portal.supervisor, signal.SIGKILL)
    portal.kill()
    until(lambda: not portal.pids(""))
    # Backdates the record by an hour, instead of waiting.
    heading, span = record.read_text().splitlines()
    words = [heading.split()[3], *span.split()]
    aged = {word: f"{int(word) - 3600:0{len(word)}}" for word in words}
    text = record.read_text()
    for word in sorted(set(words)):
        text = text.replace(word, aged[word])
    record.write_text(text)
    portal.start()
    until(lambda: len(record.read_text().splitlines()) == 3)
    assert value(portal, "availability_ratio") < 0.1
    assert "Available for 0." in portal.run("status").stdout


def test_an_unreadable_uptime_history_is_moved_aside_and_started_anew(start_portal):
    portal = start_portal()
    portal.stop()
    record = portal.database.with_name("availability")
    record.write_bytes(os.urandom(2000))
    portal.start()
    assert "unreadable" in portal.said
    assert Path(f"{record}.broken").exists()
    until(lambda: record.exists() and record.read_bytes().startswith(b"polyclinic availability"))
