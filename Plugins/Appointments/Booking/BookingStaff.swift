import PolyclinicCore

/// Changes to a booking by staff. Each adds an entry to the patient's access log and to the
/// history. The patient is notified when a booking is rescheduled or cancelled.
extension Booking {
  /// A member of staff, and the reason for which they may change a booking.
  struct Staff: Sendable {
    let actor: HistoryEntry.Actor
    let reason: AccessReason

    /// Returns the visitor as the booking's doctor or as a receptionist of its clinic. Throws
    /// ``Refusal/notFound`` for everyone else, including administrators: see ``administrator(_:)``.
    static func of(_ booking: Booking, _ context: Context) throws -> Staff {
      let visitor = try context.signedIn()
      if visitor.roles.contains(.doctor),
        try Doctor.of(visitor.person, in: context)?.id == booking.doctor
      {
        return try doctor(context)
      }
      if visitor.roles.contains(.receptionist),
        try Receptionist.works(visitor.person, for: booking.doctor, in: context)
      {
        return try receptionist(context)
      }
      throw Refusal.notFound
    }

    /// Returns the visitor as a doctor who changes own bookings. The caller has checked that they
    /// are.
    static func doctor(_ context: Context) throws -> Staff {
      Staff(actor: .init(try context.signedIn(), as: .doctor), reason: .care)
    }

    /// Returns the visitor as a receptionist. The route has checked the role.
    static func receptionist(_ context: Context) throws -> Staff {
      Staff(actor: .init(try context.signedIn(), as: .receptionist), reason: .reception)
    }

    /// True for the doctor and for the reception of the doctor's clinic, who may book with the
    /// doctor for others.
    func canBook(with doctor: ID<Doctor>, in work: Work) throws -> Bool {
      switch reason {
      case .care: try Doctor.of(actor.person, in: work)?.id == doctor
      case .reception: try Receptionist.works(actor.person, for: doctor, in: work)
      case .administration, .consent, .guardianship: false
      }
    }

    /// Adds a change of the booking to the patient's access log, and returns the work on the
    /// patient's data. Throws ``Refusal/notFound`` if the reason does not allow it.
    func open(_ booking: Booking, saying change: String, _ context: Context) throws -> Work {
      try context.recordChange(
        booking.logText(change, context.portal), of: [booking.patient], for: reason)
      guard let work = try work(on: booking.patient, context) else { throw Refusal.notFound }
      return work
    }

    /// Returns the work on the data of a patient, who reads in the access log that an appointment was
    /// opened; nil if the patient was erased. Throws ``Refusal/forbidden`` if the reason does not
    /// allow it.
    func work(on patient: ID<Person>, _ context: Context) throws -> Work? {
      try context.of([patient], for: reason, reading: "log.viewed.appointment")[patient]
    }

    /// Returns the visitor as an administrator, for example for a day on which a doctor is ill.
    static func administrator(_ context: Context) throws -> Staff {
      let visitor = try context.signedIn()
      guard visitor.roles.contains(.administrator) else { throw Refusal.forbidden }
      return Staff(actor: .init(visitor, as: .administrator), reason: .administration)
    }
  }

  /// A booking, and the visitor as a member of staff who may change it.
  typealias ForStaff = (booking: Booking, staff: Staff)

  /// Returns the booking with the ID `{id}`. Throws ``Refusal/notFound`` if the visitor may not
  /// change it.
  static func findForStaff(_ context: Context) throws -> ForStaff {
    guard let booking = try find(context.id(), in: context) else { throw Refusal.notFound }
    return (booking, try Staff.of(booking, context))
  }

  /// Returns the reason why the booking cannot have a status at that time, regardless of its
  /// present status. Nil if it can.
  ///
  /// - A visit and a no-show are not possible before the start, except for the visit of a patient
  ///   who was called.
  /// - An arrival is possible from two hours before the start, because some patients come early.
  /// - A cancellation is not possible before the day of the appointment.
  /// - A status cannot be undone after that day.
  func obstacle(to status: Appointment.Status, at now: Instant) -> Text? {
    let today = LocalDateTime(now, in: zone).date
    switch status {
    case .booked: return local.date < today ? "reception.too-late" : nil
    case .fulfilled where isCalled: return nil
    case .fulfilled, .noshow: return now < span.lowerBound ? "reception.too-early" : nil
    case .arrived: return now < span.lowerBound - .hours(2) ? "reception.too-early" : nil
    case .cancelled: return local.date > today ? "reception.too-early" : nil
    }
  }

  /// Sets another status that may follow, and returns the changed booking. Throws
  /// ``Refusal/conflict(_:)`` for any other status. Throws ``ClaimedTime/Taken`` if an ended booking
  /// is reopened and its time is taken.
  @discardableResult
  func setStatus(
    _ status: Appointment.Status, by staff: Staff, reason: String = "", _ context: Context
  ) throws -> Booking {
    guard self.status.next.contains(status) else { throw Refusal.conflict("reception.changed") }
    let change = status == .booked ? "log.taken-back" : "log.\(status.rawValue)"
    let keys = try staff.open(self, saying: change, context).keys
    return try setStatus(status, by: staff.actor, reason: reason, sealedBy: keys, in: context)
  }

  /// Takes back the latest change of the status: a call or a completed visit leads back to the
  /// arrival, and all else to the booking. Throws ``Refusal/conflict(_:)`` if there is no such
  /// change, and ``ClaimedTime/Taken`` if an ended booking is reopened and its time is taken.
  func undoStatus(by staff: Staff, _ context: Context) throws {
    guard status.next.contains(.booked) else { throw Refusal.conflict("reception.changed") }
    let before = try HistoryEntry.statusBefore(self, in: context)
    let keys = try staff.open(self, saying: "log.taken-back", context).keys
    try setStatus(before, by: staff.actor, sealedBy: keys, in: context)
    if isCalled { try WaitingList.resumeCalls(of: doctor, in: context) }
  }

  /// Cancels the booking. Notifies the patient, and the patients who wait for an earlier time.
  func cancel(by staff: Staff, reason: String = "", _ context: Context) throws {
    let cancelled = try setStatus(.cancelled, by: staff, reason: reason, context)
    try cancelled.notifyPatient("notice.cancelled", from: context)
    try tellWaiting(context.portal, in: context)
  }

  /// Reschedules the booking, notifies the patient and the patients who wait for an earlier time,
  /// and returns the rescheduled booking. Throws ``ClaimedTime/Taken`` if that time is taken.
  @discardableResult
  func reschedule(
    to time: Slot, of doctor: ID<Doctor>? = nil, by staff: Staff, reason: String = "",
    _ context: Context
  ) throws -> Booking {
    guard status.isOpen else { throw Refusal.conflict("reception.changed") }
    let keys = try staff.open(self, saying: "log.moved", context).keys
    let rescheduled = try reschedule(
      to: time, of: doctor, by: staff.actor, reason: reason, sealedBy: keys, in: context)
    try rescheduled.notifyPatient("notice.moved", from: context)
    try tellWaiting(context.portal, in: context)
    return rescheduled
  }

  /// Returns the text of a change for the access log.
  func logText(_ what: String, _ portal: Portal) -> Text {
    Text(what, values: ["time": .moment(span.lowerBound, in: zone, portal)])
  }
}

/// Grants doctors and receptionists access to the data of their patients.
///
/// - `care`: a doctor's patients with an appointment, or with a waiting list ticket that is active
///   or was treated. A patient who has left the list or did not come was not treated, not even if
///   the call came before.
/// - `reception`: the patients of all doctors of the receptionist's clinic. Cancelled appointments
///   count here too, because the reception's day list shows them.
/// - `administration`: no patients.
struct PatientRelations: CareRelations {
  /// Returns the moment since which a visit must have ended, so that staff may still see the
  /// patient: 30 days ago for the doctor, 7 for the reception; nil if staff may see none.
  static func since(for reason: AccessReason, at now: Instant) -> Instant? {
    switch reason {
    case .care: now - .days(30)
    case .reception: now - .days(7)
    case .administration, .consent, .guardianship: nil
    }
  }

  func allowed(
    _ people: Set<ID<Person>>, for reason: AccessReason, in work: Work
  ) throws -> Set<ID<Person>> {
    let visitor = try work.signedIn()
    let people = people.sorted()
    // The condition of `Booking.isVisible(for:at:)`.
    let visible: SQL = reason == .reception ? "1 = 1" : "status <> 'cancelled'"
    guard let since = Self.since(for: reason, at: work.now) else { return [] }
    let doctors: SQL =
      reason == .care
      ? "SELECT id_doctor FROM appointments_doctors WHERE person = \(visitor.person)"
      : """
      SELECT id_doctor FROM appointments_doctors
        JOIN appointments_departments ON id_department = department
        JOIN appointments_receptionists AS receptionists ON receptionists.clinic = appointments_departments.clinic
      WHERE receptionists.person = \(visitor.person)
      """
    return Set(
      try work.rows(
        """
        SELECT person FROM appointments
        WHERE person IN \(list: people) AND doctor IN (\(doctors))
          AND \(visible) AND ends_at > \(since)
        UNION
        SELECT person FROM appointments_tickets JOIN appointments_sessions ON id_session = session
        WHERE person IN \(list: people) AND doctor IN (\(doctors))
          AND \(Self.isTreated) AND joined_at > \(since)
        """
      ) { $0.id(0) })
  }

  /// The condition for a ticket that is active, or that was treated.
  private static let isTreated: SQL = """
    (over_at IS NULL OR called_at IS NOT NULL AND
      outcome NOT IN (\(Ticket.Outcome.left.rawValue), \(Ticket.Outcome.noshow.rawValue)))
    """

  func careTeam(in work: Work) throws -> [ID<Person>] {
    guard let since = Self.since(for: .care, at: work.now) else { return [] }
    let patient = try work.keys.person
    return try work.rows(
      """
      SELECT person FROM appointments_doctors WHERE person IS NOT NULL AND id_doctor IN (
        SELECT doctor FROM appointments
        WHERE person = \(patient) AND status <> 'cancelled' AND ends_at > \(since)
        UNION
        SELECT doctor FROM appointments_tickets JOIN appointments_sessions ON id_session = session
        WHERE person = \(patient) AND \(Self.isTreated) AND joined_at > \(since))
      ORDER BY person
      """
    ) { $0.id(0) }
  }

  func publicNames(of people: [ID<Person>], in work: Work) throws -> [ID<Person>: Text] {
    let names = try DoctorPlacement.all(ofPeople: people, in: work).compactMap { placement in
      try placement.doctor.person.map { person in
        let values: [String: Text.Value] = [
          "name": try placement.doctor.name.value(by: work.keys),
          "specialization": .text(placement.department.specialization.title),
        ]
        return (person, Text("doctor.named", values: values).spoken(by: "appointments"))
      }
    }
    return Dictionary(names, uniquingKeysWith: { one, _ in one })
  }
}

extension Booking {
  /// True if staff may still see this booking for the reason, within the limits of
  /// ``PatientRelations``.
  func isVisible(for reason: AccessReason, at now: Instant) -> Bool {
    guard let since = PatientRelations.since(for: reason, at: now) else { return false }
    return (status != .cancelled || reason == .reception) && span.upperBound > since
  }
}
