import PolyclinicCore

/// The appointments that a patient has with a doctor already, on the page that confirms another
/// one.
enum BookedAlready {
  /// Returns a notice of each appointment that is still to come, with the link that moves it to the
  /// requested time; nil if there is none. Booking another one stays possible, because some
  /// patients need several visits.
  static func notice(
    besides time: Slot, of placement: DoctorPlacement, _ context: Context
  ) throws -> HTML? {
    let doctor = placement.doctor.id
    let bookings = try Booking.ahead(of: context.keys.person, with: doctor, in: context).filter {
      !$0.span.overlaps(time.span)
    }
    if bookings.isEmpty { return nil }
    let notices = try bookings.map { booking -> HTML in
      let shown = BookingText.dateTime(booking.span.lowerBound, in: booking.zone, context)
      let isOpen = try OwnBooking.reason(againstChanging: booking, context) == nil
      let change: HTML? =
        isOpen
        ? context.button(
          "booking.already.change",
          to: Path("/appointments/\(booking.id)/edit").query(time.choices(with: doctor)),
          style: [.secondary, .small]) : nil
      return context.notice(
        .remark, Text("booking.already", ["time": shown]), as: .warning, action: change)
    }
    return "\(notices)"
  }
}
