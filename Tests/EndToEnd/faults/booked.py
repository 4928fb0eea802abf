"""Invariants of the stored appointments and waiting lists, after every fault."""

from waiting import until

OPEN = "('booked', 'arrived')"
# Of which a patient who was seen keeps the time.
OPEN_OR_SEEN = "('booked', 'arrived', 'fulfilled')"
UNIT = 300

# Each query returns the ids of rows that break the rule.
RULES = {
    "two bookings of one doctor at one time": f"""
        SELECT other.id_appointment FROM appointments AS one
        JOIN appointments AS other ON other.doctor = one.doctor
          AND other.id_appointment > one.id_appointment
          AND other.starts_at < one.ends_at AND one.starts_at < other.ends_at
        WHERE one.status IN {OPEN} AND other.status IN {OPEN}""",
    "a booking without all of its time": f"""
        SELECT id_appointment FROM appointments
        WHERE status IN {OPEN} AND (ends_at - starts_at) / {UNIT} <> (
          SELECT count(*) FROM appointments_claimed_units AS units
          WHERE units.appointment = id_appointment AND units.doctor = appointments.doctor
            AND unit * {UNIT} >= starts_at AND unit * {UNIT} < ends_at)""",
    "time claimed for a booking that has it not": f"""
        SELECT id_appointment FROM appointments_claimed_units AS units
        JOIN appointments ON id_appointment = units.appointment
        WHERE units.doctor <> appointments.doctor OR unit * {UNIT} < starts_at
          OR unit * {UNIT} >= ends_at
          OR status NOT IN {OPEN_OR_SEEN} AND unit * {UNIT} >= changed_at""",
    "a history with a gap": """
        SELECT id_appointment FROM appointments
        JOIN appointments_history AS history ON appointment = id_appointment
        GROUP BY id_appointment
        HAVING count(*) <> appointments.sequence + 1
          OR max(history.sequence) <> appointments.sequence""",
    "an end that does not follow from the call": """
        SELECT id_ticket FROM appointments_tickets
        WHERE (outcome IN ('finished', 'noshow')) <> (called_at IS NOT NULL) AND over_at IS NOT NULL""",
    "two treated at once by one doctor": """
        SELECT other.id_ticket FROM appointments_tickets AS one
        JOIN appointments_sessions AS session ON session.id_session = one.session
        JOIN appointments_sessions AS same ON same.doctor = session.doctor
        JOIN appointments_tickets AS other ON other.session = same.id_session
          AND other.id_ticket > one.id_ticket
          AND other.called_at < one.ends_at AND other.called_at < coalesce(one.over_at, one.ends_at)
          AND one.called_at < other.ends_at AND one.called_at < coalesce(other.over_at, other.ends_at)""",
    "a call out of turn": """
        SELECT other.id_ticket FROM appointments_tickets AS one
        JOIN appointments_tickets AS other ON other.session = one.session AND other.number > one.number
        WHERE other.called_at < one.called_at OR other.called_at IS NOT NULL
          AND one.called_at IS NULL AND one.over_at IS NULL""",
    "a number that was left out": """
        SELECT id_session FROM appointments_sessions JOIN appointments_tickets ON session = id_session
        GROUP BY id_session HAVING count(*) <> last_number OR max(number) <> last_number""",
    "somebody who waits at a closed waiting list": """
        SELECT id_ticket FROM appointments_tickets JOIN appointments_sessions ON id_session = session
        WHERE closed_at IS NOT NULL AND called_at IS NULL AND over_at IS NULL""",
}

# Returns patients whose call, or whose dismissal at a closed waiting list, has no notice yet. A change of a booking stores
# the calls that are due, and the job sends their notices up to 15 seconds later.
PENDING_NOTICES = """
    SELECT id_ticket FROM appointments_tickets
    WHERE told_at IS NULL AND (called_at IS NOT NULL OR outcome = 'dismissed')"""


def judge(report, town):
    """Requires all rules, a notice for each call, and that `polyclinic check` finds no fault."""
    try:
        until(lambda: not town.column(PENDING_NOTICES), 60)
    except TimeoutError:
        report.require(False, f"no notice of a call or dismissal: {town.column(PENDING_NOTICES)[:3]}")
    for rule, query in RULES.items():
        broken = town.column(query)
        report.require(not broken, f"{rule}: {broken[:3]}")
    check = town.portal.run("check")
    report.require(check.returncode == 0, f"check: {check.stdout}{check.stderr}")
    return report
