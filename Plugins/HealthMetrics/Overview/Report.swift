import PolyclinicCharts
import PolyclinicCore

/// A printable page for the doctor, with the charts, averages and readings of a range.
struct Report: RoutedPage {
  static let address: Address<Void> = "/health-metrics/report"

  private let pressures: PressureChart
  private let weights: WeightChart
  private let name: String
  private let birthDate: CalendarDate?
  /// The week at home that the person has begun; nil if there is none.
  private let week: HomeWeek?
  private let choice: RangeChoice
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    let span = DaySpan(context.request.query, today: context.today, usual: .month)
    let people = context.portal.people
    pressures = try PressureChart(of: span, context)
    weights = try WeightChart(of: span, context)
    name = try people.name(in: context) ?? ""
    birthDate = try people.birthDate(in: context)
    week = try HomeWeek.find(pressures.preferences, in: context.formats.timeZone, in: context)
    choice = RangeChoice(span: span, path: Self.path, context: context)
  }

  var page: Page {
    Page(
      "report.title",
      """
      <div class="unprinted">\(context.printAction("report.print"))\
      <p class="hint">\(context.text("report.hint"))</p>\(choice.folded)</div>\(sheet)
      """,
      back: Overview.path, assets: [Chart.style, .report, .print], width: .wide,
      hasOwnHeading: true)
  }

  var status: Int { choice.status }

  /// The most readings and weights that are listed one by one in a range of more than a month.
  /// Beyond that, the page lists averages of days, weeks or months, so that it fits on one sheet.
  private static let (mostReadings, mostWeights) = (40, 28)
  /// The most of them in a month or less, which a file of a device may contain.
  private static let mostOfMonth = 400

  /// Returns true if so many measurements are listed one by one.
  private func listsAll(_ count: Int, most: Int) -> Bool {
    let span = pressures.span
    let isMonth = span.from.map { span.to.daysSince1970 - $0.daysSince1970 <= 31 } ?? false
    return count <= (isMonth ? Self.mostOfMonth : most)
  }

  private var sheet: HTML {
    """
    <article class="sheet\(attribute: " roomy", if: isRoomy)"><header><div><p class="kicker">\(context.text("report.kicker"))</p>\
    <h1>\(context.text(title))</h1></div><dl>\(each: facts, { label, value in
      "<div><dt>\(context.text(label))</dt><dd><bdi>\(value)</bdi></dd></div>"
    })</dl></header>\(weekAtHome)\(highest)\(bloodPressure)\(weight)\(nothing)<footer>\
    <p>\(context.text("report.entered")) \(context.text("pressure.no-diagnosis"))</p></footer></article>
    """
  }

  /// True if so few lines follow the charts that these can be higher on the one sheet of paper.
  private var isRoomy: Bool {
    // The week at home has lines of its own.
    if week != nil { return false }
    let counts = [
      (pressures.entries.count, Self.mostReadings), (weights.entries.count, Self.mostWeights),
    ].filter { $0.0 > 0 }
    let lines = counts.reduce(0) { $0 + (listsAll($1.0, most: $1.1) ? $1.0 : $1.1) }
    return lines <= (counts.count > 1 ? 40 : 80)
  }

  /// The title of the sheet, which names only what has been measured.
  private var title: Text {
    if weights.entries.isEmpty, !pressures.entries.isEmpty { return "pressure.title" }
    if pressures.entries.isEmpty, !weights.entries.isEmpty { return "weights.title" }
    return "report.title"
  }

  private var facts: [(Text, String)] {
    let today = context.today
    var facts: [(Text, String)] = [("report.name", name)]
    if let birthDate {
      let age = Physique(height: nil, birthDate: birthDate).age(on: today) ?? 0
      let years = context.text("report.age", count: age)
      facts.append(("report.born", "\(context.formats.date(birthDate)) (\(years))"))
    }
    let earliest = [pressures.entries.first?.time, weights.entries.first?.time].compactMap(\.self)
    facts.append(("report.range", pressures.span.title(earliest.min(), context)))
    facts.append(("report.made", context.formats.date(today)))
    return facts
  }

  /// The average of the week at home, which the doctor asks for.
  private var weekAtHome: HTML? {
    guard let average = week?.average, average.count > 0 else { return nil }
    let mean = average.mean
    let text = Text(
      "report.week", ["mean": mean.words], count: average.count)
    let kind =
      average.count >= HomeWeek.fewest
      ? PressureViews.badge(mean, pressures.scheme.atHome, context) : nil
    return "<p class=\"week\">\(context.text(text)) \(kind)</p>"
  }

  /// The highest reading with its mark, and the number of those from the limit of hypertension on;
  /// nil without a reading.
  private var highest: HTML? {
    let scheme = pressures.scheme
    let highest = pressures.entries.max { one, other in
      let (one, other) = (one.pressure, other.pressure)
      if scheme.isSevere(one) != scheme.isSevere(other) { return scheme.isSevere(other) }
      return (one.systolic, one.diastolic) < (other.systolic, other.diastolic)
    }
    guard let highest else { return nil }
    let words = Text(
      "report.highest",
      [
        "reading": highest.pressure.words, "day": context.formats.shortDate(highest.time.day),
        "time": context.formats.time(highest.time.local),
      ])
    guard let limit = scheme.hypertension else {
      return "<p class=\"week\">\(context.text(words))</p>"
    }
    let above = Text(
      "report.above", ["limit": limit.words],
      count: pressures.entries.count { scheme.isHigh($0.pressure) })
    return """
      <p class="week">\(context.text(words)) \(PressureViews.mark(highest.pressure, scheme, context)) \
      <span>· \(context.text(above))</span></p>
      """
  }

  private var nothing: HTML? {
    pressures.entries.isEmpty && weights.entries.isEmpty
      ? "<p>\(context.text("range.nothing"))</p>" : nil
  }

  private var bloodPressure: HTML? {
    guard let chart = pressures.paperHTML else { return nil }
    return """
      <section><h2>\(context.text("pressure.title")) <small>\(context.text("unit.mmhg"))</small></h2>\
      <div class="sides">\(pressures.averages)\(chart)</div>\(readings)\
      <p class="hint">\(context.text(pressures.scheme.source))</p></section>
      """
  }

  private var readings: HTML {
    let lines: [HTML]
    let listsAll = listsAll(pressures.entries.count, most: Self.mostReadings)
    // A long list names arm and pulse once, so that a month of two readings a day fits on the
    // sheet.
    let isLong = pressures.entries.count > Self.mostReadings
    if listsAll {
      lines = pressures.entries.map { entry in
        let pulse = entry.pulse.map {
          isLong ? String($0) : context.text("pressure.pulse", ["pulse": String($0)])
        }
        let arm = commonArm == nil ? words(of: entry.arm) : nil
        return line(
          moment(entry.time), value(of: entry.pressure),
          [pulse, arm].compactMap(\.self).joined(separator: ", "),
          mark: pressures.scheme.isSevere(entry.pressure) ? context.text("class.very-high") : nil,
          note: entry.note)
      }
    } else {
      let periods = Period.all(
        of: pressures.entries, PressureStatistic(), atMost: Self.mostReadings)
      lines = periods.map { period in
        let mean = period.average.mean
        return line(
          period.label(context.formats), value(of: mean),
          period.average.pulse.count == 0
            ? ""
            : context.text(
              "pressure.pulse", ["pulse": String(Int(period.average.pulse.mean.rounded()))]))
      }
    }
    let high = PressureViews.highMark(pressures.scheme).map(context.text)
    if !listsAll { return ledger("report.means", lines, about: [high].compactMap(\.self)) }
    let hasPulse = isLong && pressures.entries.contains { $0.pulse != nil }
    let about = [words(of: commonArm), hasPulse ? context.text("report.pulse-last") : nil, high]
    return ledger("report.readings", lines, about: about.compactMap(\.self), isLong: isLong)
  }

  private var weight: HTML? {
    guard let chart = weights.paperHTML, let last = weights.entries.last
    else { return nil }
    let bmi = weights.person.bmi(of: last.kilograms).map {
      context.formats.number($0.value, fractionDigits: 1)
    }
    let unit = weights.unit
    var facts: [(Text, HTML)] = [
      ("report.latest", last.html(in: unit, context)),
      (
        "averages.mean",
        unit.html(weights.whole.value.mean, digits: 1, context)
      ),
    ]
    if let bmi { facts.append(("bmi.title", "\(bmi)")) }
    if let height = weights.person.height {
      let number = context.formats.number(height, atMost: 2)
      facts.append(("field.height", "\(context.text("amount.cm", ["value": number]))"))
    }
    return """
      <section><h2>\(context.text("weights.title"))</h2><div class="sides"><dl>\(each: facts, {
        "<div><dt>\(context.text($0))</dt><dd>\($1)</dd></div>"
      })</dl>\(chart)</div>\(weighings)</section>
      """
  }

  private var weighings: HTML {
    let unit = weights.unit
    if listsAll(weights.entries.count, most: Self.mostWeights) {
      return ledger(
        "report.weights",
        weights.entries.map { entry in
          line(
            moment(entry.time),
            strong(context.formats.number(entry.value(in: unit), fractionDigits: 1)),
            note: entry.note)
        }, isLong: pressures.entries.count > Self.mostReadings)
    }
    let periods = Period.all(
      of: weights.entries, WeightStatistic(unit: unit), atMost: Self.mostWeights)
    return ledger(
      "report.means",
      periods.map { period in
        line(
          period.label(context.formats),
          strong(context.formats.number(period.average.value.mean, fractionDigits: 1)))
      })
  }

  private func moment(_ time: ZonedTime) -> String {
    "\(context.formats.shortMonthDay(time.day)), \(context.formats.time(time.local))"
  }

  /// The arm of all readings; nil if they differ or lack it.
  private var commonArm: BloodPressure.Arm? {
    let arms = Set(pressures.entries.map(\.arm))
    return arms.count == 1 ? arms.first ?? nil : nil
  }

  private func words(of arm: BloodPressure.Arm?) -> String? {
    arm.map { context.text(Text("arm.short.\($0.rawValue)")) }
  }

  private func ledger(
    _ title: Text, _ lines: [HTML], about: [String] = [], isLong: Bool = false
  ) -> HTML {
    let small: HTML? =
      about.isEmpty ? nil : " <small>\(about.joined(separator: ", "))</small>"
    let style: HTML = isLong ? "ledger long" : "ledger"
    return "<h3>\(context.text(title))\(small)</h3><ul class=\"\(style)\">\(lines)</ul>"
  }

  /// Returns a reading or an average; one from the limit of hypertension on is marked.
  private func value(of pressure: Pressure) -> HTML {
    let words: HTML = "<bdi dir=\"ltr\">\(pressure.words)</bdi>"
    return pressures.scheme.isHigh(pressure) ? "<strong>▲ \(words)</strong>" : words
  }

  private func strong(_ value: String) -> HTML {
    "<strong><bdi dir=\"ltr\">\(value)</bdi></strong>"
  }

  private func line(
    _ when: String, _ value: HTML, _ besides: String = "", mark: String? = nil,
    note: ArraySlice<UInt8> = []
  ) -> HTML {
    let rest: HTML? = besides.isEmpty ? nil : " <span>\(besides)</span>"
    let marked: HTML? = mark.map { " <em class=\"high\">\($0)</em>" }
    let words: HTML? = note.isEmpty ? nil : " <em><bdi>\(utf8: note)</bdi></em>"
    return "<li><span>\(when)</span> \(value)\(rest)\(marked)\(words)</li>"
  }
}

extension Page.Asset {
  /// The style of the page for the doctor, a sheet of paper.
  static let report = Page.Asset("report.css", PackageResources.report_css)
}
