import PolyclinicCore

extension Notice.Kind {
  /// The reminder of an upcoming appointment.
  static let reminder = Notice.Kind("reminder", "kind.reminder")
}

/// Reminders of an appointment: a day before and two hours before.
///
/// The booking's row counts the reminders that were sent, and rescheduling the booking resets the
/// count to 0. A booking that was made after a reminder was due does not get that one.
enum Reminder {
  /// The intervals between the reminders and the appointment, in the order in which the reminders
  /// are sent.
  static let leads = [Seconds.days(1), .hours(2)]
  /// The interval between searches for due reminders.
  private static let pause = Seconds.minutes(1)
  /// The maximum number of bookings in one transaction, so that other transactions can run in
  /// between.
  private static let batch = 50

  /// Sends the due reminders. Returns the time of the next run: a minute later, or now if more are
  /// due.
  @Sendable
  static func sendDue(_ portal: Portal) throws -> Instant {
    guard try portal.read({ try !due(in: $0).isEmpty }) else {
      return portal.now + pause
    }
    let count = try portal.write { work in
      let due = try due(in: work)
      for booking in due { try send(booking, portal, in: work) }
      return due.count
    }
    return count == batch ? portal.now : portal.now + pause
  }

  private static func due(in work: Work) throws -> [Booking] {
    try work.rows(
      """
      SELECT \(Booking.columns) FROM appointments
      WHERE status = 'booked' AND starts_at > \(work.now) AND starts_at <= \(work.now + leads[0])
        AND (reminded < 1 AND changed_at <= starts_at - \(leads[0].count)
          OR reminded < 2 AND starts_at <= \(work.now + leads[1])
            AND changed_at <= starts_at - \(leads[1].count))
      ORDER BY starts_at LIMIT \(batch)
      """, Booking.init)
  }

  /// Sends a reminder. If both are due by now, it sends only the second.
  private static func send(
    _ booking: Booking, _ portal: Portal, in work: Work
  ) throws {
    let start = booking.span.lowerBound
    let number = leads.count { start - portal.now <= $0 }
    try work.run(
      "UPDATE appointments SET reminded = \(number) WHERE id_appointment = \(booking.id)")
    if let notice = try notice(of: booking, number, portal, in: work) {
      try portal.notify(booking.patient, notice, in: work)
    }
  }

  /// Returns the reminder with this number of a booking; nil if the doctor no longer exists.
  static func notice(
    of booking: Booking, _ number: Int, _ portal: Portal, in work: Work
  ) throws -> Notice? {
    guard let placement = try DoctorPlacement.find(booking.doctor, in: work) else {
      return nil
    }
    let start = booking.span.lowerBound
    let time = ["time": Text.Value.moment(start, in: booking.zone, portal)]
    let mail = Notice.Mail(
      subject: "reminder.subject", body: Text("reminder.body", values: time),
      attachment: try booking.calendarFile(in: placement, portal, in: work))
    let doctor = ["doctor": try placement.doctor.name.value(by: portal.keys)]
    return Notice(
      .reminder, Text("reminder.notice", values: time.merging(doctor) { $1 }),
      leadingTo: "\(booking.id)", once: "reminder-\(booking.id)-\(booking.sequence)-\(number)",
      mail: mail, expires: start)
  }
}
