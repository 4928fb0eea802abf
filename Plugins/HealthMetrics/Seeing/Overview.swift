import PolyclinicCore

/// The module's first page and what of it stands on the dashboard.
extension HealthMetricsModule {
  static var seeingWords: Catalog {
    Catalog(
      en: [PackageResources.seeing_en_json, PackageResources.report_en_json],
      ru: [PackageResources.seeing_ru_json, PackageResources.report_ru_json],
      he: [PackageResources.seeing_he_json, PackageResources.report_he_json])
  }

  /// Both kinds as they were of late, and the ways to all that there is.
  func overview(_ context: Context) throws -> Response {
    let keys = try context.keys
    let span = DaySpan(.quarter, until: context.today)
    let (weights, pressures) = try context.database.read { connection in
      let preferences = try Preferences.find(by: keys, on: connection)
      let zone = context.formats.timeZone
      return (
        WeightChart(
          entries: try span.entries(of: Weight.index, in: zone, by: keys, on: connection),
          span: span, unit: preferences.unit,
          person: try Physique(by: keys, context.portal, on: connection), context: context),
        PressureChart(
          entries: try span.entries(of: BloodPressure.index, in: zone, by: keys, on: connection),
          span: span, scheme: preferences.scheme, context: context)
      )
    }
    let content: HTML = """
      <section class="panel">\(head("pressure.title", "/health-metrics/blood-pressure", context))\
      \(try bloodPressureCard(context) ?? nothing("pressure.empty", context))\
      \(pressures.html)\
      <p class="actions"><a class="button" href="/health-metrics/blood-pressure/new">\
      \(context.text("pressure.new"))</a> <a class="button secondary" \
      href="/health-metrics/blood-pressure/chart">\(context.text("tabs.chart"))</a></p></section>\
      <section class="panel">\(head("weights.title", "/health-metrics/weights", context))\
      \(try weightCard(context) ?? nothing("weights.empty", context))\
      \(weights.html)\
      <p class="actions"><a class="button" href="/health-metrics/weights/new">\
      \(context.text("weight.new"))</a> <a class="button secondary" \
      href="/health-metrics/weights/chart">\(context.text("tabs.chart"))</a></p></section>\
      <ul class="rows">\(way("/health-metrics/report", .document, "report.title", "report.about", context))\
      \(way("/health-metrics/home-week", .calendar, "week.title", "week.about", context))\
      \(way("/health-metrics/guide", .heart, "guide.title", "guide.about", context))\
      \(way("/health-metrics/preferences", .gear, "preferences.title", "preferences.about", context))\
      </ul>
      """
    return .page(Page("metrics.title", content))
  }

  private func head(_ title: Text, _ path: Path, _ context: Context) -> HTML {
    "<h2><a href=\"\(path)\">\(context.text(title))</a></h2>"
  }

  private func nothing(_ text: Text, _ context: Context) -> HTML {
    "<p class=\"muted\">\(context.text(text))</p>"
  }

  private func way(
    _ path: Path, _ icon: Icon, _ title: Text, _ about: Text, _ context: Context
  ) -> HTML {
    """
    <li><a href="\(path)"><span class="with-initial"><span class="initial">\(context.icon(icon))\
    </span><span><strong>\(context.text(title))</strong>\
    <span class="secondary-text">\(context.text(about))</span></span></span></a></li>
    """
  }

  /// The latest weight and how it has changed in a month; nil when there is none.
  func weightCard(_ context: Context) throws -> HTML? {
    let keys = try context.keys
    return try context.database.read { connection in
      guard let change = try WeightChange(by: keys, on: connection) else { return nil }
      let unit = try Preferences.find(by: keys, on: connection).unit
      return """
        <p class="figure">\(MetricsViews.weight(change.latest, in: unit, context))</p>\
        <p class="secondary-text">\(context.formats.dateTime(change.latest.time.local))\
        \(change.html(in: unit, context))</p>\
        <a class="more" href="/health-metrics/weights">\(context.text("card.weight.all"))</a>
        """
    }
  }

  /// The latest reading with its class; nil when there is none.
  func bloodPressureCard(_ context: Context) throws -> HTML? {
    let keys = try context.keys
    return try context.database.read { connection in
      var latest: BloodPressure.Entry?
      try BloodPressure.index.prefix(by: keys, on: connection) { entry in
        latest = entry
        return false
      }
      guard let latest else { return nil }
      let scheme = try Preferences.find(by: keys, on: connection).scheme
      return """
        <p class="figure">\(PressureViews.reading(latest.pressure, context))</p>\
        <p>\(PressureViews.badge(latest.pressure, scheme, context))</p>\
        <p class="secondary-text">\(context.formats.dateTime(latest.time.local))\
        \(PressureViews.besides(latest, context))</p>\
        <a class="more" href="/health-metrics/blood-pressure/\(latest.id)">\
        \(context.text("card.pressure.all"))</a>
        """
    }
  }
}

/// The latest weight, and that of about a month before it.
struct WeightChange: Sendable {
  let latest: Weight.Entry
  private(set) var before: Weight.Entry?

  /// How far apart they are to be, at least and at most.
  private static let (month, longest) = (Seconds.days(30), Seconds.days(60))

  /// Nil when there is no weight. Without one of a month before, the oldest of the month is taken.
  init?(by keys: Keys, on connection: Connection) throws {
    var (latest, before): (Weight.Entry?, Weight.Entry?)
    try Weight.index.prefix(by: keys, on: connection) { entry in
      guard let newest = latest else {
        latest = entry
        return true
      }
      let age = newest.time.instant - entry.time.instant
      if age > Self.longest { return false }
      before = entry
      return age < Self.month
    }
    guard let latest else { return nil }
    self.latest = latest
    self.before = before
  }

  /// “, +1.2 kg in 30 days”.
  func html(in unit: Weight.Unit, _ context: Context) -> HTML? {
    guard let before else { return nil }
    let days = latest.time.day.daysSince1970 - before.time.day.daysSince1970
    guard days > 0 else { return nil }
    let change = latest.value(in: unit) - before.value(in: unit)
    let number = context.formats.change(change, fractionDigits: 1)
    let amount = context.text(Text("amount.\(unit.rawValue)"), ["value": number])
    let text = Text("card.weight.change", ["change": amount], count: days)
    return " · \(context.text(text))"
  }
}
