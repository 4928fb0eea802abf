import PolyclinicCore

/// What a patient has at the same time already: pointed out when something is booked, never forbidden.
enum Overlap: Sendable {
  case booking(Booking)
  case personal(PersonalAppointment.Entry)

  /// The first that the patient whose keys these are has within a span; nil when there is none.
  ///
  /// Only for the patient: what people note of appointments elsewhere is not for a desk to read.
  static func find(
    _ span: Range<Instant>, besides id: ID<Appointment>? = nil, by keys: Keys,
    on connection: Connection
  ) throws -> Overlap? {
    let booking = try Booking.overlapping(span, of: keys.person, besides: id, on: connection)
    if let booking { return .booking(booking) }
    return try PersonalAppointment.overlapping(span, by: keys, on: connection).map(Overlap.personal)
  }

  /// What it is and when.
  func notice(_ context: Context, on connection: Connection) throws -> HTML {
    "<div class=\"notice warning\"><p>\(try sentence(context, on: connection))</p></div>"
  }

  private func sentence(_ context: Context, on connection: Connection) throws -> String {
    switch self {
    case .booking(let booking):
      let doctor = try DoctorName.find(
        booking.doctor, by: context.portal.keys, on: connection)
      let time = BookingWords.named(
        BookingWords.span(booking.span, in: booking.zone, context), by: booking.zone,
        at: booking.span.lowerBound, besides: context.formats.timeZone)
      return context.text("booking.overlap.with", ["doctor": doctor ?? "", "time": time])
    case .personal(let entry):
      let shown = entry.local ?? LocalDateTime(entry.startsAt, in: context.formats.timeZone)
      let time = "\(BookingWords.day(shown.date, context)), \(context.formats.time(shown))"
      return context.text(
        "booking.overlap.personal", ["location": entry.location, "time": time])
    }
  }
}

/// How a form tells that another appointment was pointed out: always of one moment, in Unix seconds, so that
/// it says nothing of another time that is chosen instead.
extension Overlap {
  private static let field = "overlap"
  private static let button = "overlap-"

  /// What the form carries along that has pointed it out.
  static func seen(at time: BookableTime) -> HTML {
    "<input type=\"hidden\" name=\"\(field)\" value=\"\(time.span.lowerBound.seconds)\">"
  }

  /// The button that books all the same.
  static func choice(of time: BookableTime, _ context: Context) -> Choice {
    let shown = BookingWords.shortDateTime(time, context)
    return Choice(
      value(of: time), .text(Text("booking.overlap.book-then", ["time": shown])))
  }

  /// Whether what was sent says that it was pointed out at this time.
  static func isSeen(at time: BookableTime, _ sent: Fields) -> Bool {
    // A program says yes: it chooses nothing instead, so that there is no other time.
    let said = [String(time.span.lowerBound.seconds), "yes"]
    return sent["instead"] == value(of: time) || said.contains(sent[field])
  }

  /// No appointment is as far from 1970, and any calendar can still reckon with it.
  private static let farthest: Int64 = 1 << 40

  /// The moment of what was chosen instead, all the same or not; nil where nothing was.
  ///
  /// Anybody can send any number: one that is too far off is taken for the farthest, so that the reason
  /// against it is that of a day gone by, or of one too far ahead.
  static func moment(of instead: String) -> Int64? {
    let number = Int64(instead.hasPrefix(button) ? instead.dropFirst(button.count) : instead[...])
    return number.map { min(max($0, -farthest), farthest) }
  }

  private static func value(of time: BookableTime) -> String {
    button + String(time.span.lowerBound.seconds)
  }
}
