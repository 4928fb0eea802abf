import PolyclinicCore

/// The last page of a patient's booking, and its submission.
enum BookingPages {
  /// Books the time and returns the path of the new booking, or of the patient's own booking of this time with this
  /// doctor, which a second press has made. Throws the same errors as ``claim(_:_:_:)``.
  static func book(
    _ request: BookingRequest, _ context: Context, _ connection: Connection
  ) throws -> Path {
    let placement = try request.placement(on: connection)
    let time = try RequestedTime.time(request, at: placement, context, on: connection)
    let own = try Booking.at(
      time, of: context.keys.person, with: placement.doctor.id, on: connection)
    let booking = try own ?? claim(time, of: placement, request, context, connection)
    return "\(booking.id)?done=booked"
  }

  /// Returns the new booking. Throws ``Refusal/invalid(_:_:)`` for an invalid field, and ``Refusal/conflict(_:)`` if
  /// the time was just taken, at the patient's limit, for an overlap, and for doctors who would book with themselves.
  static func claim(
    _ request: BookingRequest, _ context: Context, _ connection: Connection
  ) throws -> Booking {
    let placement = try request.placement(on: connection)
    let time = try RequestedTime.time(request, at: placement, context, on: connection)
    return try claim(time, of: placement, request, context, connection)
  }

  private static func claim(
    _ time: BookableTime, of placement: DoctorPlacement, _ request: BookingRequest,
    _ context: Context, _ connection: Connection
  ) throws -> Booking {
    let keys = try context.keys
    try OwnBookingAtReception.checkIsAnother(placement.doctor.id, context, on: connection)
    try OwnLimit.check(at: placement, context, on: connection)
    try checkOverlap(at: time, context, on: connection)
    let booking = try DoctorTime.orConflict(context) {
      try Booking.claim(
        time, of: placement.doctor.id, for: keys.person, at: context.now, on: connection)
    }
    if !request.purpose.isEmpty {
      let details = Booking.Details(purpose: request.purpose)
      try Booking.write(details, to: booking.id, by: keys, on: connection)
    }
    let actor = HistoryEntry.Actor(try context.signedIn(), as: .patient)
    try booking.record(by: actor, sealedBy: keys, at: context.now, on: connection)
    return booking
  }

  /// Throws ``Refusal/conflict(_:)`` if the patient has another appointment at that time and the form has not
  /// pointed it out yet.
  static func checkOverlap(
    at time: BookableTime, besides id: ID<Appointment>? = nil, _ context: Context,
    on connection: Connection
  ) throws {
    if Overlap.isAcknowledged(at: time, context.request.fields) { return }
    if try Overlap.find(time.span, besides: id, by: context.keys, on: connection) != nil {
      throw Refusal.conflict("booking.overlap")
    }
  }

  static func about(_ context: Context) throws -> HTML? {
    try context.database.read { connection in
      guard let (placement, time) = try RequestedTime.find(context, on: connection) else {
        return try RequestedTime.linkToFreeTimes(context, on: connection)
      }
      return """
        \(try OwnBookingAtReception.notice(context, on: connection))\
        \(try OwnLimit.notice(at: placement, context, on: connection)
          ?? aboutTime(time, placement, context, on: connection))\
        \(try BookedAlready.notice(besides: time, of: placement, context, on: connection))\
        \(try BookingSummary(placement: placement, time: time, context: context)
          .content(changing: .both))
        """
    }
  }

  /// Returns a notice if the time is taken or the patient has another appointment then. For the latter, a
  /// hidden field records that the patient has seen the notice.
  static func aboutTime(
    _ time: BookableTime, _ placement: DoctorPlacement, besides rescheduled: Booking? = nil,
    _ context: Context, on connection: Connection
  ) throws -> HTML? {
    if let taken = try RequestedTime.takenNotice(
      time, placement, besides: rescheduled, context, on: connection)
    {
      return taken
    }
    let other = try Overlap.find(
      time.span, besides: rescheduled?.id, by: context.keys, on: connection)
    return try other.map {
      "\(try $0.notice(context, on: connection))\(Overlap.acknowledgement(at: time))"
    }
  }

  static func alternatives(_ context: Context) throws -> [Choice] {
    let keys = try context.keys
    return try context.database.read { connection in
      if try OwnLimit.isReached(context, on: connection) { return [] }
      return try AlternativeTimes.choices(context, on: connection) {
        try Overlap.find($0.span, by: keys, on: connection) != nil
      }
    }
  }
}
