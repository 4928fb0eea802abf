import PolyclinicCore

/// Another appointment of the patient at the same time. The booking form points it out, but never
/// forbids it.
enum Overlap: Sendable {
  case booking(Booking)
  case personal(PersonalAppointment.Entry)

  /// Returns an appointment of the keys' owner that overlaps a span, a booking first; nil if there
  /// is none.
  ///
  /// Use it only for the patient, because the reception must not read patients' appointments
  /// elsewhere.
  static func find(
    _ span: Range<Instant>, besides id: ID<Appointment>? = nil, in work: Work
  ) throws -> Overlap? {
    let booking = try Booking.overlapping(span, of: work.keys.person, besides: id, in: work)
    if let booking { return .booking(booking) }
    return try PersonalAppointment.overlapping(span, in: work).map(Overlap.personal)
  }

  /// Returns a warning that names the appointment and its time.
  func notice(_ context: Context) throws -> HTML {
    .notice(.problem, "<p>\(try sentence(context))</p>")
  }

  /// Returns a warning for the page of an appointment that overlaps this one.
  func remark(_ context: Context) throws -> HTML {
    let text: Text =
      switch self {
      case .booking: "overlap.booking"
      case .personal: "overlap.personal"
      }
    let sentence = try sentence(context, as: text)
    return .notice(.remark, "<p>\(sentence)</p>", as: .warning)
  }

  private func sentence(_ context: Context) throws -> String {
    switch self {
    case .booking: try sentence(context, as: "booking.overlap.with")
    case .personal: try sentence(context, as: "booking.overlap.personal")
    }
  }

  private func sentence(
    _ context: Context, as text: Text
  ) throws -> String {
    switch self {
    case .booking(let booking):
      let doctor = try DoctorName.find(booking.doctor, in: context)?.shown(context)
      let time = BookingText.named(
        BookingText.span(booking.span, in: booking.zone, context), by: booking.zone,
        at: booking.span.lowerBound, besides: context.formats.timeZone)
      return context.text(text, ["doctor": doctor ?? "", "time": time])
    case .personal(let entry):
      let shown = entry.local ?? LocalDateTime(entry.startsAt, in: context.formats.timeZone)
      let time = "\(BookingText.day(shown.date, context)), \(context.formats.time(shown))"
      return context.text(
        text, ["location": entry.location, "time": time])
    }
  }
}

/// Form fields that record which overlap was pointed out. Each names one moment, in Unix seconds,
/// so that it does not apply to an alternative time.
extension Overlap {
  private static let field = "overlap"
  private static let button = "overlap-"

  /// Returns the hidden field of a form that has pointed out the overlap.
  static func acknowledgement(at time: Slot) -> HTML {
    "<input type=\"hidden\" name=\"\(field)\" value=\"\(time.span.lowerBound.seconds)\">"
  }

  /// Returns the button that books the time anyway.
  static func choice(of time: Slot, _ context: Context) -> Choice {
    let shown = BookingText.shortDateTime(time, context)
    return Choice(
      value(of: time), .text(Text("booking.overlap.book-then", ["time": shown])))
  }

  /// True if the submitted fields say that the overlap at this time was pointed out.
  static func isAcknowledged(at time: Slot, _ sent: Fields) -> Bool {
    // API clients send `yes`. They choose no alternative, so there is no other time.
    let said = [String(time.span.lowerBound.seconds), "yes"]
    return sent["instead"] == value(of: time) || said.contains(sent[field])
  }

  /// A bound in Unix seconds. No appointment is as far from 1970, and any calendar can still
  /// compute with it.
  private static let farthest: Int64 = 1 << 40

  /// Returns the moment of the chosen alternative, or of the button that books anyway; nil if there
  /// is none.
  ///
  /// A client can send any number. One beyond `farthest` is clamped to it, so that it is refused as
  /// a past day or as one too far ahead.
  static func moment(of instead: String) -> Int64? {
    let number = Int64(instead.hasPrefix(button) ? instead.dropFirst(button.count) : instead[...])
    return number.map { min(max($0, -farthest), farthest) }
  }

  private static func value(of time: Slot) -> String {
    button + String(time.span.lowerBound.seconds)
  }
}
