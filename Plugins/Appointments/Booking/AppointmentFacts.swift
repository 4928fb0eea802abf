import PolyclinicCore

/// The facts of an appointment with a doctor as HTML, for the pages of patients and of staff.
struct AppointmentFacts {
  let booking: Booking
  let placement: DoctorPlacement
  let context: Context

  var when: HTML {
    """
    \(BookingText.unbrokenSpan(booking.span, in: booking.zone, context))\
    \(BookingText.zoneNote(booking.zone, at: booking.span.lowerBound, context))
    """
  }

  /// The status as a badge.
  var status: HTML { Self.badge(booking, context) }

  var doctor: HTML {
    get throws { link(named: try placement.doctor.name.shown(context)) }
  }

  /// Returns the link to the doctor's page.
  func link(named name: String) -> HTML {
    "<a href=\"\(DoctorPage.path(placement.doctor.id))\"><bdi>\(name)</bdi></a>"
  }

  var specialization: HTML {
    "\(context.text(placement.department.specialization.title))"
  }

  var clinic: HTML {
    let clinic = placement.clinic
    return """
      <a href="\(ClinicPage.path(clinic.id))"><bdi>\(BookingText.name(of: clinic, context))</bdi></a> \
      <span class="secondary-text">\(clinic.addressLine(context))</span>
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

/// The details of an appointment before it is booked: with whom, when, where and for how much, and
/// after it is booked what to know.
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

  /// Returns the summary for a patient, with the price and until when to cancel. It stands first, and
  /// beside the form where there is room.
  func content(changing changes: Changes) throws -> HTML {
    """
    <div class="aside">\(try facts(
      changing: changes,
      HTML.Fact(
        "doctor.fee", text: try placement.doctor.name.profile(by: context.portal.keys).fee),
      HTML.Fact("clinic.phone", placement.clinic.phoneLink)))\
    \(BookingText.zoneNote(placement.clinic.zone, at: time.span.lowerBound, context))\
    <p class="hint">\(context.text(try rule))</p></div>
    """
  }

  /// Returns what to bring and when to come, and further sentences, such as those about reminders.
  static func advice(_ further: [Text], _ context: Context) -> HTML {
    """
    <section class="panel"><h2>\(context.text("booking.know"))</h2><ul class="plain">\
    <li>\(context.text("booking.bring"))</li><li>\(context.text("booking.early"))</li>\
    \(each: further, { "<li>\(context.text($0))</li>" })</ul></section>
    """
  }

  /// Returns the time in large letters, the doctor and the place on one strip, with further facts.
  func facts(changing changes: Changes, _ further: HTML.Fact?...) throws -> HTML {
    let clinic = placement.clinic
    let doctor = try placement.doctor.name.shown(context)
    let avatar = HTML.avatar(of: doctor, photo: placement.doctor.name.photo)
    let what = "\(context.text(placement.department.specialization.title))"
    let facts = context.facts(
      [
        HTML.Fact(
          "appointment.when",
          """
          <strong>\(BookingText.unbrokenSpan(time.span, in: time.zone, context))</strong> \
          \(change(changes == .both ? "booking.change.time" : "booking.change.other", times))
          """
        ),
        HTML.Fact(
          "booking.doctor",
          """
          <span class="with-initial">\(avatar)<span><bdi>\(doctor)</bdi> \
          <span class="secondary-text">\(what) · \(length)</span> \
          \(placement.childrenBadge(context)) \
          \(changes == .both ? change("booking.change.doctor", doctors) : nil)</span></span>
          """
        ),
        HTML.Fact("field.patient", text: try context.nameInCare ?? ""),
        HTML.Fact(
          "booking.where",
          """
          <bdi>\(BookingText.name(of: clinic, context))</bdi> \
          <span class="secondary-text">\(clinic.addressLine(context))</span>
          """
        ),
      ] + further)
    return "<div class=\"strip\">\(facts)</div>"
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
  private var times: Path {
    var choices = Fields([
      "doctor": placement.doctor.id.description, "date": time.local.date.description,
    ])
    let patient = context.choices["patient_id"]
    if !patient.isEmpty { choices.append("patient_id", patient) }
    return context.request.path.query(choices)
  }

  private var doctors: Path { NewAppointment.doctors(of: placement.department.specialization) }
}
