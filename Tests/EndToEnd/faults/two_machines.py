"""Two machines with one database, and people who meet both of them."""

import time
from contextlib import contextmanager
from dataclasses import dataclass

from postgresql.portals import Balancer, ServedPortal, machine
from town import Town, free_times
from visitor import PASSWORD
from waiting import until

from faults import booked
from faults.killed import is_whole
from faults.load import KeptVisitor
from faults.races import at_once, judge, race_for, sending
from faults.report import Report
from faults.servers import Served
from faults.stage import POSTGRESQL, fault, now, running

NEW_PASSWORD = "nine brave badgers at noon"
PASSWORD_PAGE = "/account/password"


@dataclass
class Machines:
    """Two portals, and the balancer before them."""

    first: ServedPortal
    second: ServedPortal
    balancer: Balancer


@contextmanager
def machines_of(stage, options=()):
    with stage.portal(server=machine("first"), options=options) as first:
        second = first.sibling(stage.new_directory() / "data", "second")
        with running(second), Balancer(first, second) as balancer:
            yield Machines(first, second, balancer)


@fault("one of two machines killed", POSTGRESQL)
def one_killed(stage):
    """The balancer sends people to the other one."""
    times = stage.pick(2, 20)
    with machines_of(stage) as machines:
        people = Served(stage, machines.first, machines.balancer)
        # A connection breaks with the machine that answers by it.
        people.allowed |= {"broken", 502}
        report = Report(f"{times}")
        with people.crowd.at_work():
            for _ in range(times):
                began = now()
                machines.second.kill()
                people.crowd.save_some(1)
                stage.note_recovery(report, people.crowd.sightings, began)
                machines.second.start()
                until(lambda: is_whole(machines.second))
        machines.second.stop()
        return people.judge(report)


@fault("two hundred people want one time, on two machines", POSTGRESQL)
def one_time(stage):
    rounds = stage.pick(3, 20)
    with machines_of(stage, ["--demo"]) as machines:
        town = Town(machines.first)
        patients = town.all_signed_in(town.people("patient")[:200], KeptVisitor)
        times = free_times(patients[0], 2, rounds)
        for patient in patients:
            patient.drop()
            patient.portal = machines.balancer
        report, outcomes = Report(f"{rounds} × {len(patients)}"), []
        for moment in times:
            outcomes += race_for(moment, patients, town, report)
        judge(stage, outcomes, report)
        return booked.judge(report, town)


@fault("signing in while the password changes, on two machines", POSTGRESQL)
def old_password(stage):
    """However they meet, no session by the old password is left."""
    rounds = stage.pick(5, 200)
    with machines_of(stage) as machines:
        report, outcomes = Report(f"{rounds}"), []
        for number in range(rounds):
            login = f"owner-{number}"
            owner = KeptVisitor(machines.first, address=f"127.0.3.{number + 1}").register(login)
            others = [KeptVisitor(portal, address=f"127.0.{7 + place}.{number + 1}")
                      for place, portal in enumerate((machines.first, machines.second))]
            change = sending(owner, PASSWORD_PAGE, {
                "current_password": PASSWORD, "password": NEW_PASSWORD, "password_confirm": NEW_PASSWORD})
            signing = [sending(other, "/login", {"login": login, "password": PASSWORD}) for other in others]
            # Passwords take long to hash, so that the moments have to differ for the transactions to meet.
            later = [delayed(call, (number % 10) * 0.05 + place * 0.02) for place, call in enumerate(signing)]
            changed, *signed = at_once([change, *later])
            outcomes += [changed, *signed]
            report.require(changed.has_won, f"the change got {changed.status}")
            report.require(all(one.status in (303, 422, 429) for one in signed),
                           f"sign-ins got {[one.status for one in signed]}")
            report.require(all(other.get("/account").status == 303 for other in others),
                           "a session by the old password is left")
            report.require(owner.get("/account").status == 200, "who has changed the password stays signed in")
        judge(stage, outcomes, report, refused=(422, 429))
        report.saw += f"; {sum(one.has_won for one in outcomes) - rounds} signed in before the change"
        return report


def delayed(call, seconds):
    def later():
        time.sleep(seconds)
        return call()
    return later


@fault("two administrators suspend or dismiss each other, on two machines", POSTGRESQL)
def last_administrator(stage):
    """Each may, as long as the other one is left."""
    rounds = stage.pick(4, 200)
    role = {"role": "administrator"}
    # By turns, with what undoes it.
    ways = [("suspend", "", "reinstate", {}), ("take", "?role=administrator", "give", role)]
    with machines_of(stage) as machines:
        # The second machine, which found no administrator either, has made the link anew.
        chief = KeptVisitor(machines.first).register("chief", page=machines.second.setup_path)
        deputy = KeptVisitor(machines.second).register("deputy")
        [[first], [number]] = machines.first.rows("SELECT person FROM accounts ORDER BY person")
        people = {first: chief, number: deputy}
        page = f"/admin/people/{number}"
        assert chief.submit(page, role, f"{page}/give").status == 303
        assert deputy.sign_in(deputy.login).status == 303
        report, seen = Report(f"{rounds}"), []
        for number in range(rounds):
            way, query, back, fields = ways[number % len(ways)]
            pages = [f"/admin/people/{other}/{way}" for other in reversed(people)]
            outcomes = at_once([
                sending(visitor, page + query, action=page) for visitor, page in zip(people.values(), pages)])
            seen += outcomes
            left = [person for person, in machines.first.rows(
                "SELECT person FROM accounts WHERE roles LIKE '%administrator%' AND state <> 'suspended'")]
            report.require(len(left) == 1, f"{len(left)} administrators are left")
            if len(left) != 1:
                break
            [loser] = people.keys() - left
            page = f"/admin/people/{loser}"
            assert people[left[0]].submit(page, fields, f"{page}/{back}").status == 303
            until(lambda: people[loser].sign_in(people[loser].login).status == 303)
        # Who is suspended first is no longer signed in.
        return judge(stage, seen, report, refused=(401, 403, 409))
