import PolyclinicCore

extension Notice.Kind {
  /// The notice to a patient on a waiting list: a call, or the closing of the list.
  static let waitingList = Notice.Kind("line", "notice.line")
}

extension WaitingList {
  /// The time after which the notice of a closed session expires.
  private static let newsworthy = Seconds.hours(1)

  /// A notice that a patient has not received yet.
  private struct PendingNotice {
    let ticket: ID<Ticket>
    let person: ID<Person>
    let number: Int
    let doctor: ID<Doctor>
    let doctorName: DoctorName
    let isCall: Bool
    /// The time at which the notice expires.
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
      let name = try doctorName.value(by: keys)
      return Notice(
        .waitingList,
        Text(
          isCall ? "notice.called" : "notice.dismissed",
          ["number": String(number)], values: ["doctor": name]),
        // A call that was taken back is followed by another one.
        leadingTo: DoctorPage.path(doctor), once: "ticket-\(ticket)-\(until.seconds)",
        mail: isCall
          ? Notice.Mail(
            subject: "notice.called.subject",
            body: Text("notice.called.body", ["number": String(number)])) : nil,
        expires: until)
    }
  }

  /// True if a patient was called, or dismissed by a closed session, and is not notified yet.
  static func hasPendingNotices(in work: Work) throws -> Bool {
    try work.integer("SELECT 1 FROM (\(pending)) AS pending LIMIT 1") != nil
  }

  /// Notifies each patient who was called, or dismissed by a closed session, once. Expired notices
  /// are not sent.
  static func sendPendingNotices(by portal: Portal, in work: Work) throws {
    let now = work.now
    for notice in try work.rows(pending, PendingNotice.init) {
      if now < notice.until {
        try portal.notify(notice.person, notice.notice(by: portal.keys), in: work)
      }
      try work.run(
        "UPDATE appointments_tickets SET told_at = \(now) WHERE id_ticket = \(notice.ticket)")
    }
  }

  private static var pending: SQL {
    """
    SELECT \(DoctorName.columns), id_ticket, tickets.person, number,
      coalesce(over_at, ends_at), over_at
    FROM appointments_tickets AS tickets JOIN appointments_sessions ON id_session = session
      JOIN appointments_doctors ON id_doctor = doctor
    WHERE told_at IS NULL AND called_at IS NOT NULL
    UNION ALL
    SELECT \(DoctorName.columns), id_ticket, tickets.person, number, NULL, over_at
    FROM appointments_tickets AS tickets JOIN appointments_sessions ON id_session = session
      JOIN appointments_doctors ON id_doctor = doctor
    WHERE told_at IS NULL AND outcome = \(Ticket.Outcome.dismissed.rawValue)
    """
  }
}

extension Ticket {
  /// Notifies the doctor that the called patient cannot come.
  func tellOfDecline(_ doctor: Doctor, _ portal: Portal, in work: Work) throws {
    guard let person = doctor.person, let treatment else { return }
    let notice = Notice(
      .waitingList, Text("notice.declined", ["number": String(number)]),
      leadingTo: DoctorQueuePage.path,
      once: "declined-\(id)-\(treatment.lowerBound.seconds)", expires: treatment.upperBound)
    try portal.notify(person, notice, in: work)
  }
}
