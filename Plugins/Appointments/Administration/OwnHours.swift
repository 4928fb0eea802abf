import PolyclinicCore

/// The page of a doctor's own weekly hours, days off and extra hours.
struct OwnHours: RoutedPage {
  static let address: Address<Void> = "/appointments/hours"
  static let access = Access.role(.doctor)
  static let linkTitle: Text? = "hours.title"

  private let context: Context
  /// The hours in the clinic's time zone; nil for a doctor whom no clinic has entered.
  private let shown:
    (
      zone: Zone, hours: WeeklyHours, specialHours: [SpecialHours], outside: BookingsOutsideHours
    )?

  init(_ context: Context) throws {
    self.context = context
    shown = try SignedInDoctor.placementIfEntered(context).map { placement in
      let (doctor, zone) = (placement.doctor.id, placement.clinic.zone)
      return (
        zone, WeeklyHours(try WorkingHours.find(of: doctor, in: context)),
        try SpecialHours.upcoming(of: .doctor(doctor), in: zone, context),
        try OwnOutsideHours.find(placement, in: context)
      )
    }
  }

  var page: Page {
    guard let shown else { return SignedInDoctor.notEntered("hours.title", context) }
    return Page(
      "hours.title",
      """
      \(shown.outside.notice(context))\(week(shown.hours, in: shown.zone))\
      <h2>\(context.text("admin.exceptions"))</h2>\
      \(shown.specialHours.list(
        OwnSpecialHoursPage.address, empty: "admin.exceptions.none", context))
      """,
      back: DoctorDay.path,
      actions: context.button("admin.exceptions.new", to: NewOwnSpecialHours.path))
  }

  /// Returns the weekly hours, which only an administrator changes.
  private func week(_ hours: WeeklyHours, in zone: Zone) -> HTML {
    if hours.isEmpty { return "<p class=\"muted\">\(context.text("admin.hours.none"))</p>" }
    let lines: HTML = "\(hours.lines(context))\(WeeklyHours.zoneNote(zone, context))"
    return """
      \(context.facts([HTML.Fact("line.hours", values: lines)]))\
      <p class="hint">\(context.text("hours.week.hint"))</p>
      """
  }
}
