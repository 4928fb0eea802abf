import PolyclinicCore

/// Changes of a booking by those who work for the patient: each stands in the patient's access log and
/// in the history, and the patient is told.
extension Booking {
  /// Somebody of the staff, and the right that they change a booking by.
  struct Staff: Sendable {
    let actor: AppointmentEvent.Actor
    let reason: AccessReason

    /// The doctor whose booking it is, or a receptionist of its clinic; throws ``Refusal/notFound``
    /// for everybody else, administrators among them: see ``administrator(_:)``.
    static func of(
      _ booking: Booking, _ context: Context, on connection: Connection
    ) throws -> Staff {
      let visitor = try context.signedIn()
      if visitor.roles.contains(.doctor),
        try Doctor.of(visitor.person, on: connection)?.id == booking.doctor
      {
        return Staff(actor: .init(visitor, as: .doctor), reason: .care)
      }
      if visitor.roles.contains(.receptionist),
        try Receptionist.works(visitor.person, for: booking.doctor, on: connection)
      {
        return try desk(context)
      }
      throw Refusal.notFound
    }

    /// The visitor at the desk, whose role the route has checked.
    static func desk(_ context: Context) throws -> Staff {
      Staff(actor: .init(try context.signedIn(), as: .receptionist), reason: .desk)
    }

    /// Whether somebody books with a doctor for others: the doctor, or the desk of the clinic.
    func books(with doctor: ID<Doctor>, on connection: Connection) throws -> Bool {
      switch reason {
      case .care: try Doctor.of(actor.person, on: connection)?.id == doctor
      case .desk: try Receptionist.works(actor.person, for: doctor, on: connection)
      case .administration: false
      }
    }

    /// An administrator, such as on a day on which a doctor is ill.
    static func administrator(_ context: Context) throws -> Staff {
      let visitor = try context.signedIn()
      guard visitor.roles.contains(.administrator) else { throw Refusal.forbidden }
      return Staff(actor: .init(visitor, as: .administrator), reason: .administration)
    }
  }

  /// Why it cannot have that state at that time, whatever it is now: nobody has missed what has not
  /// begun, nobody comes on another day, and what was noted on a day gone by stands.
  func obstacle(to status: Appointment.Status, at now: Instant) -> Text? {
    let today = LocalDateTime(now, in: zone).date
    switch status {
    case .booked: return local.date < today ? "desk.too-late" : nil
    case .noshow: return now < span.lowerBound ? "desk.too-early" : nil
    case .arrived, .fulfilled, .cancelled: return local.date > today ? "desk.too-early" : nil
    }
  }

  /// Gives it another state that may follow, and returns what it is then; throws
  /// ``Refusal/conflict(_:)`` for any other, and ``DoctorTime/Taken`` when it was over, is not to be
  /// after all, and somebody has its time.
  @discardableResult
  func become(
    _ status: Appointment.Status, by staff: Staff, reason: String = "", _ context: Context,
    on connection: Connection
  ) throws -> Booking {
    guard self.status.next.contains(status) else { throw Refusal.conflict("desk.changed") }
    let change = status == .booked ? "log.taken-back" : "log.\(status.rawValue)"
    let keys = try keys(for: staff, saying: change, context, on: connection)
    return try become(
      status, by: staff.actor, reason: reason, sealedBy: keys, at: context.now, on: connection)
  }

  /// Cancels it for the patient, who is told, as are those who wait for something earlier.
  func cancel(
    by staff: Staff, reason: String = "", _ context: Context, on connection: Connection
  ) throws {
    let cancelled = try become(.cancelled, by: staff, reason: reason, context, on: connection)
    try cancelled.tellPatient("notice.cancelled", from: context, on: connection)
    try Wish.tell(ofReleaseOf: self, context.portal, on: connection)
  }

  /// Moves it for the patient, who is told, and returns the moved booking; throws
  /// ``DoctorTime/Taken`` when somebody has that time.
  @discardableResult
  func move(
    to time: BookableTime, of doctor: ID<Doctor>? = nil, by staff: Staff, reason: String = "",
    _ context: Context, on connection: Connection
  ) throws -> Booking {
    guard status.isOpen else { throw Refusal.conflict("desk.changed") }
    let keys = try keys(for: staff, saying: "log.moved", context, on: connection)
    let moved = try move(
      to: time, of: doctor, by: staff.actor, reason: reason, sealedBy: keys, at: context.now,
      on: connection)
    try moved.tellPatient("notice.moved", from: context, on: connection)
    try Wish.tell(ofReleaseOf: self, context.portal, on: connection)
    return moved
  }

  /// What was done with it, as the access log says it.
  func logged(_ what: String, _ portal: Portal) -> Text {
    Text(what, values: ["time": .moment(span.lowerBound, in: zone, portal)])
  }

  private func keys(
    for staff: Staff, saying change: String, _ context: Context, on connection: Connection
  ) throws -> Keys {
    try context.recordChange(
      logged(change, context.portal), of: [patient], for: staff.reason, on: connection)
    let keys = try context.keys(of: [patient], for: staff.reason, on: connection)
    guard let keys = keys[patient] else { throw Refusal.notFound }
    return keys
  }
}
