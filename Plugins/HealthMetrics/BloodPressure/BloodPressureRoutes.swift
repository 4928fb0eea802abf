import PolyclinicCore

extension HealthMetricsModule {
  var bloodPressureRoutes: [Route] {
    [
      .get("blood-pressure", listBloodPressure),
      .form(
        "blood-pressure/new", BloodPressure.form, title: "pressure.new", cancel: "blood-pressure",
        start: startBloodPressure, about: aboutBloodPressure, save: BloodPressure.create),
      .get("blood-pressure/chart", chartBloodPressure),
      .get("blood-pressure/export.csv", BloodPressure.export),
      .get("blood-pressure/{id}", showBloodPressure),
      .form(
        "blood-pressure/{id}/edit", BloodPressure.form, title: "pressure.edit",
        cancel: "blood-pressure/{id}", load: BloodPressure.records.load, save: BloodPressure.update),
      .delete(
        "blood-pressure/{id}/delete", BloodPressure.records, cancel: "blood-pressure/{id}",
        list: "blood-pressure"),
    ]
  }

  static var bloodPressureWords: Catalog {
    Catalog(
      en: [PackageResources.pressure_en_json, PackageResources.guide_en_json],
      ru: [PackageResources.pressure_ru_json, PackageResources.guide_ru_json],
      he: [PackageResources.pressure_he_json, PackageResources.guide_he_json])
  }

  /// Now, on the arm that was used last.
  func startBloodPressure(_ context: Context) throws -> BloodPressure {
    var reading = BloodPressure()
    reading.measuredAt = ZonedTime(context.now, in: context.formats.timeZone)
    try context.database.read { connection in
      try BloodPressure.index.prefix(by: context.keys, on: connection) { entry in
        reading.arm = entry.arm?.rawValue ?? ""
        return false
      }
    }
    return reading
  }

  /// How to measure well, on a page of its own.
  func aboutBloodPressure(_ context: Context) -> HTML? {
    """
    <p class="hint">\(context.text("guide.short")) \
    <a href="/health-metrics/guide">\(context.text("guide.title"))</a></p>
    """
  }

  func listBloodPressure(_ context: Context) throws -> Response {
    let keys = try context.keys
    return try context.database.read { connection in
      let scheme = try Preferences.find(by: keys, on: connection).scheme
      let list = MeasurementList(
        kind: .bloodPressure,
        found: try BloodPressure.index.page(context.request.query.page, by: keys, on: connection),
        notice: try BloodPressure.records.undoNotice(context, on: connection), context: context,
        besides: """
          <a class="button secondary" href="/health-metrics/guide">\(context.text("guide.title"))</a>
          """,
        source: PressureViews.source(scheme, context)
      ) { entry in
        """
        <strong>\(PressureViews.reading(entry.pressure, context))</strong> \
        \(PressureViews.badge(entry.pressure, scheme, context))\
        <span class="secondary-text">\(context.formats.dateTime(entry.time.local))\
        \(PressureViews.besides(entry, context))</span>
        """
      }
      return .page(list.page)
    }
  }

  func showBloodPressure(_ context: Context) throws -> Response {
    let reading = try BloodPressure.records.load(context)
    let scheme = try context.database.read {
      try Preferences.find(by: context.keys, on: $0).scheme
    }
    let details = BloodPressureDetails(
      id: try context.id(), reading: reading, scheme: scheme, context: context)
    return .page(details.page)
  }

  func guide(_ context: Context) -> Response {
    let steps: [Text] = [
      "guide.before", "guide.rest", "guide.sit", "guide.arm", "guide.cuff", "guide.quiet",
      "guide.twice", "guide.note",
    ]
    return .page(
      Page(
        "guide.title",
        """
        <p class="lead">\(context.text("guide.lead"))</p><section class="panel prose">\
        <ol>\(each: steps, { "<li>\(context.text($0))</li>" })</ol></section>\
        <p class="actions"><a class="button" href="/health-metrics/blood-pressure/new">\
        \(context.text("pressure.new"))</a> <a class="button secondary" href="/health-metrics/home-week">\
        \(context.text("week.title"))</a></p>\
        <p class="hint">\(context.text("guide.source", Citation.esh)) \(context.text("pressure.no-diagnosis"))</p>
        """, back: ""))
  }
}
