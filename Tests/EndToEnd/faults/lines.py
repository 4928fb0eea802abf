"""Waiting lists whose portal dies again and again while people join them and doctors call."""

import http.client
import re
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from town import with_each
from waiting import until

from faults import booked
from faults.load import KeptVisitor
from faults.machine import built, write
from faults.report import Report
from faults.stage import fault, now

# The doctors whose treatments take twenty minutes.
DOCTORS = [2, 3, 5, 6, 8, 9, 11, 12]
OF_THEM = "doctor IN (%s)" % ", ".join(map(str, DOCTORS))
# After this many seconds the present treatments are over, and the next ones are not.
LATER = 25 * 60
JOINS = 500
QUEUE = "/appointments/queue"
# The accessible name of the button beside it repeats the sentence.
CALLED = re.compile(r"(?<!hidden-text\"> )It is your turn: .*? is ready to see you\. Your number is (\d+)\.")


@fault("all processes killed in the middle of five hundred joins and calls")
def killed(stage):
    directory = stage.new_directory()
    directory.chmod(0o755)
    setting = directory / "clock"
    environment = {"LD_PRELOAD": str(built(directory, "clock")), "CLOCK_OFFSET": str(setting)}
    write(setting, 0)
    with stage.town(directory=directory, environment=environment) as town:
        rooms = WaitingRooms(town)
        times = stage.pick(3, 20)
        with rooms.at_work():
            for number in range(times):
                until(lambda: len(rooms.joined) > JOINS * (number + 1) // (times + 1), 60)
                town.portal.kill()
                began = now()
                town.portal.start()
        report = Report(f"{times}", seconds=now() - began)
        rooms.judge(report)
        report.saw = f"{len(rooms.joined)} joined, {len(rooms.finished)} calls ended by doctors"
        # Each treatment is over now. The jobs begin anew, since they sleep by a clock that was not set.
        before = rooms.called()
        write(setting, LATER)
        town.portal.kill()
        town.portal.start()
        until(lambda: rooms.called() > before, 60)
        until(lambda: not rooms.are_late(time.time() + LATER), 60)
        report.saw += f", {rooms.called() - before} called by the time alone"
        rooms.judge(report)
        rooms.judge_pages(report)
        return booked.judge(report, town)


class WaitingRooms:
    """Several doctors, and the people who join their lines."""

    def __init__(self, town):
        self.town = town
        # At some times of the day, bookings of today would keep doctors from calling.
        town.forget_bookings_of(DOCTORS)
        town.forget_waiting_lists_of(DOCTORS)
        town.work_all_day(DOCTORS)
        self.doctors = [town.signed_in(town.doctor_of(doctor), Insisting) for doctor in DOCTORS]
        for doctor in self.doctors:
            assert doctor.submit(QUEUE, {}, f"{QUEUE}/open").status == 303
        people = town.people("patient")[:JOINS // 2]
        self.patients = town.all_signed_in(people, Insisting)
        self.joined, self.finished = [], []

    def at_work(self):
        """While the block runs, and until everybody has joined two lines."""
        return Work(self.join_both, self.patients, self.call, self.doctors)

    def join_both(self, patient):
        place = self.patients.index(patient)
        for doctor in (DOCTORS[place % 8], DOCTORS[(place + 3) % 8]):
            page = f"/appointments/doctors/{doctor}"
            answer = patient.submit(page, {"present": "yes"}, f"{page}/queue")
            assert answer.status == 303, f"{patient.person} got {answer.status}"
            self.joined.append((doctor, patient.person))

    def call(self, doctor):
        """Ends the treatment at hand, so that the next is called; nothing while nobody is there."""
        for action, fields in doctor.get(QUEUE).forms:
            if "call" in dict(fields):
                # Somebody joined while the doctor finished the last treatment.
                doctor.post(action, fields)
                return
            ticket = dict(fields).get("ticket")
            if action in (f"{QUEUE}/next", f"{QUEUE}/finish") and ticket:
                if doctor.post(action, fields).status == 303:
                    self.finished.append(int(ticket))
                return

    def called(self):
        return len(self.town.rows("SELECT 1 FROM appointments_tickets WHERE called_at IS NOT NULL"))

    def are_late(self, moment):
        """Returns True if a treatment with these doctors is over while somebody waits. Others of the town have
        bookings, which may stand in the way of a call."""
        return self.town.rows(
            f"""
            SELECT 1 FROM appointments_sessions JOIN appointments_tickets ON session = id_session
            WHERE {OF_THEM} AND closed_at IS NULL AND free_at <= ? - 20
              AND called_at IS NULL AND over_at IS NULL
            """, moment)

    def judge(self, report):
        stored = self.town.rows(
            "SELECT doctor, appointments_tickets.person FROM appointments_tickets"
            f" JOIN appointments_sessions ON id_session = session WHERE {OF_THEM}")
        report.require(sorted(stored) == sorted(self.joined),
                       f"{len(stored)} tickets, {len(self.joined)} were told of one")
        ended = self.town.column("SELECT id_ticket FROM appointments_tickets WHERE outcome = 'finished'")
        report.require(set(self.finished) <= set(ended), "whom a doctor has seen off is seen off")
        report.require(len(set(self.finished)) == len(self.finished), "nobody is seen off twice")

    def judge_pages(self, report):
        """Everybody was told of each call once, and the displays show whom the doctors treat."""
        shown = with_each(lambda one: sorted(map(int, CALLED.findall(one.get("/notifications").text))),
                          self.patients)
        calls = {patient.person: [] for patient in self.patients}
        for person, number in self.town.rows(
                "SELECT person, number FROM appointments_tickets WHERE called_at IS NOT NULL"
                " ORDER BY number"):
            calls[person].append(number)
        wrong = [f"{patient.person} was called as {calls[patient.person]} and told of {numbers}"
                 for patient, numbers in zip(self.patients, shown) if numbers != calls[patient.person]]
        report.require(not wrong, f"{len(wrong)} were not told once: {wrong[:3]}")


class Insisting(KeptVisitor):
    """Somebody who tries again, with the same form, until there is an answer."""

    def request(self, method, target, body=None, headers=None):
        deadline = now() + 60
        while True:
            try:
                answer = super().request(method, target, body, headers)
                if answer.status < 500 and answer.status != 429 or now() > deadline:
                    return answer
            except (OSError, http.client.HTTPException):
                if now() > deadline:
                    raise
            self.drop()
            time.sleep(0.05)


class Work:
    """Some do what they have to do, a few at a time, and others do theirs again and again meanwhile."""

    def __init__(self, once, ones, again, others):
        self.stop = threading.Event()
        self.once = lambda: with_each(lambda one: self.stop.is_set() or once(one), ones)
        self.again = [lambda other=other: self.repeat(again, other) for other in others]

    def repeat(self, again, other):
        while not self.stop.is_set():
            again(other)
            self.stop.wait(0.05)

    def __enter__(self):
        self.pool = ThreadPoolExecutor(1 + len(self.again))
        self.work = self.pool.submit(self.once)
        self.others = [self.pool.submit(again) for again in self.again]

    def __exit__(self, kind, *_):
        try:
            if kind is None:
                self.work.result(timeout=120)
        finally:
            self.stop.set()
            self.pool.shutdown()
        for other in self.others if kind is None else []:
            other.result()
