import PolyclinicCore

extension Notice.Kind {
  /// The notice that a vaccination is due soon, if the user asked for a reminder.
  static let due = Notice.Kind("due", "kind.due")
}

/// The reminder 30 days before a vaccination is due, if the user asked for it.
///
/// The job has no key to open sealed records, so the day is stored unencrypted in a separate table.
/// The table does not name the vaccination.
extension Vaccination {
  private static let lead = 30
  private static let pause = Seconds.hours(1)
  /// The most reminders of one transaction, so that other writers can run in between.
  private static let batch = 50

  static let reminders: SQL = """
    CREATE TABLE vaccination_qr_reminders (
      id_vaccination \(.integer) PRIMARY KEY
        REFERENCES vaccination_qr_vaccinations (id_vaccination) ON DELETE CASCADE,
      day \(.integer) NOT NULL
    ) \(.strict)
    """

  /// Stores the day of its reminder, or removes it.
  func noteReminder(for id: ID<Vaccination>, in work: Work) throws {
    try work.run("DELETE FROM vaccination_qr_reminders WHERE id_vaccination = \(id)")
    guard isReminded, let due = nextDue else { return }
    try work.run(
      """
      INSERT INTO vaccination_qr_reminders (id_vaccination, day)
      VALUES (\(id), \(due.daysSince1970 - Self.lead))
      """)
  }

  /// Sends the notices for vaccinations that are due soon. Returns the time of the next run: an
  /// hour later, or at once if more are due.
  static func tellDue(_ portal: Portal) throws -> Instant {
    let today = LocalDateTime(portal.now, in: portal.clinic.zone).date
    guard try portal.read({ try !due(on: today, $0).isEmpty }) else {
      return portal.now + pause
    }
    let count = try portal.write { work in
      let due = try due(on: today, work)
      for (id, person, day, isDeleted) in due {
        try work.run("DELETE FROM vaccination_qr_reminders WHERE id_vaccination = \(id)")
        if isDeleted { continue }
        let dueDate = CalendarDate(daysSince1970: day + lead)
        let key = dueDate < today ? "due.notice.overdue" : "due.notice"
        let date = ["date": Text.Value.day(dueDate)]
        var notice = Notice(
          .due, Text(key, values: date), leadingTo: VaccinationPage.path(id), subject: "\(id)")
        notice.recordText = Vaccination.records.noticeText(of: id) { vaccination in
          let (person, disease) = (vaccination.label, vaccination.disease)
          return Text(
            "\(key).\(person.isEmpty ? "own" : "other")",
            ["vaccination": disease.isEmpty ? vaccination.vaccine : disease, "person": person],
            values: date)
        }
        try portal.notify(person, notice, in: work)
      }
      return due.count
    }
    return count == batch ? portal.now : portal.now + pause
  }

  private static func due(
    on day: CalendarDate, _ work: Work
  ) throws -> [(id: ID<Vaccination>, person: ID<Person>, day: Int, isDeleted: Bool)] {
    try work.rows(
      """
      SELECT id_vaccination, person, day, deleted_at
      FROM vaccination_qr_reminders JOIN vaccination_qr_vaccinations USING (id_vaccination)
      WHERE day <= \(day.daysSince1970) ORDER BY day, id_vaccination LIMIT \(batch)
      """
    ) { ($0.id(0), $0.id(1), $0.int(2), !$0.isNull(3)) }
  }
}
