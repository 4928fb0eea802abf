import PolyclinicCore

/// The navigation to choose a range, above a chart or a report.
struct RangeChoice {
  let span: DaySpan
  let path: Path
  let context: Context

  /// The usual ranges, the days of the chosen one between links to those before and after, and other
  /// dates behind a heading.
  var html: HTML {
    """
    \(tabs)<nav class="days" aria-label="\(context.text("range.choose"))">\
    \(turn(.earlier, "prev"))\(days)\(turn(.later, "next"))\
    <details class="fold"\(attribute: " open", if: isTyped)>\
    <summary>\(context.text("range.other"))</summary>\(form)</details></nav>
    """
  }

  /// The first and the last day, without the present year; nil for all measurements.
  private var days: HTML? {
    guard let from = span.from, span.problems.isEmpty else { return nil }
    let isThisYear = [from, span.to].allSatisfy { $0.year == context.today.year }
    func words(_ date: CalendarDate) -> String {
      isThisYear ? context.formats.shortMonthDay(date) : context.formats.shortDate(date)
    }
    let days = context.text("range.days", ["from": words(from), "to": words(span.to)])
    return "<strong>\(days)</strong>"
  }

  private func turn(_ direction: DaySpan.Direction, _ rel: StaticString) -> HTML? {
    span.neighbour(direction, today: context.today).map { query in
      context.button(
        showing: """
          <span class="hidden-text">\(context.text(Text("range.\(direction.rawValue)")))</span>
          """,
        to: path.query(query), style: .secondary, rel: rel)
    }
  }

  /// All ranges behind a heading, for a page that begins with its content.
  var folded: HTML {
    """
    <details class="more-text"\(attribute: " open", if: isTyped)>\
    <summary>\(context.text("range.choose"))</summary>\(tabs)\(form)</details>
    """
  }

  private var form: HTML {
    """
    <form class="search range" method="get" action="\(path)">\
    <input type="hidden" name="range" value="custom">\
    <div class="filters">\(day("from", shown(span.from)))\(day("to", shown(span.to)))\
    \(context.submit("range.show", style: .secondary))</div></form>
    """
  }

  private var tabs: HTML {
    context.tabs(
      "range.label", DaySpan.Name.allCases.filter { $0 != .custom }, current: span.name,
      title: { Text("range.\($0.rawValue)") }, to: { path.query(["range": $0.rawValue]) })
  }

  /// True if the person typed the days.
  private var isTyped: Bool { span.name == .custom || !span.problems.isEmpty }

  private func shown(_ date: CalendarDate?) -> String { date?.description ?? "" }

  private func day(_ name: StaticString, _ value: String) -> HTML {
    let problem = span.problems.first { $0.field == name.description }
    let typed = isTyped ? context.request.query[name.description] : value
    let error: HTML? = problem.map {
      "<p class=\"error\" id=\"\(name)-error\">\(context.text($0.text))</p>"
    }
    let invalid: HTML? =
      problem == nil ? nil : " aria-invalid=\"true\" aria-describedby=\"\(name)-error\""
    return context.field(
      Text("range.\(name)"), id: name.description,
      """
      <input type="date" id="\(name)" name="\(name)" value="\(typed)" autocomplete="off"\
      \(invalid)>\(error)
      """)
  }

  /// The HTTP status: 422 if the typed days are not a valid range.
  var status: Int { span.problems.isEmpty ? 200 : 422 }
}
