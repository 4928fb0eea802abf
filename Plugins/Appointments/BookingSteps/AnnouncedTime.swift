import PolyclinicCore

/// The free time that an alert has announced. Another patient may have booked it since.
enum AnnouncedTime {
  /// Chooses the page to which an alert leads if its time cannot be confirmed any more: the
  /// doctor's times, or the patient's own appointment at that time. Returns nil while the time is
  /// free, and for a link from elsewhere.
  ///
  /// `times` returns the page of free times, which says that this time is taken.
  static func page(
    changing changed: ID<Appointment>? = nil, _ context: Context,
    times: @escaping @Sendable (Slot, Context) throws -> Response
  ) throws -> Route? {
    guard context.request.query.contains(EarlierTimeAlert.field), let visitor = context.visitor
    else { return nil }
    guard let (placement, time) = try RequestedTime.find(context) else {
      return nil
    }
    let own = try Booking.ahead(of: visitor.person, with: placement.doctor.id, in: context)
    if let booked = own.first(where: { $0.span == time.span }) {
      return .get("new") { _ in .redirect(to: "/appointments/\(booked.id)") }
    }
    let isFree = try RequestedTime.isFree(
      time, placement, besides: own.first { $0.id == changed }, context)
    return isFree ? nil : .get("new") { try times(time, $0) }
  }
}
