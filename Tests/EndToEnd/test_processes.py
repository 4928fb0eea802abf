"""Restarts, reloads and shutdown of the portal's processes."""

import http.client
import json
import os
import signal
import threading
from contextlib import contextmanager, suppress

import pytest

from visitor import Visitor, untrusting
from waiting import until


@pytest.fixture(scope="module")
def loaded(start_portal):
    return start_portal()


@contextmanager
def load(portal, clients=8):
    """Requests pages continuously; yields the growing list of statuses and errors."""
    statuses, stop = [], threading.Event()

    def ask():
        context = untrusting()
        connection = None
        while not stop.is_set():
            try:
                connection = connection or http.client.HTTPSConnection(
                    "localhost", portal.port, timeout=30, context=context)
                connection.request("GET", "/login")
                answer = connection.getresponse()
                answer.read()
                statuses.append(answer.status)
            except (OSError, http.client.HTTPException) as error:
                statuses.append(repr(error))
                connection = None

    threads = [threading.Thread(target=ask) for _ in range(clients)]
    for thread in threads:
        thread.start()
    try:
        until(lambda: len(statuses) > 100)
        yield statuses
        seen = len(statuses)
        until(lambda: len(statuses) > seen + 100)
    finally:
        stop.set()
        for thread in threads:
            thread.join(timeout=40)


def status(portal):
    return json.loads((portal.data / "run" / "status.json").read_text())


def ready_workers(portal):
    return {entry["pid"] for entry in status(portal)["processes"]
            if entry["role"] == "worker" and entry["state"] == "ready"}


def test_killed_workers_are_replaced_and_no_get_fails(loaded):
    with load(loaded) as statuses:
        for _ in range(3):
            victim = loaded.workers[0]
            os.kill(victim, signal.SIGKILL)
            until(lambda: victim not in ready_workers(loaded) and len(ready_workers(loaded)) == 2)
    assert set(statuses) == {200}


def test_five_reloads_under_load_fail_no_get(loaded):
    with load(loaded) as statuses:
        for number in range(1, 6):
            before = set(loaded.workers)
            if number % 2:
                os.kill(loaded.supervisor, signal.SIGHUP)
            else:
                assert loaded.run("reload").returncode == 0
                # A reload ends when the workers are ready; the process of jobs follows.
                rows = loaded.run("status").stdout.partition("GENERATION\n")[2].splitlines()
                assert [row.split()[0] for row in rows] == ["worker", "worker", "jobs"], rows
                assert all(" ready " in row for row in rows[:2]), rows
            until(lambda: len(ready_workers(loaded)) == 2 and not before & set(loaded.workers), 40)
    assert set(statuses) == {200}


def test_a_killed_supervisor_is_replaced_together_with_its_processes(start_portal):
    portal = start_portal()
    old = {portal.supervisor, *portal.workers, *portal.pids(" jobs ")}
    assert len(old) == 4
    with load(portal) as statuses:
        os.kill(portal.supervisor, signal.SIGKILL)
        until(lambda: not old & set(portal.pids("")))
        until(lambda: portal.supervisor and len(portal.workers) == 2 and portal.pids(" jobs "))
    # Requests wait for the next supervisor, and on a busy machine longer than the portal lets them.
    assert set(statuses) <= {200, 503}
    assert Visitor(portal).get("/login").status == 200
    assert portal.stop() == 0


def test_a_repeatedly_killed_supervisor_ends_the_portal_with_a_reason(start_portal):
    portal = start_portal()

    def end_once_more():
        if pid := portal.supervisor:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        return portal.process.poll() is not None

    until(end_once_more, 60)
    assert portal.process.returncode == 1
    assert "polyclinic serve was ended by signal 9, too often to be started again." in portal.said


def test_a_killed_nginx_is_replaced_together_with_its_workers(start_portal):
    portal = start_portal()
    master = next(iter(portal.pids("nginx.conf")))
    workers = set(portal.family) - {portal.process.pid, portal.foreground, master, *portal.pids("")}
    assert workers
    os.kill(master, signal.SIGKILL)
    until(lambda: not workers & portal.left and set(portal.pids("nginx.conf")) - {master})
    until(lambda: answers(portal))
    assert portal.stop() == 0


def answers(portal):
    try:
        return Visitor(portal).get("/login").status == 200
    except OSError:
        return False


def test_a_stopped_portal_exits_with_0_and_leaves_no_process(start_portal):
    portal = start_portal()
    assert portal.stop() == 0
    assert portal.pids("") == []


def test_status_lists_the_process_ids_of_the_workers(loaded):
    shown = loaded.run("status")
    assert shown.returncode == 0
    for pid in loaded.workers:
        assert str(pid) in shown.stdout


def test_enabling_a_module_reports_a_failed_reload_and_disabling_works_while_stopped(start_portal):
    portal = start_portal()
    assert portal.run("module", "disable", "contacts").returncode == 0
    away = portal.key.with_name("away")
    portal.key.rename(away)
    failed = portal.run("module", "enable", "contacts")
    assert failed.returncode == 1 and "the old processes stay" in failed.stderr
    assert Visitor(portal).get("/contacts").status == 404
    away.rename(portal.key)
    assert portal.run("module", "enable", "contacts").returncode == 0
    assert Visitor(portal).get("/contacts").status == 303
    administrator = Visitor(portal).register("chief", page=portal.setup_path)
    record = administrator.get("/admin/audit").text
    assert record.count("Asked to switch") == 2 and "Command line" in record
    assert portal.stop() == 0
    stopped = portal.run("module", "disable", "contacts")
    assert stopped.returncode == 0 and "when the portal is started" in stopped.stdout
