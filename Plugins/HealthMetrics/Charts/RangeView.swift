import PolyclinicCharts
import PolyclinicCore

/// The measurements of a range of days: the chart, the averages and the table.
protocol RangeView: RoutedPage where Value == Void {
  associatedtype Average: Averaging
  static var kind: MetricsKind { get }
  /// The range of the page while no other is chosen.
  static var usual: DaySpan.Name { get }
  var entries: [Average.Entry] { get }
  var span: DaySpan { get }
  var context: Context { get }
  /// An average without values.
  var blank: Average { get }
  /// The averages of the days, weeks, months or years of the range, in the order of time.
  var periods: [Period<Average>] { get }
  /// The chart; nil if the range has no measurement.
  var chart: Chart? { get }
  /// The headings of ``cells(_:)``.
  var columns: [Text] { get }
  /// Returns the table cells of an average, after the cell for its label and count.
  func cells(_ average: Average) -> HTML
  /// Loads the measurements of these days.
  init(of span: DaySpan, _ context: Context) throws
}

extension RangeView {
  init(_ context: Context) throws {
    let query = context.request.query
    try self.init(of: DaySpan(query, today: context.today, usual: Self.usual), context)
  }

  var status: Int { choice.status }

  /// The average of all entries.
  var whole: Average {
    var whole = blank
    for entry in entries { whole.add(entry) }
    return whole
  }

  /// A table with the averages of the whole range and of the parts of the day.
  var averages: HTML {
    let parts = DayPart.averages(entries, blank)
    return table(
      "averages.title", first: "averages.part",
      rows: [(context.text("averages.whole"), whole)]
        + parts.map { (context.text(Text("part.\($0.part.rawValue)")), $0.average) })
  }

  /// A table with the averages of the periods, the newest first as in lists, folded up.
  private var periodTable: HTML {
    let rows = periods.reversed().map { ($0.label(context.formats), $0.average) }
    let table = table("periods.title", first: "periods.when", rows: rows)
    return """
      <details class="fold"><summary>\(context.text("periods.title"))</summary>\(table)</details>
      """
  }

  private func table(
    _ caption: Text, first: Text, rows: [(label: String, average: Average)]
  ) -> HTML {
    """
    <div class="scroll" tabindex="0" role="region" aria-label="\(context.text(caption))">\
    <table class="data periods"><caption>\(context.text(caption))</caption>\
    <thead><tr>\(each: [first] + columns, {
      "<th scope=\"col\">\(context.text($0))</th>"
    })</tr></thead>\
    <tbody>\(each: rows, { label, average in
      """
      <tr><th scope="row">\(label)<span class="secondary-text">\
      \(context.text(Self.kind.word("count"), count: average.count))</span></th>\(cells(average))</tr>
      """
    })</tbody></table></div>
    """
  }

  /// The chart as HTML; nil if the range has no measurement.
  var html: HTML? { html(chart) }

  /// The chart for paper, without a readout.
  var paperHTML: HTML? {
    var chart = chart
    chart?.overall = nil
    chart?.readings = []
    return html(chart)
  }

  private func html(_ chart: Chart?) -> HTML? {
    var chart = chart
    chart?.kind = Self.kind.data
    return chart?.html(Self.kind.chartID, context)
  }

  /// The choice of another range.
  var choice: RangeChoice { RangeChoice(span: span, path: Self.path, context: context) }

  /// Returns a page with the chart, its tables and `source`.
  func page<Record>(
    _ title: Text, of pages: MeasurementPages<Record>, _ chart: Chart?, source: HTML? = nil
  ) -> Page {
    let shown: HTML =
      if let chart = html(chart) {
        "\(chart)\(averages)\(periodTable)\(source)"
      } else {
        context.resultCount("range.nothing")
      }
    return Page(
      title, "\(pages.tabs(isChart: true, context))\(choice.html)\(shown)",
      back: Overview.path, assets: Chart.assets, width: .wide)
  }
}
