import PolyclinicCore

/// The page of a doctor's own weekly hours, days off and extra hours.
enum OwnHoursPage {
  static func show(_ context: Context) throws -> Response {
    guard let placement = try SignedInDoctor.placementIfEntered(context)
    else { return .page(SignedInDoctor.notEntered("hours.title", context)) }
    let doctor = placement.doctor
    let zone = placement.clinic.zone
    let hours = WeeklyHours(try WorkingHours.find(of: doctor.id, in: context))
    let specialHours = try SpecialHours.upcoming(of: .doctor(doctor.id), in: zone, context)
    let outside = try BookingsOutsideHoursPages.ofOwn(placement, context)
    return .page(
      Page(
        "hours.title",
        """
        \(BookingsOutsideHoursView.notice(of: outside, context))\(week(hours, in: zone, context))\
        <h2>\(context.text("admin.exceptions"))</h2>\
        \(SpecialHoursViews.list(specialHours, at: .own, empty: "admin.exceptions.none", context))
        """,
        back: "day",
        actions: context.button("admin.exceptions.new", to: "/appointments/hours/new")))
  }

  /// Returns the weekly hours, which only an administrator changes.
  private static func week(_ hours: WeeklyHours, in zone: Zone, _ context: Context) -> HTML {
    if hours.isEmpty { return "<p class=\"muted\">\(context.text("admin.hours.none"))</p>" }
    let lines: HTML = "\(hours.lines(context))\(WeeklyHours.zoneNote(zone, context))"
    return """
      \(context.facts([HTML.Fact("line.hours", values: lines)]))\
      <p class="hint">\(context.text("hours.week.hint"))</p>
      """
  }
}
