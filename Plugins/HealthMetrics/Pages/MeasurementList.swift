import PolyclinicCore

/// The page of a list of measurements, the newest first, or an introduction if there are none.
struct MeasurementList<Entry: CodedEntry & Measured> where Entry.Record: Measurement {
  let found: MeasurementSelection<Entry>
  /// The notice of a deletion a moment ago, with an undo button.
  let notice: HTML?
  let context: Context
  /// A further link for the empty list.
  var besides: HTML?
  /// A hint above the list.
  var hint: HTML?
  /// A note below the list.
  var source: HTML?
  /// The classes of the rows, each after a space.
  var style: StaticString = " tight"
  /// Returns the rows of the measurements of a month.
  let rows: ([Entry]) -> [HTML]

  private var kind: MetricsKind { Entry.Record.kind }
  private var pages: MeasurementPages<Entry.Record> { Entry.Record.pages }

  var page: Page {
    let new: HTML = context.button(kind.new, to: pages.new.path)
    if found.months.isEmpty {
      return Page(kind.title, "\(notice)\(empty(new))", back: Overview.path)
    }
    let content: HTML = """
      \(notice)\(kind.imported(context))\(pages.tabs(isChart: false, context))\
      \(hint)\(tools)\(context.resultCount(
        Text(kind.word("count").key, count: found.pagination.total),
        unit: kind == .weights ? nil : "unit.mmhg"))\
      \(each: Self.groups(found.entries, by: .month), group)\
      \(pageLinks)\(neighbours)\(source)
      """
    return Page(kind.title, content, back: Overview.path, actions: "\(actions: [new])")
  }

  private func path(of month: CalendarDate?) -> Path {
    let list = pages.list.path
    return month.map { list.query(["month": $0.monthInAddress]) } ?? list
  }

  private var pageLinks: HTML? {
    context.pageLinks(found.pagination) { path(of: found.month).query(["page": String($0)]) }
  }

  /// The choice of a month and the files behind a heading, so that the measurements come first.
  private var tools: HTML {
    """
    <details class="more-text"\(attribute: " open", if: found.month != nil)>\
    <summary>\(context.text("list.tools"))</summary>\
    <form class="search" method="get" action="\(pages.list.path)"><label for="month">\
    \(context.text("month.label"))</label><select id="month" name="month">\
    <option value="">\(context.text("month.latest"))</option>\(each: found.months, option)</select>\
    \(context.submit("range.show", style: .secondary))</form>\
    \(actions: pages.files(context))</details>
    """
  }

  private func option(_ month: CalendarDate) -> HTML {
    """
    <option value="\(month.monthInAddress)"\(attribute: " selected", if: month == found.month)>\
    \(context.formats.month(month))</option>
    """
  }

  /// The links to the months before and after the chosen one.
  private var neighbours: HTML? {
    let (earlier, later) = found.neighbours
    guard earlier != nil || later != nil else { return nil }
    let links = [earlier, later].compactMap(\.self).map { month in
      context.button(
        showing: "\(context.formats.month(month))", to: path(of: month), style: .secondary)
    }
    return "\(actions: links)"
  }

  /// The measurements of a month under its name.
  private func group(_ start: CalendarDate, _ entries: [Entry]) -> HTML {
    """
    <h2 class="day">\(context.formats.month(start))</h2>\(rows: rows(entries), style: style)
    """
  }

  /// Returns entries by local days or months, in their order.
  static func groups(
    _ entries: [Entry], by periodLength: PeriodLength
  ) -> [(start: CalendarDate, entries: [Entry])] {
    var groups: [(start: CalendarDate, entries: [Entry])] = []
    for entry in entries {
      let start = periodLength.start(of: entry.time.day)
      if groups.last?.start == start {
        groups[groups.count - 1].entries.append(entry)
      } else {
        groups.append((start, [entry]))
      }
    }
    return groups
  }

  private func empty(_ new: HTML) -> HTML {
    let introduction = context.emptyState(
      kind.data.icon, kind.word("empty"), hint: kind.word("empty.hint"), ghosts: .chart,
      actions: new, pages.importLink(context), besides)
    return "<div class=\"\(kind.data.style)\">\(introduction)</div>"
  }
}
