import PolyclinicCore

/// The free times that a booking form offers in place of the requested one.
enum AlternativeTimes {
  /// Returns the alternatives to the requested time, without those that overlap another appointment
  /// of the patient, as `overlaps` reports. The time itself comes first if it is free and only
  /// overlaps such an appointment. Throws ``Refusal/invalid(_:_:)`` if the requested time cannot be
  /// booked any more, such as that of a doctor who was disabled a moment ago.
  static func choices(
    besides rescheduled: Booking? = nil, _ context: Context,
    where overlaps: (Slot) throws -> Bool
  ) throws -> [Choice] {
    let (time, around) = try aroundAsked(context)
    let others = choices(try nearest(to: time, in: around, where: overlaps), context)
    guard around.isFree(time.span, besides: rescheduled?.span), try overlaps(time) else {
      return others
    }
    return [Overlap.choice(of: time, context)] + others
  }

  /// Returns the free times nearest to the requested one that overlap no other appointment of the
  /// patient. Throws the same errors as ``choices(besides:_:where:)``.
  static func find(
    _ context: Context, where overlaps: (Slot) throws -> Bool
  ) throws -> [Slot] {
    let (time, around) = try aroundAsked(context)
    return try nearest(to: time, in: around, where: overlaps)
  }

  private static func aroundAsked(
    _ context: Context
  ) throws -> (Slot, Availability) {
    let (placement, time) = try RequestedTime.checked(context)
    let around = try Availability.around(
      time, of: placement, settings: context.portal.settings, in: context)
    return (time, around)
  }

  private static func nearest(
    to time: Slot, in around: Availability, where overlaps: (Slot) throws -> Bool
  ) throws -> [Slot] {
    try around.nearest(to: time.span.lowerBound, count: 6) { try !overlaps($0) }
  }

  private static func choices(_ times: [Slot], _ context: Context) -> [Choice] {
    times.map {
      Choice(
        String($0.span.lowerBound.seconds), .verbatim(BookingText.shortDateTime($0, context)))
    }
  }
}
