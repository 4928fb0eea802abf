"""The main journey of a portal whose database is on a PostgreSQL server."""

import pytest

import test_journey
from browsers import DESKTOP
from conftest import unique
from input_devices import Pointer
from postgresql.cluster import Cluster
from visitor import Visitor


@pytest.fixture(scope="module")
def cluster():
    with Cluster() as made:
        yield made


@pytest.fixture(scope="module")
def database(cluster):
    return cluster.new_database()


@pytest.fixture(scope="module")
def portal(start_portal, cluster, database):
    started = start_portal(database_url=cluster.url(database))
    yield started
    # Before its database goes.
    started.stop()


def test_a_user_registers_and_keeps_contacts(portal, browsers, database):
    test_journey.test_a_new_user_registers_and_creates_finds_edits_deletes_and_restores_a_contact(
        portal, browsers, "ru", DESKTOP, Pointer, "with scripts")
    assert database.rows("SELECT count(*) FROM accounts") == [(1,)]
    assert not portal.database.exists()


def test_the_commands_reach_the_server(portal):
    check = portal.run("check")
    assert check.returncode == 0, check.stdout + check.stderr


def test_a_restarted_server_is_found_again(portal, cluster):
    login = unique("walker")
    contact = Visitor(portal).register(login).add_contact("Kept")
    cluster.restart()
    walker = Visitor(portal)
    assert walker.sign_in(login).status == 303
    assert "Kept" in walker.get(contact).text
