import PolyclinicCore

/// What the pages of an appointment with a doctor say of it, whoever reads them.
struct AppointmentFacts {
  let booking: Booking
  let practice: Practice
  let context: Context

  var when: HTML {
    """
    \(BookingWords.span(booking.span, in: booking.zone, context))\
    \(BookingWords.zoneNote(booking.zone, at: booking.span.lowerBound, context))
    """
  }

  /// Where it stands, in a word.
  var status: HTML { AppointmentDetails.badge(booking, context) }

  var doctor: HTML {
    get throws {
      let name = try practice.doctor.name.opened(by: context.portal.keys)
      return "<a href=\"/appointments/doctors/\(practice.doctor.id)\"><bdi>\(name)</bdi></a>"
    }
  }

  var specialization: HTML {
    "\(context.text(practice.department.specialization.title))"
  }

  var clinic: HTML {
    let clinic = practice.clinic
    return """
      <a href="/appointments/clinics/\(clinic.id)"><bdi>\(BookingWords.name(of: clinic, context))</bdi></a>
      <bdi>\(clinic.address.line(in: context.language))</bdi>
      """
  }

  /// What the patient says about it; nil where nothing was said.
  static func purpose(_ purpose: String) -> HTML? {
    purpose.isEmpty ? nil : "<bdi>\(purpose)</bdi>"
  }

  /// A number that can be called at a touch; nil for none.
  static func phone(_ number: String) -> HTML? {
    if number.isEmpty { return nil }
    let shown: HTML = "<bdi dir=\"ltr\">\(number)</bdi>"
    guard let link = OutsideLink.telephone(number) else { return shown }
    return "<a href=\"\(link)\">\(shown)</a>"
  }

  /// Those of the facts that are known, one below the other.
  func list(_ facts: [(label: Text, value: HTML?)]) -> HTML {
    "<dl class=\"details\">\(each: facts, fact)</dl>"
  }

  private func fact(_ fact: (label: Text, value: HTML?)) -> HTML {
    guard let value = fact.value else { return HTML() }
    return "<div><dt>\(context.text(fact.label))</dt><dd class=\"lines\">\(value)</dd></div>"
  }
}
