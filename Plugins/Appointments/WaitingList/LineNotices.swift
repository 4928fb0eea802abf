import PolyclinicCore

extension NoticeKind {
  /// What a person is told who stands in a line.
  static let line = NoticeKind("line", "notice.line")
}

extension WaitingList {
  /// How long the news of a closed desk is news.
  private static let newsworthy = Seconds.hours(1)

  /// What somebody in a line is to be told.
  private struct News {
    let ticket: ID<Ticket>
    let person: ID<Person>
    let number: Int
    let doctor: ID<Doctor>
    let doctorName: DoctorName
    let isCall: Bool
    /// Until when it is news.
    let until: Instant

    init(_ row: Row) {
      doctorName = DoctorName(row)
      doctor = row.id(0)
      let ticket = row.from(DoctorName.columnCount)
      self.ticket = ticket.id(0)
      person = ticket.id(1)
      number = ticket.int(2)
      isCall = !ticket.isNull(3)
      until = ticket.optional(3, Row.instant) ?? ticket.instant(4) + newsworthy
    }

    func notice(by keys: Keys) throws -> Notice {
      let name = try doctorName.opened(by: keys)
      return Notice(
        .line,
        Text(
          isCall ? "notice.called" : "notice.dismissed",
          ["doctor": name, "number": String(number)]),
        leadingTo: "doctors/\(doctor)", once: "ticket-\(ticket)",
        mail: isCall
          ? Notice.Mail(
            subject: "notice.called.subject",
            body: Text("notice.called.body", ["number": String(number)])) : nil,
        expires: until)
    }
  }

  /// Whether somebody was called, or waited at a desk that was closed, and has not been told.
  static func hasNews(on connection: Connection) throws -> Bool {
    try connection.integer("SELECT 1 FROM (\(untold)) LIMIT 1") != nil
  }

  /// Tells everybody who was called, and everybody who waited at a desk that was closed, once; what is
  /// no news any more is left unsaid.
  static func tellNews(by portal: Portal, on connection: Connection) throws {
    let now = portal.now
    for news in try connection.rows(untold, News.init) {
      if now < news.until {
        try portal.notify(news.person, news.notice(by: portal.keys), on: connection)
      }
      try connection.run(
        "UPDATE appointments_tickets SET told_at = \(now) WHERE id_ticket = \(news.ticket)")
    }
  }

  private static var untold: SQL {
    """
    SELECT \(DoctorName.columns), id_ticket, tickets.person, number,
      coalesce(over_at, ends_at), over_at
    FROM appointments_tickets AS tickets JOIN appointments_desks ON id_desk = desk
      JOIN appointments_doctors ON id_doctor = doctor
    WHERE told_at IS NULL AND called_at IS NOT NULL
    UNION ALL
    SELECT \(DoctorName.columns), id_ticket, tickets.person, number, NULL, over_at
    FROM appointments_tickets AS tickets JOIN appointments_desks ON id_desk = desk
      JOIN appointments_doctors ON id_doctor = doctor
    WHERE told_at IS NULL AND outcome = \(Ticket.Outcome.dismissed.rawValue)
    """
  }
}
