import PolyclinicCore

/// The facts of an appointment with a doctor as HTML, for the pages of patients and of staff.
struct AppointmentFacts {
  let booking: Booking
  let placement: DoctorPlacement
  let context: Context

  var when: HTML {
    """
    \(BookingText.span(booking.span, in: booking.zone, context))\
    \(BookingText.zoneNote(booking.zone, at: booking.span.lowerBound, context))
    """
  }

  /// The status as a badge.
  var status: HTML { Self.badge(booking, context) }

  var doctor: HTML {
    get throws {
      let name = try placement.doctor.name.shown(context)
      return "<a href=\"/appointments/doctors/\(placement.doctor.id)\"><bdi>\(name)</bdi></a>"
    }
  }

  var specialization: HTML {
    "\(context.text(placement.department.specialization.title))"
  }

  var clinic: HTML {
    let clinic = placement.clinic
    return """
      <a href="/appointments/clinics/\(clinic.id)"><bdi>\(BookingText.name(of: clinic, context))</bdi></a>
      <bdi>\(clinic.addressLine(context))</bdi>
      """
  }

  /// Returns the purpose in the patient's words; nil if it is empty.
  static func purpose(_ purpose: String) -> HTML? {
    purpose.isEmpty ? nil : "<bdi>\(purpose)</bdi>"
  }

  /// Returns a phone number, as a link that dials it if possible; nil if it is empty.
  static func phone(_ number: String) -> HTML? {
    if number.isEmpty { return nil }
    let shown: HTML = "<bdi dir=\"ltr\">\(number)</bdi>"
    guard let link = OutsideLink.telephone(number) else { return shown }
    return "<a href=\"\(link)\">\(shown)</a>"
  }

  /// Returns a list of the facts that have a value.
  func list(_ facts: [(label: Text, value: HTML?)]) -> HTML {
    context.facts(facts.map { HTML.Fact($0.label, keepingLines: $0.value) })
  }

  /// Returns “With the doctor” as a badge, for a patient whom the doctor has called.
  static func calledBadge(_ context: Context) -> HTML {
    context.badge("reception.called", .waiting)
  }

  /// Returns the status as a badge.
  static func badge(_ booking: Booking, _ context: Context) -> HTML {
    let tone: HTML.BadgeTone =
      switch booking.status {
      case .booked: .neutral
      case .arrived: .waiting
      case .fulfilled: .good
      case .cancelled: .off
      case .noshow: .danger
      }
    return context.badge(booking.status.title, tone)
  }
}
