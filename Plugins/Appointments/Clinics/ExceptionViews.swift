import PolyclinicCore

/// Days on which hours differ, as HTML.
enum ExceptionViews {
  static func list(
    _ runs: [ExceptionRun], empty: Text, _ zone: Zone, _ context: Context
  ) -> HTML {
    if runs.isEmpty { return "<p class=\"muted\">\(context.text(empty))</p>" }
    return "<ul class=\"rows\">\(each: runs, { row($0, context) })</ul>"
  }

  /// “4 May 2026 – 8 May 2026”.
  static func days(of run: ExceptionRun, _ context: Context) -> String {
    let first = context.formats.date(run.days.lowerBound)
    if run.days.lowerBound == run.days.upperBound { return first }
    return "\(first) – \(context.formats.date(run.days.upperBound))"
  }

  /// “all day”, or the hours.
  static func time(of run: ExceptionRun, _ context: Context) -> HTML {
    run.isWholeDay
      ? "\(context.text("admin.exception.all-day"))"
      : "<bdi>\(DayMinutes.text([run.minutes], context))</bdi>"
  }

  private static func row(_ run: ExceptionRun, _ context: Context) -> HTML {
    let days = days(of: run, context)
    return """
      <li><a href="/appointments/admin/exceptions/\(run.id)"><span><strong>\(days)</strong>\
      <span class="secondary-text">\(context.text(Text("exception.\(run.kind.rawValue)"))), \
      \(time(of: run, context))</span></span></a></li>
      """
  }
}
