import PolyclinicCore

extension Notice.Kind {
  /// The notice that staff has booked, rescheduled or cancelled an appointment.
  static let appointmentChanged = Notice.Kind("appointment-changed", "kind.changed")
  /// The confirmation that a patient has booked, moved or cancelled an appointment.
  static let ownChange = Notice.Kind("own-change", "kind.own", ways: [.email])
  /// The notice that an earlier time is free, for patients who wait for one.
  static let earlierTime = Notice.Kind("earlier-time", "kind.earlier")
  /// The reminder of an upcoming appointment.
  static let reminder = Notice.Kind("reminder", "kind.reminder")
}

extension Booking {
  /// Notifies the patient of a change by staff, with an e-mail for the patient's calendar. Call it
  /// on the changed booking, because its sequence number is part of the idempotency key: each
  /// change is announced once.
  func notifyPatient(_ text: String, from context: Context) throws {
    if let notice = try notice(text, context.portal, in: context) {
      try context.portal.notify(patient, notice, in: context)
    }
  }

  /// A change by the patient or by a guardian.
  enum Change: String { case booked, moved, cancelled }

  /// Confirms a change to the visitor who has made it. The patient and the guardians learn of it by
  /// the visitor's name. `doctor` is the doctor's name, if it was read already.
  func confirm(
    _ change: Change, with doctor: DoctorName? = nil, from context: Context
  ) throws {
    let visitor = try context.signedIn()
    guard let name = try doctor ?? DoctorName.find(self.doctor, in: context) else { return }
    let (portal, own) = (context.portal, "own.\(change)")
    var notice = try notice(
      "guardian.\(change)", body: "notice.\(change).body", adding: ["guardian": visitor.name],
      with: name, portal)
    notice.confirmation = Notice.Confirmation(
      .ownChange, Text(own, values: try values(with: name, portal)),
      mail: mail("\(own).body", portal))
    try portal.notify(patient, notice, in: context)
  }

  /// Returns the notice of a change; nil if the doctor no longer exists.
  func notice(_ text: String, _ portal: Portal, in work: Work) throws -> Notice? {
    try DoctorName.find(doctor, in: work).map {
      try notice(text, body: "\(text).body", with: $0, portal)
    }
  }

  private func notice(
    _ text: String, body: String, adding arguments: [String: String] = [:],
    with doctor: DoctorName, _ portal: Portal
  ) throws -> Notice {
    Notice(
      .appointmentChanged, Text(text, arguments, values: try values(with: doctor, portal)),
      leadingTo: path, subject: "\(id)", once: "\(id)-\(sequence)", mail: mail(body, portal))
  }

  private func values(
    with doctor: DoctorName, _ portal: Portal
  ) throws -> [String: Text.Value] {
    ["time": time(portal), "doctor": try doctor.value(by: portal.keys)]
  }

  private func mail(_ body: String, _ portal: Portal) -> Notice.Mail {
    Notice.Mail(
      subject: "notice.subject", body: Text(body, values: ["time": time(portal)]),
      event: mailedEvent(portal))
  }

  private func time(_ portal: Portal) -> Text.Value {
    .moment(span.lowerBound, in: zone, portal)
  }
}

extension Text.Value {
  /// Returns a moment in a clinic's local time. Names the zone if its time differs from the
  /// portal's.
  static func moment(_ instant: Instant, in zone: Zone, _ portal: Portal) -> Text.Value {
    let value = Text.Value.dateTime(instant, zone)
    let own = portal.clinic.zone
    if BookingText.haveSameOffset(zone, own, at: instant) { return value }
    let spelled = Language.allCases.map { language in
      let written = value.string(in: language)
      return (language, BookingText.named(written, by: zone, at: instant, besides: own))
    }
    return .name(Dictionary(uniqueKeysWithValues: spelled))
  }
}

/// Reminders of an appointment: a day before and two hours before.
///
/// The booking's row counts the reminders that were sent, and rescheduling the booking resets the
/// count to 0. A booking that was made after a reminder was due does not get that one.
extension Booking {
  /// The intervals between the reminders and the appointment, in the order in which the reminders
  /// are sent.
  private static let leads = [Seconds.days(1), .hours(2)]
  /// The interval between searches for due reminders.
  private static let pause = Seconds.minutes(1)
  /// The maximum number of bookings in one transaction, so that other transactions can run in
  /// between.
  private static let batch = 50

  /// Returns the number of reminders that the patient of a booking made now will get.
  static func remindersAhead(of start: Instant, at now: Instant) -> Int {
    leads.count { now + $0 <= start }
  }

  /// Sends the due reminders. Returns the time of the next run: a minute later, or now if more are
  /// due.
  static func sendDueReminders(_ portal: Portal) throws -> Instant {
    guard try portal.read({ try !due(in: $0).isEmpty }) else { return portal.now + pause }
    let count = try portal.write { work in
      let due = try due(in: work)
      for booking in due { try booking.sendReminder(portal, in: work) }
      return due.count
    }
    return count == batch ? portal.now : portal.now + pause
  }

  private static func due(in work: Work) throws -> [Booking] {
    try all(
      where: """
        status = 'booked' AND starts_at > \(work.now) AND starts_at <= \(work.now + leads[0])
          AND (reminded < 1 AND changed_at <= starts_at - \(leads[0].count)
            OR reminded < 2 AND starts_at <= \(work.now + leads[1])
              AND changed_at <= starts_at - \(leads[1].count))
        ORDER BY starts_at, id_appointment LIMIT \(batch)
        """, in: work)
  }

  /// Sends a reminder. If both are due by now, it sends only the second.
  private func sendReminder(_ portal: Portal, in work: Work) throws {
    let start = span.lowerBound
    let number = Self.leads.count { start - work.now <= $0 }
    try work.run(
      "UPDATE appointments SET reminded = \(number) WHERE id_appointment = \(id)")
    if let notice = try reminder(number, portal, in: work) {
      try portal.notify(patient, notice, in: work)
    }
  }

  /// Returns the reminder with this number; nil if the doctor no longer exists.
  func reminder(_ number: Int, _ portal: Portal, in work: Work) throws -> Notice? {
    guard let doctorName = try DoctorName.find(doctor, in: work) else { return nil }
    let start = span.lowerBound
    let time = ["time": Text.Value.moment(start, in: zone, portal)]
    let mail = Notice.Mail(
      subject: "reminder.subject", body: Text("reminder.body", values: time),
      event: mailedEvent(portal))
    let name = ["doctor": try doctorName.value(by: portal.keys)]
    return Notice(
      .reminder, Text("reminder.notice", values: time.merging(name) { $1 }),
      leadingTo: path, subject: "\(id)", once: "reminder-\(id)-\(sequence)-\(number)",
      mail: mail, expires: start)
  }
}
