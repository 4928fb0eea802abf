import PolyclinicCore

extension Clinic {
  /// Creates the tables of clinics, departments, doctors and working hours.
  ///
  /// These are public. The only information about a patient is the clinic that the patient has
  /// chosen. `import_key` identifies an imported clinic in later imports.
  static let schema: [SQL] = [
    """
    CREATE TABLE appointments_clinics (
      id_clinic \(.identity),
      import_key TEXT UNIQUE,
      name_en TEXT NOT NULL, name_ru TEXT NOT NULL, name_he TEXT NOT NULL,
      about_en TEXT NOT NULL, about_ru TEXT NOT NULL, about_he TEXT NOT NULL,
      street TEXT NOT NULL, house_number TEXT NOT NULL, city TEXT NOT NULL, country TEXT NOT NULL,
      street_en TEXT NOT NULL DEFAULT '', street_ru TEXT NOT NULL DEFAULT '',
      street_he TEXT NOT NULL DEFAULT '',
      latitude \(.real), longitude \(.real),
      phone TEXT NOT NULL, email TEXT NOT NULL DEFAULT '', website TEXT NOT NULL DEFAULT '',
      time_zone TEXT NOT NULL,
      pediatric \(.integer) NOT NULL, hospital \(.integer) NOT NULL,
      step_free \(.integer) NOT NULL DEFAULT 0,
      closed_at \(.integer)
    ) \(.strict)
    """,
    """
    CREATE TABLE appointments_departments (
      id_department \(.identity),
      clinic \(.integer) NOT NULL REFERENCES appointments_clinics (id_clinic),
      specialization TEXT NOT NULL,
      closed_at \(.integer),
      UNIQUE (clinic, specialization)
    ) \(.strict)
    """,
    // A doctor's row stays when the account is erased, so that the history of patients stays
    // complete. The sealed name is bound to the row's id, so it is NULL until the row exists.
    """
    CREATE TABLE appointments_doctors (
      id_doctor \(.identity),
      person \(.actor),
      sealed_name \(.bytes),
      department \(.integer) NOT NULL REFERENCES appointments_departments (id_department),
      slot_minutes \(.integer),
      disabled_at \(.integer),
      UNIQUE (person)
    ) \(.strict)
    """,
    "CREATE INDEX appointments_doctors_department ON appointments_doctors (department)",
    """
    CREATE TABLE appointments_hours (
      id_hours \(.identity),
      doctor \(.integer) NOT NULL REFERENCES appointments_doctors (id_doctor) ON DELETE CASCADE,
      weekday \(.integer) NOT NULL, starts \(.integer) NOT NULL, ends \(.integer) NOT NULL,
      kind TEXT NOT NULL
    ) \(.strict)
    """,
    // A covering index, because every list of free times and every booking reads the hours.
    """
    CREATE INDEX appointments_hours_week
    ON appointments_hours (doctor, weekday, starts, ends, kind)
    """,
    """
    CREATE TABLE appointments_exceptions (
      id_exception \(.identity),
      doctor \(.integer) REFERENCES appointments_doctors (id_doctor) ON DELETE CASCADE,
      clinic \(.integer) REFERENCES appointments_clinics (id_clinic) ON DELETE CASCADE,
      date TEXT NOT NULL, starts \(.integer) NOT NULL, ends \(.integer) NOT NULL,
      kind TEXT NOT NULL,
      CHECK ((doctor IS NULL) <> (clinic IS NULL))
    ) \(.strict)
    """,
    // The same special day is stored once. NULLs are distinct in an index, so each index covers
    // only its own rows.
    """
    CREATE UNIQUE INDEX appointments_exceptions_doctor
    ON appointments_exceptions (doctor, date, kind, starts, ends)
    """,
    """
    CREATE UNIQUE INDEX appointments_exceptions_clinic
    ON appointments_exceptions (clinic, date, kind, starts, ends)
    """,
    """
    CREATE TABLE appointments_receptionists (
      person \(.person),
      clinic \(.integer) NOT NULL REFERENCES appointments_clinics (id_clinic) ON DELETE CASCADE,
      PRIMARY KEY (person, clinic)
    ) \(.strict)
    """,
    "CREATE INDEX appointments_receptionists_clinic ON appointments_receptionists (clinic)",
    """
    CREATE TABLE appointments_chosen_clinics (
      person \(.person),
      clinic \(.integer) NOT NULL REFERENCES appointments_clinics (id_clinic) ON DELETE CASCADE,
      PRIMARY KEY (person)
    ) \(.strict)
    """,
    "CREATE INDEX appointments_chosen_clinics_clinic ON appointments_chosen_clinics (clinic)",
  ]
}
