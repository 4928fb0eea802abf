"""The PostgreSQL servers, the forwarder and the cluster that other tests trust."""

import itertools
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from postgresql.cluster import ROLE, Cluster
from postgresql.forwarder import Cut, Forwarder
from postgresql.guard import processes
from postgresql.patroni import Patroni
from postgresql.workspace import environment
from waiting import until


@pytest.fixture(scope="module")
def cluster():
    with Cluster() as made:
        yield made


@pytest.fixture
def database(cluster):
    made = cluster.new_database()
    made.execute("CREATE TABLE notes (number BIGINT PRIMARY KEY, text TEXT)")
    made.execute(f"GRANT ALL ON notes TO {ROLE}")
    return made


@pytest.fixture
def forwarder(cluster, tmp_path):
    with Forwarder(tmp_path, cluster.host / f".s.PGSQL.{cluster.port}") as made:
        yield made


def ask(forwarder, database, *statements):
    """Runs the statements one after another in a session by the forwarder; returns psql's end."""
    commands = [part for statement in statements for part in ("--command", statement)]
    return subprocess.run(
        ["psql", "--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--set=ON_ERROR_STOP=1",
         f"--host={forwarder.directory}", "--port=5432", f"--username={ROLE}", f"--dbname={database.name}",
         *commands], capture_output=True, text=True, env=environment(), timeout=60)


def test_rows_keep_their_types_and_values_are_bound(database):
    text = "it's \\ \"a\" :v0\nline é"
    database.execute("INSERT INTO notes VALUES (?, ?), (2, NULL)", 1, text)
    assert database.rows("SELECT number, number * 0.5, text, number = 1 FROM notes ORDER BY number") == [
        (1, 0.5, text, True), (2, 1.0, None, False)]
    assert database.column("SELECT number FROM notes WHERE text = ?", text) == [1]


@pytest.mark.parametrize("immediate", [False, True])
def test_a_restarted_server_has_all_that_was_committed(cluster, database, immediate):
    database.execute("INSERT INTO notes VALUES (1, 'kept')")
    cluster.restart(immediate)
    assert database.is_primary() and database.column("SELECT text FROM notes") == ["kept"]


def test_killed_sessions_end_and_the_server_recovers(forwarder, database):
    sleeper = subprocess.Popen(
        ["psql", f"--host={forwarder.directory}", f"--username={ROLE}", f"--dbname={database.name}",
         "--command", "SELECT pg_sleep(60)"], stderr=subprocess.PIPE, env=environment())
    until(database.sessions)
    assert database.kill_sessions() == 1
    assert sleeper.wait(30) == 2
    until(database.is_primary)


def test_a_workspace_ends_with_the_process_that_made_it(tmp_path):
    script = "import time; from postgresql.cluster import Cluster; print(Cluster().host, flush=True); time.sleep(60)"
    made = subprocess.Popen(
        [sys.executable, "-c", script], cwd=Path(__file__).parent, stdout=subprocess.PIPE, text=True)
    directory = Path(made.stdout.readline().strip())
    assert processes(directory)
    made.send_signal(signal.SIGKILL)
    made.wait()
    until(lambda: not directory.exists())
    assert not processes(directory)


def test_a_server_with_a_password_takes_nobody_without_it():
    with Cluster(password="it's a \\ secret") as cluster:
        url = cluster.url(cluster.new_database())
        strict = f"{url}&sslmode=verify-full&channel_binding=require"

        def connect(password):
            return subprocess.run(
                ["psql", strict, "--command=SELECT 1"], capture_output=True, text=True,
                env=environment() | {"PGPASSWORD": password})

        assert connect(cluster.password).returncode == 0
        assert "password authentication failed" in connect("another").stderr
        unencrypted = subprocess.run(
            ["psql", url.partition("?")[0] + "?sslmode=disable"], capture_output=True, text=True,
            env=environment())
        assert "no pg_hba.conf entry" in unencrypted.stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a network")
def test_a_cut_link_is_silent_until_it_is_mended():
    with Cluster(password="secret", apart=True) as cluster:
        url = cluster.url(cluster.new_database()) + "&sslmode=verify-full&connect_timeout=2"

        def connect():
            return subprocess.run(
                ["psql", url, "--command=SELECT 1"], capture_output=True, text=True,
                env=environment() | {"PGPASSWORD": cluster.password})

        assert connect().returncode == 0
        cluster.namespace.cut()
        assert "timeout expired" in connect().stderr
        cluster.namespace.mend()
        assert connect().returncode == 0
        name = cluster.namespace.name
    assert name not in subprocess.run(["ip", "netns", "list"], capture_output=True, text=True).stdout


@pytest.mark.long
def test_no_acknowledged_row_is_lost_when_the_primary_dies():
    with Patroni() as patroni:
        database = patroni.new_database()
        database.execute("CREATE TABLE notes (number BIGINT PRIMARY KEY)")
        database.execute(f"GRANT ALL ON notes TO {ROLE}")
        url = patroni.url(database) + "&sslmode=verify-full&target_session_attrs=read-write&connect_timeout=2"
        acknowledged, stop = [], threading.Event()

        def write(first):
            for number in itertools.count(first, 2):
                if stop.is_set():
                    break
                done = subprocess.run(
                    ["psql", url, f"--command=INSERT INTO notes VALUES ({number})"], capture_output=True,
                    env=environment() | {"PGPASSWORD": patroni.password})
                if done.returncode == 0:
                    acknowledged.append(number)

        writers = [threading.Thread(target=write, args=(first,)) for first in (0, 1)]
        for writer in writers:
            writer.start()
        try:
            for crash in (patroni.crash_server, patroni.crash_member):
                # A standby that is not synchronous yet may not follow.
                patroni.wait_until_whole()
                before = len(acknowledged)
                until(lambda: len(acknowledged) > before + 10)
                former = crash()
                patroni.next_primary(former)
            after = len(acknowledged)
            until(lambda: len(acknowledged) > after + 10)
        finally:
            stop.set()
            for writer in writers:
                writer.join(60)
        assert set(acknowledged) <= set(database.column("SELECT number FROM notes"))


def test_each_answer_is_late(forwarder, database):
    forwarder.delay = 0.2
    began = time.monotonic()
    assert ask(forwarder, database, "SELECT 1", "SELECT 2").stdout == "1\n2\n"
    # One for the start of the session.
    assert time.monotonic() - began >= 0.6


def test_dropped_connections_end_at_both_ends(forwarder, database):
    sleeper = subprocess.Popen(
        ["psql", f"--host={forwarder.directory}", f"--username={ROLE}", f"--dbname={database.name}",
         "--command", "SELECT pg_sleep(60)"], stderr=subprocess.PIPE, text=True, env=environment())
    [session] = until(database.sessions)
    forwarder.drop_all()
    assert "server closed the connection" in sleeper.communicate(timeout=30)[1]
    # The server does not look while it sleeps.
    database.execute("SELECT pg_cancel_backend(?)", session)
    until(lambda: not database.sessions())
    forwarder.accepts = False
    assert ask(forwarder, database, "SELECT 1").returncode == 2


@pytest.mark.parametrize("cut, is_stored", [
    (Cut.BEFORE, False), (Cut.UNANSWERED, True), (Cut.HALFWAY, True)])
def test_a_cut_commit_is_never_answered_and_happens_or_not(forwarder, database, cut, is_stored):
    forwarder.cut_commits(cut)
    insert = "INSERT INTO notes VALUES (1, 'cut')"
    told = ask(forwarder, database, "BEGIN", insert, "COMMIT")
    assert told.returncode == 2 and "server closed the connection" in told.stderr
    until(lambda: not database.sessions())
    assert database.column("SELECT number FROM notes") == ([1] if is_stored else [])
    assert forwarder.broken == 1
    assert ask(forwarder, database, "BEGIN", insert.replace("1", "2"), "COMMIT").returncode == 0


def test_a_prepared_commit_is_recognized(tmp_path, cluster, database, forwarder):
    """As libpq sends it for a portal: in a pipeline, with names."""
    forwarder.cut_commits(Cut.HALFWAY)
    script = tmp_path / "commit.sql"
    script.write_text("BEGIN;\nINSERT INTO notes VALUES (1, 'prepared');\nCOMMIT;\n")
    told = subprocess.run(
        ["pgbench", "--no-vacuum", "--transactions=1", "--protocol=prepared", f"--file={script}",
         f"--host={forwarder.directory}", f"--username={ROLE}", database.name],
        capture_output=True, text=True, env=environment())
    assert told.returncode and forwarder.broken == 1, told.stderr
    assert database.column("SELECT text FROM notes") == ["prepared"]


def test_connections_break_by_chance(forwarder, database):
    # A session begins with some fifteen messages.
    forwarder.chance = 0.03
    ends = [ask(forwarder, database, "SELECT 1", "SELECT 2").returncode for _ in range(20)]
    assert set(ends) == {0, 2} and forwarder.broken == ends.count(2)
    until(lambda: not database.sessions())
