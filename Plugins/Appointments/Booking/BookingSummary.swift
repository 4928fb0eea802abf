import PolyclinicCore

/// The details of an appointment before it is booked: what, with whom, where, how long, and what to
/// know.
struct BookingSummary {
  private let placement: DoctorPlacement
  private let time: Slot
  private let context: Context

  init(_ requested: BookingAttempt.Requested, _ context: Context) {
    placement = requested.placement
    time = requested.slot
    self.context = context
  }

  /// The choices that the page links to change.
  enum Changes {
    /// The time only, because the doctor is fixed.
    case time
    /// The doctor and the time.
    case both
  }

  /// Returns the summary for a patient, with what to bring and until when to cancel.
  func content(changing changes: Changes) throws -> HTML {
    """
    \(try facts(changing: changes, HTML.Fact("clinic.phone", placement.clinic.phoneLink)))\
    \(BookingText.zoneNote(placement.clinic.zone, at: time.span.lowerBound, context))\
    \(Self.advice(try rule, context))
    """
  }

  /// Returns what to bring and when to come, and the rule for changes, if there is one to tell.
  static func advice(_ rule: Text?, _ context: Context) -> HTML {
    """
    <section class="panel"><h2>\(context.text("booking.know"))</h2><ul class="plain">\
    <li>\(context.text("booking.bring"))</li><li>\(context.text("booking.early"))</li>\
    \(rule.map { "<li>\(context.text($0))</li>" })</ul></section>
    """
  }

  /// Returns the summary without advice, and with further facts.
  func facts(changing changes: Changes, _ further: HTML.Fact?...) throws -> HTML {
    let clinic = placement.clinic
    let doctor = try placement.doctor.name.shown(context)
    let what = "\(context.text(placement.department.specialization.title))"
    return context.facts(
      [
        HTML.Fact("booking.what", "\(what) · \(length) \(placement.childrenBadge(context))"),
        HTML.Fact(
          "appointment.when",
          "\(BookingText.span(time.span, in: time.zone, context)) \(change("booking.change.time", timesPath))"
        ),
        HTML.Fact(
          "booking.doctor",
          "<bdi>\(doctor)</bdi> \(changes == .both ? change("booking.change.doctor", doctorsPath) : nil)"
        ),
        HTML.Fact(
          "booking.where",
          "<bdi>\(BookingText.name(of: clinic, context))</bdi>, <bdi>\(clinic.addressLine(context))</bdi>"
        ),
      ] + further)
  }

  private var length: String {
    let minutes = Int((time.span.upperBound - time.span.lowerBound).count / 60)
    return context.text("booking.minutes", count: minutes)
  }

  /// The rule for moving and cancelling.
  private var rule: Text {
    get throws {
      let hours = try context.portal.settings.integer("cancel_until_hours")
      if hours == 0 { return "booking.rule.start" }
      let isLate = context.now + .hours(hours) > time.span.lowerBound
      if !isLate { return Text("booking.rule", count: hours) }
      let hasPhone = placement.clinic.phoneLink != nil
      return Text(hasPhone ? "booking.rule.late" : "booking.rule.late.no-phone", count: hours)
    }
  }

  private func change(_ label: Text, _ path: Path) -> HTML {
    "<a class=\"change\" href=\"\(path)\">\(context.text(label))</a>"
  }

  /// The times of the doctor on this day, with the patient whom the reception has chosen.
  private var timesPath: Path {
    var choices = Fields([
      "doctor": placement.doctor.id.description, "date": time.local.date.description,
    ])
    let patient = context.choices["patient_id"]
    if !patient.isEmpty { choices.append("patient_id", patient) }
    return context.request.path.query(choices)
  }

  private var doctorsPath: Path {
    Path("/appointments/new").query([
      "specialization": placement.department.specialization.rawValue
    ])
  }
}

extension Slot {
  /// Returns the path of the last page of a booking of this time.
  func confirmation(with doctor: ID<Doctor>) -> Path {
    Path("/appointments/book").query(choices(with: doctor))
  }
}
