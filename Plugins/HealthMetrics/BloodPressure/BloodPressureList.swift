import PolyclinicCore

/// The list of readings, the newest first.
struct BloodPressureList {
  let found: Slice<BloodPressure.Entry>
  let scheme: PressureScheme
  /// That one was deleted a moment ago, and can be taken back.
  let notice: HTML?
  let context: Context

  var page: Page {
    let new: HTML = """
      <a class="button" href="/health-metrics/blood-pressure/new">\(context.text("pressure.new"))</a>
      """
    if found.isEmpty {
      let content: HTML = """
        \(notice)<section class="empty">\(context.icon(.pulse))<h2>\(context.text("pressure.empty"))</h2>\
        <p>\(context.text("pressure.empty.hint"))</p><p class="actions">\(new)\
        \(MetricsViews.importLink("/health-metrics/blood-pressure/import", context)) \
        <a class="button secondary" href="/health-metrics/guide">\(context.text("guide.title"))</a></p></section>
        """
      return Page("pressure.title", content, back: "")
    }
    let pages = context.pageLinks(found.page, of: found.pageCount) {
      "/health-metrics/blood-pressure?page=\($0)"
    }
    let content: HTML = """
      \(notice)\(MetricsViews.imported(.bloodPressure, context))\(MetricsViews.tabs(.bloodPressure, isChart: false, context))\
      <p class="count" role="status">\(context.text("pressure.count", count: found.total))</p>\
      <ul class="rows">\(each: found.entries, row)</ul>\(pages)\
      \(PressureViews.source(scheme, context))\
      \(MetricsViews.files("/health-metrics/blood-pressure", context))
      """
    return Page("pressure.title", content, back: "", actions: new)
  }

  private func row(_ entry: BloodPressure.Entry) -> HTML {
    """
    <li><a href="/health-metrics/blood-pressure/\(entry.id)"><span>\
    <strong>\(PressureViews.reading(entry.pressure, context))</strong> \
    \(PressureViews.badge(entry.pressure, scheme, context))\
    <span class="secondary-text">\(context.formats.dateTime(entry.time.local))\
    \(PressureViews.besides(entry, context))</span></span></a></li>
    """
  }
}

/// The page of one reading.
struct BloodPressureDetails {
  let id: ID<BloodPressure>
  let reading: BloodPressure
  let scheme: PressureScheme
  let context: Context

  var page: Page {
    let pressure = Pressure(systolic: reading.systolic ?? 0, diastolic: reading.diastolic ?? 0)
    let pulse: HTML? = reading.pulse.map {
      "\(context.text("pressure.pulse", ["pulse": String($0)]))"
    }
    let facts: [(Text, HTML?)] = [
      ("pressure.value", PressureViews.reading(pressure, context)),
      ("pressure.class", PressureViews.badge(pressure, scheme, context)), ("field.pulse", pulse),
      ("field.arm", reading.arm.isEmpty ? nil : "\(context.text(Text("arm.\(reading.arm)")))"),
      ("field.measured_at", reading.measuredAt.map { "\(context.formats.dateTime($0.local))" }),
      ("field.note", reading.note.isEmpty ? nil : "<bdi>\(reading.note)</bdi>"),
    ]
    return Page(
      "pressure.one",
      """
      \(PressureViews.advice(pressure, context))<dl class="details">\(each: facts, { fact($0, $1) })</dl>\
      \(PressureViews.source(scheme, context))\
      <p class="actions"><a class="button" href="/health-metrics/blood-pressure/\(id)/edit">\
      \(context.text("metrics.edit"))</a> <a class="button danger secondary" \
      href="/health-metrics/blood-pressure/\(id)/delete">\(context.text("metrics.delete"))</a></p>
      """, back: "blood-pressure")
  }

  private func fact(_ label: Text, _ value: HTML?) -> HTML {
    guard let value else { return HTML() }
    return "<div><dt>\(context.text(label))</dt><dd>\(value)</dd></div>"
  }
}
