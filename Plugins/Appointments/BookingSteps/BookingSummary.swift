import PolyclinicCore

/// The details of an appointment before it is booked: what, with whom, where, how long, and what to know.
struct BookingSummary {
  let placement: DoctorPlacement
  let time: BookableTime
  let context: Context

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
    \(try facts(changing: changes))\(BookingText.zoneNote(
      placement.clinic.zone, at: time.span.lowerBound, context))\
    <section class="panel"><h2>\(context.text("booking.know"))</h2><ul class="plain">\
    <li>\(context.text("booking.bring"))</li><li>\(context.text("booking.early"))</li>\
    <li>\(context.text(try rule))</li></ul></section>
    """
  }

  /// Returns the summary without advice, for staff.
  func facts(changing changes: Changes?) throws -> HTML {
    let clinic = placement.clinic
    let doctor = try placement.doctor.name.shown(context)
    let what = "\(context.text(placement.department.specialization.title))"
    return context.facts([
      HTML.Fact("booking.what", "\(what) · \(length)"),
      HTML.Fact(
        "appointment.when",
        "\(BookingText.span(time.span, in: time.zone, context)) \(changes.map { _ in change("booking.change.time", timesPath) })"
      ),
      HTML.Fact(
        "booking.doctor",
        "<bdi>\(doctor)</bdi> \(changes == .both ? change("booking.change.doctor", doctorsPath) : nil)"
      ),
      HTML.Fact(
        "booking.where",
        "<bdi>\(BookingText.name(of: clinic, context))</bdi>, <bdi>\(clinic.address.line(in: context.language))</bdi>"
      ),
    ])
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
      return Text(isLate ? "booking.rule.late" : "booking.rule", count: hours)
    }
  }

  private func change(_ label: Text, _ path: Path) -> HTML {
    "<a class=\"change\" href=\"\(path)\">\(context.text(label))</a>"
  }

  private var timesPath: Path {
    context.request.path.query([
      "doctor": placement.doctor.id.description, "date": time.local.date.description,
    ])
  }

  private var doctorsPath: Path {
    Path("/appointments/new").query([
      "specialization": placement.department.specialization.rawValue
    ])
  }
}

extension BookableTime {
  /// Returns the path of the last page of a booking of this time.
  func confirmation(with doctor: ID<Doctor>) -> Path {
    var choices: Fields = Fields([
      "doctor": doctor.description, "date": local.date.description,
      "time": String(local.description.suffix(5)),
    ])
    if let offset { choices.append("offset", offset) }
    return Path("/appointments/new").query(choices)
  }
}
