import PolyclinicCore

/// The alert for a patient who waits for an earlier time with a doctor.
struct EarlierTimeAlert {
  let person: ID<Person>
  let doctor: ID<Doctor>

  /// Adds the person to the end of the doctor's list. A person who is on it already keeps their
  /// place.
  func subscribe(in work: Work) throws {
    try work.run(
      """
      INSERT INTO appointments_earlier_time_alerts (person, doctor, created_at)
      VALUES (\(person), \(doctor), \(work.now)) ON CONFLICT (doctor, person) DO NOTHING
      """)
  }

  /// Removes the person from the doctor's list.
  func unsubscribe(in work: Work) throws {
    try work.run(
      "DELETE FROM appointments_earlier_time_alerts WHERE doctor = \(doctor) AND person = \(person)"
    )
  }

  /// True if the person is on the doctor's list.
  func exists(in work: Work) throws -> Bool {
    try work.integer(
      "SELECT 1 FROM appointments_earlier_time_alerts WHERE doctor = \(doctor) AND person = \(person)"
    ) != nil
  }

  /// Returns the doctors whose earlier times the person waits for, the earliest alert first.
  static func doctors(of person: ID<Person>, in work: Work) throws -> [ID<Doctor>] {
    try work.rows(
      "SELECT doctor FROM appointments_earlier_time_alerts WHERE person = \(person) ORDER BY id_alert"
    ) { $0.id(0) }
  }

  /// The field that marks a link from an alert.
  static let field = "alert"
}

/// The notices to the patients who wait.
extension Booking {
  /// The maximum number of changes by one patient in a day that others are notified of. More would
  /// only flood them with notices.
  private static let changesPerDay = 5

  /// Returns the number of times that its patient, or a guardian for the patient, has rescheduled or
  /// cancelled bookings since a moment.
  private func changes(since: Instant, in work: Work) throws -> Int {
    try work.integer(
      """
      SELECT count(*) FROM appointments_history JOIN appointments ON id_appointment = appointment
      WHERE person = \(patient) AND actor_role IN ('patient', 'guardian')
        AND appointments_history.sequence > 0 AND at > \(since)
      """) ?? 0
  }

  /// Returns the patients who wait for an earlier time, in the order in which they joined. Leaves
  /// out the patient who gave the time back, and patients who see the doctor before it.
  private func subscribers(in work: Work) throws -> [ID<Person>] {
    try work.rows(
      """
      SELECT person FROM appointments_earlier_time_alerts AS alerts
      WHERE doctor = \(doctor) AND person <> \(patient)
        AND NOT EXISTS (
          SELECT 1 FROM appointments
          WHERE appointments.person = alerts.person AND appointments.doctor = alerts.doctor
            AND status = 'booked' AND starts_at > \(work.now)
            AND starts_at <= \(span.lowerBound))
      ORDER BY id_alert
      """
    ) { $0.id(0) }
  }

  /// Notifies patients who wait for an earlier time, in the order in which they joined, that
  /// its time is free again. It announces each time once, however often it is booked and
  /// cancelled.
  ///
  /// It notifies no patients if:
  /// - the time is over,
  /// - the doctor does not work at that time any more,
  /// - no appointments can be booked with the doctor, or
  /// - the same patient has made more than ``changesPerDay`` changes in a day.
  func tellWaiting(_ portal: Portal, in work: Work) throws {
    let start = span.lowerBound
    let day = local.date
    guard start > work.now,
      let placement = try DoctorPlacement.find(doctor, in: work), placement.isOpen,
      try DoctorSchedule.find(of: placement, during: day...day, in: work).covers(span),
      try changes(since: work.now - .days(1), in: work) <= Self.changesPerDay
    else { return }
    let subscribers = try subscribers(in: work)
    let name = try placement.doctor.name.value(by: portal.keys)
    for person in subscribers {
      let notice = Notice(
        .earlierTime,
        Text(
          "alert.notice",
          values: ["doctor": name, "time": .moment(start, in: zone, portal)]),
        leadingTo: try page(for: person, in: work),
        once: "\(doctor)-\(start.seconds)", expires: start)
      try portal.notify(person, notice, in: work)
    }
  }

  /// Returns the page that confirms its time, which is free again: as the change of the
  /// person's only appointment with the doctor, or else as a new booking.
  private func page(for person: ID<Person>, in work: Work) throws -> Path {
    var chosen = Slot(span: span, zone: zone).choices(with: doctor)
    chosen.append(EarlierTimeAlert.field, "1")
    let own = try Booking.ahead(of: person, with: doctor, in: work)
    let base = own.count == 1 ? RescheduleForm.path(own[0].id) : BookingForm.path
    return base.query(chosen)
  }
}
