import PolyclinicCore

/// The HTML of days with special hours.
enum SpecialHoursViews {
  static func list(
    _ list: [SpecialHours], at place: SpecialHoursPages.Place, empty: Text, _ context: Context
  ) -> HTML {
    if list.isEmpty { return "<p class=\"muted\">\(context.text(empty))</p>" }
    return "\(rows: list, { row($0, at: place, context) })"
  }

  /// Returns “4 May 2026 – 8 May 2026”, or one date for a single day.
  static func days(of specialHours: SpecialHours, _ context: Context) -> String {
    let first = context.formats.date(specialHours.days.lowerBound)
    if specialHours.days.lowerBound == specialHours.days.upperBound { return first }
    return "\(first) – \(context.formats.date(specialHours.days.upperBound))"
  }

  /// Returns “all day”, or the hours.
  static func time(of specialHours: SpecialHours, _ context: Context) -> HTML {
    specialHours.isWholeDay
      ? "\(context.text("admin.exception.all-day"))"
      : "<bdi>\(DayMinutes.text([specialHours.minutes], context))</bdi>"
  }

  private static func row(
    _ specialHours: SpecialHours, at place: SpecialHoursPages.Place, _ context: Context
  ) -> HTML {
    let days = days(of: specialHours, context)
    return .row(
      to: place.page(of: specialHours).resolved(in: context.module), "\(days)",
      detail:
        "\(context.text(Text("exception.\(specialHours.kind.rawValue)"))), \(time(of: specialHours, context))"
    )
  }
}
