import PolyclinicCore

extension NoticeKind {
  /// That an appointment is near.
  static let reminder = NoticeKind("reminder", "kind.reminder")
}

/// What a patient is told before an appointment: a day before, and two hours before.
///
/// How many were told stands in the booking's row, and goes back to none when it is moved; a booking
/// that was made later than a reminder of it would be due goes without that one.
enum Reminder {
  /// How long before the appointment, in order.
  static let leads = [Seconds.days(1), .hours(2)]
  /// How often the due ones are looked for.
  private static let pause = Seconds.minutes(1)
  /// So many are told in one transaction, for others to come in between.
  private static let batch = 50

  /// Tells those whose appointments are near, and wants to run again a minute later, or at once while
  /// more are due.
  @Sendable
  static func tellDue(_ portal: Portal) throws -> Instant {
    guard try portal.database.read({ try !due(at: portal.now, on: $0).isEmpty }) else {
      return portal.now + pause
    }
    let count = try portal.database.write { connection in
      let due = try due(at: portal.now, on: connection)
      for booking in due { try tell(booking, portal, on: connection) }
      return due.count
    }
    return count == batch ? portal.now : portal.now + pause
  }

  private static func due(at now: Instant, on connection: Connection) throws -> [Booking] {
    try connection.rows(
      """
      SELECT \(Booking.columns) FROM appointments
      WHERE status = 'booked' AND starts_at > \(now) AND starts_at <= \(now + leads[0])
        AND (reminded < 1 AND changed_at <= starts_at - \(leads[0].count)
          OR reminded < 2 AND starts_at <= \(now + leads[1])
            AND changed_at <= starts_at - \(leads[1].count))
      ORDER BY starts_at LIMIT \(batch)
      """, Booking.init)
  }

  /// Where both are due by now, the second says it all.
  private static func tell(
    _ booking: Booking, _ portal: Portal, on connection: Connection
  ) throws {
    let start = booking.span.lowerBound
    let number = leads.count { start - portal.now <= $0 }
    try connection.run(
      "UPDATE appointments SET reminded = \(number) WHERE id_appointment = \(booking.id)")
    guard let practice = try Practice.find(booking.doctor, on: connection) else { return }
    let time = ["time": Text.Value.moment(start, in: booking.zone, portal)]
    let mail = Notice.Mail(
      subject: "reminder.subject", body: Text("reminder.body", values: time),
      attachment: try booking.calendarFile(in: practice, portal, on: connection))
    let doctor = try practice.doctor.name.opened(by: portal.keys)
    let notice = Notice(
      .reminder, Text("reminder.notice", ["doctor": doctor], values: time),
      leadingTo: "\(booking.id)", once: "reminder-\(booking.id)-\(booking.sequence)-\(number)",
      mail: mail, expires: start)
    try portal.notify(booking.patient, notice, on: connection)
  }
}
