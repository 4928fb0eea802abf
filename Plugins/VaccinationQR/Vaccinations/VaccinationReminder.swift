import PolyclinicCore

extension NoticeKind {
  /// The news that a vaccination is due soon, for those who asked for it.
  static let due = NoticeKind("due", "kind.due")
}

/// The notice a month before a vaccination is due, for those who asked for it.
///
/// A job cannot open what is sealed: the day stands readable in a table of its own, without a word of which
/// vaccination it is.
enum VaccinationReminder {
  private static let lead = 30
  private static let pause = Seconds.hours(1)
  /// So many are told in one transaction, for others to come in between.
  private static let batch = 50

  static let schema: SQL = """
    CREATE TABLE vaccination_qr_reminders (
      id_vaccination \(.integer) PRIMARY KEY
        REFERENCES vaccination_qr_vaccinations (id_vaccination) ON DELETE CASCADE,
      day \(.integer) NOT NULL
    ) \(.strict)
    """

  /// Notes the day of the reminder of a vaccination that was stored.
  static func note(
    _ vaccination: Vaccination, _ id: ID<Vaccination>, on connection: Connection
  ) throws {
    try connection.run("DELETE FROM vaccination_qr_reminders WHERE id_vaccination = \(id)")
    guard vaccination.isReminded, let due = vaccination.nextDue else { return }
    try connection.run(
      """
      INSERT INTO vaccination_qr_reminders (id_vaccination, day)
      VALUES (\(id), \(due.daysSince1970 - lead))
      """)
  }

  /// Tells those whose vaccinations are due soon, and wants to run again an hour later, or at once while more
  /// are due.
  @Sendable
  static func tellDue(_ portal: Portal) throws -> Instant {
    let today = LocalDateTime(portal.now, in: portal.clinic.zone).date
    guard try portal.database.read({ try !due(on: today, $0).isEmpty }) else {
      return portal.now + pause
    }
    let count = try portal.database.write { connection in
      let due = try due(on: today, connection)
      for (id, person, isDeleted) in due {
        try connection.run("DELETE FROM vaccination_qr_reminders WHERE id_vaccination = \(id)")
        if isDeleted { continue }
        let notice = Notice(.due, "due.notice", leadingTo: "record/\(id)")
        try portal.notify(person, notice, on: connection)
      }
      return due.count
    }
    return count == batch ? portal.now : portal.now + pause
  }

  private static func due(
    on day: CalendarDate, _ connection: Connection
  ) throws -> [(id: ID<Vaccination>, person: ID<Person>, isDeleted: Bool)] {
    try connection.rows(
      """
      SELECT id_vaccination, person, deleted_at
      FROM vaccination_qr_reminders JOIN vaccination_qr_vaccinations USING (id_vaccination)
      WHERE day <= \(day.daysSince1970) ORDER BY day LIMIT \(batch)
      """
    ) { ($0.id(0), $0.id(1), !$0.isNull(2)) }
  }
}
