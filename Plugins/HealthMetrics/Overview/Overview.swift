import PolyclinicCore

/// The module's first page and its dashboard cards.
/// The first page of the module, and the cards on the dashboard.
enum Overview {
  /// Shows the recent measurements of both kinds, with links to all pages.
  static func show(_ context: Context) throws -> Response {
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
      \(actions:
        context.button("pressure.new", to: "/health-metrics/blood-pressure/new"),
        context.button("tabs.chart", to: "/health-metrics/blood-pressure/chart", style: .secondary))</section>\
      <section class="panel">\(head("weights.title", "/health-metrics/weights", context))\
      \(try weightCard(context) ?? nothing("weights.empty", context))\
      \(weights.html)\
      \(actions:
        context.button("weight.new", to: "/health-metrics/weights/new"),
        context.button("tabs.chart", to: "/health-metrics/weights/chart", style: .secondary))</section>\
      \(rows: [
        way("/health-metrics/report", .document, "report.title", "report.about", context),
        way("/health-metrics/home-week", .calendar, "week.title", "week.about", context),
        way("/health-metrics/guide", .heart, "guide.title", "guide.about", context),
        way("/health-metrics/preferences", .gear, "preferences.title", "preferences.about", context),
      ])
      """
    return .page(Page("metrics.title", content))
  }

  private static func head(_ title: Text, _ path: Path, _ context: Context) -> HTML {
    "<h2><a href=\"\(path)\">\(context.text(title))</a></h2>"
  }

  private static func nothing(_ text: Text, _ context: Context) -> HTML {
    "<p class=\"muted\">\(context.text(text))</p>"
  }

  private static func way(
    _ path: Path, _ icon: Icon, _ title: Text, _ about: Text, _ context: Context
  ) -> HTML {
    HTML.row(
      to: path, "\(context.text(title))", detail: "\(context.text(about))",
      lead: context.icon(icon))
  }

  /// Returns a card with the latest weight and its change in a month; nil if there is no weight.
  static func weightCard(_ context: Context) throws -> HTML? {
    let keys = try context.keys
    return try context.database.read { connection in
      guard let change = try WeightChange(by: keys, on: connection) else { return nil }
      let unit = try Preferences.find(by: keys, on: connection).unit
      return """
        <p class="figure">\(MetricsViews.weight(change.latest, in: unit, context))</p>\
        <p class="secondary-text">\(context.formats.dateTime(change.latest.time.local))\
        \(change.html(in: unit, context))</p>\
        \(context.moreLink("card.weight.all", to: "/health-metrics/weights"))
        """
    }
  }

  /// Returns a card with the latest reading and its class; nil if there is no reading.
  static func bloodPressureCard(_ context: Context) throws -> HTML? {
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
        \(context.moreLink("card.pressure.all", to: "/health-metrics/blood-pressure/\(latest.id)"))
        """
    }
  }
}

/// The latest weight, and an earlier one from about a month before.
struct WeightChange: Sendable {
  let latest: Weight.Entry
  private(set) var before: Weight.Entry?

  /// The shortest and the longest interval between the two weights.
  private static let (month, longest) = (Seconds.days(30), Seconds.days(60))

  /// Finds the two weights. Returns nil if there is no weight. If none is a month older, takes the oldest
  /// of the month.
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

  /// Returns “· +1.2 kg in 30 days”.
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
