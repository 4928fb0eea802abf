import PolyclinicCore

/// The parts of a doctor's page about booking and about the doctor.
extension DoctorPage {
  /// The next free times by day, and a link to all others; nil if the doctor cannot be booked.
  var booking: HTML? {
    guard placement.isOpen else { return nil }
    let all = Path("/appointments/book").query(["doctor": placement.doctor.id.description])
    return """
      <section class="panel"><h2>\(context.text("find.times"))</h2>\
      \(NextTimesView(days: times, placement: placement, context: context).html)\
      \(actions: context.button("line.book.all", to: all, style: .secondary))</section>
      """
  }

  /// The languages, the doctor's own words and the weekly hours.
  var details: HTML {
    get throws {
      let profile = try placement.doctor.name.profile(by: context.portal.keys)
      let about = profile.about.string(in: context.language)
      let address = placement.clinic.addressLine(context)
      return """
        \(context.facts([
          HTML.Fact("find.about", lines: about),
          HTML.Fact("find.languages", text: profile.languageNames(in: context.language)), week,
          HTML.Fact("clinic.address", text: address),
          HTML.Fact("clinic.phone", placement.clinic.phoneLink),
        ]))\(actions: edit)
        """
    }
  }

  /// The link with which doctors edit their own page.
  private var edit: HTML? {
    guard viewerRole == .doctor else { return nil }
    return context.button(
      "doctor.profile.edit", to: "/appointments/doctors/\(placement.doctor.id)/edit",
      style: .secondary)
  }

  /// The weekly hours; nil if the doctor cannot be booked.
  private var week: HTML.Fact? {
    guard placement.isOpen else { return nil }
    let lines: HTML =
      hours.isEmpty
      ? "<dd>\(context.text("line.hours.none"))</dd>"
      : "\(hours.lines(context))\(WeeklyHours.zoneNote(placement.clinic.zone, context))"
    return HTML.Fact("line.hours", values: lines)
  }
}
