import PolyclinicCore

/// The last page of a patient's booking, and its submission.
enum BookingPages {
  /// Books the time and returns the path of the new booking, or of the patient's own booking of
  /// this time with this doctor, which a second press has made. Throws the same errors as
  /// ``claim(_:_:_:)``.
  static func book(
    _ request: BookingRequest, _ context: Context
  ) throws -> Path {
    let placement = try request.placement(in: context)
    let time = try RequestedTime.time(request, at: placement, context)
    let own = try Booking.at(time, of: context.keys.person, with: placement.doctor.id, in: context)
    let booking = try own ?? claim(time, of: placement, request, context)
    return "\(booking.id)?done=booked"
  }

  /// Returns the new booking. Throws ``Refusal/invalid(_:_:)`` for an invalid field, and
  /// ``Refusal/conflict(_:)`` if the time was just taken, at the patient's limit, for an overlap,
  /// and for doctors who would book with themselves.
  static func claim(
    _ request: BookingRequest, _ context: Context
  ) throws -> Booking {
    let placement = try request.placement(in: context)
    let time = try RequestedTime.time(request, at: placement, context)
    return try claim(time, of: placement, request, context)
  }

  private static func claim(
    _ time: Slot, of placement: DoctorPlacement, _ request: BookingRequest,
    _ context: Context
  ) throws -> Booking {
    let keys = try context.keys
    try OwnBookingAtReception.checkIsAnother(placement.doctor.id, context)
    try OwnLimit.check(at: placement, context)
    try checkOverlap(at: time, context)
    let booking = try ClaimedTime.orConflict(context) {
      try Booking.claim(time, of: placement.doctor.id, for: keys.person, in: context)
    }
    if !request.purpose.isEmpty {
      let details = Booking.Details(purpose: request.purpose)
      try Booking.write(details, to: booking.id, in: context)
    }
    let actor = HistoryEntry.Actor(try context.signedIn(), as: .patient)
    try booking.record(by: actor, sealedBy: keys, in: context)
    return booking
  }

  /// Throws ``Refusal/conflict(_:)`` if the patient has another appointment at that time and the
  /// form has not pointed it out yet.
  static func checkOverlap(
    at time: Slot, besides id: ID<Appointment>? = nil, _ context: Context
  ) throws {
    if Overlap.isAcknowledged(at: time, context.request.fields) { return }
    if try Overlap.find(time.span, besides: id, in: context) != nil {
      throw Refusal.conflict("booking.overlap")
    }
  }

  static func about(_ context: Context) throws -> HTML? {
    guard let (placement, time) = try RequestedTime.find(context) else {
      return try RequestedTime.linkToFreeTimes(context)
    }
    return """
      \(try OwnBookingAtReception.notice(context))\
      \(try OwnLimit.notice(at: placement, context)
        ?? aboutTime(time, placement, context))\
      \(try BookedAlready.notice(besides: time, of: placement, context))\
      \(try BookingSummary(placement: placement, time: time, context: context)
        .content(changing: .both))
      """
  }

  /// Returns a notice if the time is taken or the patient has another appointment then. For the
  /// latter, a hidden field records that the patient has seen the notice.
  static func aboutTime(
    _ time: Slot, _ placement: DoctorPlacement, besides rescheduled: Booking? = nil,
    _ context: Context
  ) throws -> HTML? {
    if let taken = try RequestedTime.takenNotice(time, placement, besides: rescheduled, context) {
      return taken
    }
    let other = try Overlap.find(time.span, besides: rescheduled?.id, in: context)
    return try other.map {
      "\(try $0.notice(context))\(Overlap.acknowledgement(at: time))"
    }
  }

  static func alternatives(_ context: Context) throws -> [Choice] {
    if try OwnLimit.isReached(context) { return [] }
    return try AlternativeTimes.choices(context) {
      try Overlap.find($0.span, in: context) != nil
    }
  }
}
