"""Several people who want what one alone can have, in the same moment."""

import http.client
import re
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from town import free_times, with_each
from visitor import Answer, Visitor

from faults import booked
from faults.load import KeptVisitor
from faults.report import Report
from faults.stage import fault, now

NEW = "/appointments/book"
TAKEN = "Somebody else has just booked this time"
CHANGED = "has changed since this page was opened"
CANCELLED = "is already cancelled"
LINE_CLOSED = "waiting list is closed"
# The number of who is called, or is dismissed when the line is closed.
NUMBERED = re.compile(r"Your number is \d+\.|number \d+ will not be called\.")
NO_BOOKINGS = "You cannot book with this doctor"


@dataclass
class Outcome:
    """The answer to a visitor and its duration in seconds; no answer if the connection broke."""

    answer: Answer | None
    took: float

    @property
    def status(self):
        return self.answer and self.answer.status

    @property
    def has_won(self):
        return self.status == 303

    def offers_others(self, typed=""):
        """Returns True if it says kindly that the time is taken, offers others, and holds what was typed."""
        page = self.answer.text if self.is_kind(TAKEN) else ""
        return 'name="instead"' in page and typed in page

    def is_kind(self, *sentences):
        """Returns True if it is no failure and contains one of these sentences."""
        return self.status in (409, 422) and any(words in self.answer.text for words in sentences)


def at_once(calls):
    """Makes all calls in the same moment, each in a thread of its own; their outcomes, in order."""
    start = threading.Barrier(len(calls))

    def make(call):
        start.wait()
        began = now()
        try:
            answer = call()
        except (OSError, http.client.HTTPException):
            answer = None
        return Outcome(answer, now() - began)

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(make, calls))


def sending(visitor, page, fields=None, action=None):
    """Returns a call that sends the form of a page, which is opened now; each call sends the same."""
    fields = visitor.filled(page, fields or {}, action)
    return lambda: visitor.post(action or page, fields)


def booking(visitor, time, **fields):
    return sending(visitor, time.page, fields, NEW)


def judge(stage, outcomes, report, refused=(409,)):
    """Judges the rules of every race: nobody meets a failure or waits for long."""
    report.saw = ", ".join(f"{count} × {status}" for status, count in sorted(
        Counter(outcome.status for outcome in outcomes).items(), key=str))
    slowest = max(outcome.took for outcome in outcomes)
    report.saw += f"; the slowest after {slowest:.2f} s"
    report.require(all(outcome.status in (303, *refused) for outcome in outcomes), "all are answered")
    if stage.form == "long":
        report.require(slowest < 2, f"the slowest answer took {slowest:.2f} s")
    return report


def patients_free_at(town, times, count):
    """Patients without anything else within hours of these times, which would be another reason to
    refuse them."""
    busy = set(town.column("SELECT person FROM appointments WHERE status IN ('booked', 'arrived')"
                           " AND date(starts_at, 'unixepoch') BETWEEN date(?, '-1 day') AND date(?, '+1 day')",
                           min(time.date for time in times), max(time.date for time in times)))
    return [person for person in town.people("patient") if person not in busy][:count]


@fault("two hundred people want one time")
def one_time(stage):
    with stage.town() as town:
        patients = town.all_signed_in(town.people("patient")[:200], KeptVisitor)
        [time] = free_times(patients[0], doctor=2)
        report = Report(f"{len(patients)}")
        judge(stage, race_for(time, patients, town, report), report)
        return booked.judge(report, town)


def race_for(time, patients, town, report):
    """Has all book one time in the same moment, requires one winner, and returns the outcomes."""
    # The form has told patients of another appointment at this time; they book in spite of it.
    calls = with_each(lambda one: booking(one, time, purpose=f"reason {one.person}"), patients)
    outcomes = at_once(calls)
    winners = [one.person for one, outcome in zip(patients, outcomes) if outcome.has_won]
    report.require(len(winners) == 1, f"{len(winners)} were told that they have it")
    report.require(
        all(outcome.has_won or outcome.offers_others(f"reason {one.person}")
            for one, outcome in zip(patients, outcomes)),
        "who is refused reads why, is offered other times, and finds what was typed")
    holders = town.column(
        f"SELECT person FROM appointments WHERE doctor = ? AND starts_at = ? AND status IN {booked.OPEN}",
        time.doctor, start(time))
    report.require(holders == winners, f"{holders} have it, {winners} were told so")
    return outcomes


def start(time):
    """Returns the moment of a free time in seconds, as it is stored."""
    local = datetime.fromisoformat(f"{time.date}T{time.clock}").replace(tzinfo=ZoneInfo("Europe/Minsk"))
    return int(local.timestamp())


@fault("cancelling against moving")
def cancel_or_move(stage):
    """Each of several people in two windows, in which the same appointment is open."""
    count = stage.pick(20, 100)
    with stage.town() as town:
        first = town.all_signed_in(town.people("patient")[:count], KeptVisitor)
        times = free_times(first[0], 2, count)
        pages = with_each(
            lambda pair: booking(*pair)().location.partition("?")[0], list(zip(first, times)))
        others = free_times(first[0], 2, count)
        second = town.all_signed_in([one.person for one in first], KeptVisitor)
        cancels = with_each(
            lambda pair: sending(pair[0], f"{pair[1]}/cancel", {"reason": "Well again"}),
            list(zip(first, pages)))
        moves = with_each(
            lambda three: sending(three[0], move_page(three[1], three[2]), {}, f"{three[1]}/edit"),
            list(zip(second, pages, others)))
        outcomes = at_once([call for pair in zip(cancels, moves) for call in pair])
        report = judge(stage, outcomes, Report(f"{count}"))
        for cancelled, moved, page in zip(outcomes[::2], outcomes[1::2], pages):
            report.require(cancelled.has_won != moved.has_won, f"{cancelled.status} and {moved.status}")
            loser = moved if cancelled.has_won else cancelled
            report.require(loser.is_kind(CHANGED, CANCELLED), "the loser reads what has happened")
            [[status, sequence]] = town.rows(
                "SELECT status, sequence FROM appointments WHERE id_appointment = ?",
                int(page.rpartition("/")[2]))
            expected = ("cancelled" if cancelled.has_won else "booked", 1)
            report.require((status, sequence) == expected, f"{status}, {sequence} changes: {expected}")
        report.saw += f"; {sum(one.has_won for one in outcomes[1::2])} moved"
        return booked.judge(report, town)


def move_page(page, time):
    return time.page.replace(NEW, f"{page}/edit")


@fault("joining a line while it is closed")
def join_or_close(stage):
    """Several doctors, one after the other: who is told of a place is called, or told of the end."""
    doctors = range(2, 2 + stage.pick(3, 10))
    with stage.town() as town:
        town.forget_waiting_lists_of(doctors)
        town.work_all_day(doctors)
        patients = town.all_signed_in(town.people("patient")[:stage.pick(30, 60)], KeptVisitor)
        report, outcomes, joined = Report(f"{len(doctors)} × {len(patients)}"), [], 0
        for doctor in doctors:
            attending = town.signed_in(town.doctor_of(doctor), KeptVisitor)
            page = f"/appointments/doctors/{doctor}"
            desk = "/appointments/queue"
            assert sending(attending, desk, action=f"{desk}/open")().status == 303
            calls = with_each(lambda one: sending(one, page, {"present": "yes"}, f"{page}/queue"), patients)
            calls.insert(len(calls) // 2, sending(attending, desk, action=f"{desk}/close"))
            round = at_once(calls)
            outcomes += round
            closed = round.pop(len(round) // 2)
            report.require(closed.has_won, f"the doctor got {closed.status}")
            stored = dict(town.rows(
                "SELECT tickets.person, coalesce(outcome, 'treated') FROM appointments_tickets AS tickets"
                " JOIN appointments_sessions ON id_session = session WHERE doctor = ?", doctor))
            told = {one.person for one, outcome in zip(patients, round) if outcome.has_won}
            report.require(stored.keys() == told, f"in line {len(stored)}, told so {len(told)}")
            report.require(all(outcome.has_won or outcome.is_kind(LINE_CLOSED) for outcome in round),
                           "who is refused reads why")
            report.require(list(stored.values()).count("treated") <= 1, "one is called at most")
            for one in patients:
                if one.person in stored:
                    report.require(NUMBERED.search(one.get("/notifications").text), "all are told")
            joined += len(stored)
        report = judge(stage, outcomes, report)
        report.saw += f"; {joined} joined"
        return booked.judge(report, town)


@fault("two receptionists and a patient want one time")
def desk_or_patient(stage):
    """One receptionist books for who has an account, the other for who has none."""
    count = stage.pick(8, 40)
    with stage.town() as town:
        clinic, = set(town.column(
            "SELECT clinic FROM appointments_doctors JOIN appointments_departments"
            " ON id_department = department WHERE id_doctor = 2"))
        desks = town.people("receptionist")[:2]
        administrator = town.signed_in(town.people("administrator")[0])
        for desk in desks:
            administrator.submit(
                f"/appointments/admin/clinics/{clinic}/desk/new", {"receptionist": desk})
        one, other = ([town.signed_in(desk, KeptVisitor) for _ in range(count)] for desk in desks)
        times = free_times(one[0], 2, count)
        people = patients_free_at(town, times, 2 * count)
        patients = town.all_signed_in(people[:count], KeptVisitor)
        logins = [f"patient{number + 1}" if (number := town.people('patient').index(person)) else "patient"
                  for person in people[count:]]

        def forms(number):
            time = times[number]
            at_desk = time.page.replace(NEW, "/appointments/desk/book/login")
            without = time.page.replace(NEW, "/appointments/desk/new")
            return [
                sending(one[number], at_desk, {"patient": logins[number % len(logins)]},
                        "/appointments/desk/book/login"),
                sending(other[number], without, {"name": f"Newcomer {number}"},
                        "/appointments/desk/new"),
                booking(patients[number], time),
            ]

        calls = [call for three in with_each(forms, range(count)) for call in three]
        before = len(town.rows("SELECT 1 FROM people"))
        outcomes = at_once(calls)
        report = judge(stage, outcomes, Report(f"{count} × 3"))
        for start in range(0, len(outcomes), 3):
            three = outcomes[start:start + 3]
            report.require(sum(outcome.has_won for outcome in three) == 1,
                           f"answers {[outcome.status for outcome in three]}")
            report.require(all(outcome.has_won or outcome.offers_others() for outcome in three),
                           "who is refused is offered other times")
        entered = len(town.rows("SELECT 1 FROM people")) - before
        won = [sum(outcome.has_won for outcome in outcomes[place::3]) for place in range(3)]
        report.require(entered == won[1], f"{entered} newcomers entered, {won[1]} booked")
        report.saw += f"; desk {won[0]}, for newcomers {won[1]}, patients {won[2]}"
        return booked.judge(report, town)


@fault("approving, disabling and suspending doctors against booking")
def approve_or_book(stage):
    """Of each doctor: several want one time while an administrator disables the doctor, another suspends
    the account, a third approves a newcomer and a fourth enters the newcomer at the same department."""
    rounds = stage.pick(3, 10)
    with stage.town() as town:
        report, outcomes, bookings, entries = Report(f"{rounds}"), [], 0, 0
        for number in range(rounds):
            round = Round(town, doctor=2 + number)
            made = at_once(round.calls)
            outcomes += [outcome for outcome in made if outcome is not made[ENTERING]]
            round.judge(report, made)
            bookings += sum(outcome.has_won for outcome in made[len(ADMINISTRATORS):])
            entries += made[ENTERING].has_won
        # The form says beside its field that the doctor was disabled.
        report = judge(stage, outcomes, report, refused=(409, 422))
        report.saw += f"; {bookings} booked, {entries} newcomers entered at once"
        return booked.judge(report, town)


ADMINISTRATORS = ENTERING, APPROVING, SUSPENDING, DISABLING = range(4)


class Round:
    """One doctor, those who want a time of this doctor, and the administrators."""

    def __init__(self, town, doctor):
        self.town = town
        self.doctor = doctor
        [[self.account, self.department]] = town.rows(
            "SELECT person, department FROM appointments_doctors WHERE id_doctor = ?", doctor)
        newcomer = Visitor(town.portal, address=f"127.0.3.{doctor}")
        newcomer.register(f"newcomer-{doctor}", role="doctor")
        [self.newcomer] = town.column("SELECT max(person) FROM accounts")
        offices = [town.signed_in(town.people("administrator")[0], KeptVisitor) for _ in ADMINISTRATORS]
        self.entering = f"/appointments/admin/departments/{self.department}/doctors/new"
        self.entry = {"account": self.newcomer, "doctor_name": f"Dr. Newcomer {doctor}"}
        self.office = offices[ENTERING]
        # The newcomer is not approved yet, so the page may have no form of its own.
        entry = self.office.filled(self.entering, self.entry, "/logout")
        person, suspended = f"/admin/people/{self.newcomer}", f"/admin/people/{self.account}/suspend"
        self.patients = town.all_signed_in(town.people("patient")[:10], KeptVisitor)
        [time] = free_times(self.patients[0], doctor)
        [self.before] = town.column("SELECT max(id_appointment) FROM appointments")
        self.calls = [
            lambda: self.office.post(self.entering, entry),
            sending(offices[APPROVING], person, {}, f"{person}/approve"),
            sending(offices[SUSPENDING], suspended),
            sending(offices[DISABLING], f"/appointments/admin/doctors/{doctor}/disable"),
            *with_each(lambda one: booking(one, time), self.patients),
        ]

    def judge(self, report, outcomes):
        entering, *others = outcomes[:len(ADMINISTRATORS)]
        report.require(all(outcome.has_won for outcome in others), "administrators are obeyed")
        bookings = outcomes[len(ADMINISTRATORS):]
        winners = [one.person for one, outcome in zip(self.patients, bookings) if outcome.has_won]
        holders = self.town.column(
            "SELECT person FROM appointments WHERE id_appointment > ?", self.before)
        report.require(holders == winners and len(winners) <= 1, f"{holders} booked, {winners} told so")
        report.require(
            all(outcome.has_won or outcome.offers_others() or outcome.is_kind(NO_BOOKINGS)
                for outcome in bookings), "who is refused reads why")
        # Approved by now, so that it works a second time, unless it has worked.
        report.require(entering.status in (303, 422), f"entering got {entering.status}")
        again = entering.has_won or sending(self.office, self.entering, self.entry)().status == 303
        entered = self.town.column(
            "SELECT roles FROM appointments_doctors JOIN accounts USING (person) WHERE person = ?",
            self.newcomer)
        report.require(again and entered == ["doctor,patient"], f"the newcomer is {entered}")
        late = self.patients[0].get(f"{NEW}?doctor={self.doctor}")
        report.require(late.status == 409 and NO_BOOKINGS in late.text, "nothing more can be booked")
        left = self.town.rows(
            "SELECT state, (SELECT count(*) FROM sessions WHERE sessions.person = accounts.person)"
            " FROM accounts WHERE person = ?", self.account)
        report.require(left == [("suspended", 0)], f"the doctor is {left}")
