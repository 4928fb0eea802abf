import PolyclinicCore

/// The navigation to choose a range, above a chart or a report.
struct RangeChoice {
  let span: DaySpan
  let path: Path
  let context: Context

  /// The usual ranges, and other dates behind a heading.
  var html: HTML {
    """
    \(tabs)<details class="more-text"\(attribute: " open", if: span.name == .custom)>\
    <summary>\(context.text("range.other"))</summary>\(form)</details>
    """
  }

  /// All ranges behind a heading, for a page that begins with its content.
  var folded: HTML {
    """
    <details class="more-text"\(attribute: " open", if: span.name == .custom)>\
    <summary>\(context.text("range.choose"))</summary>\(tabs)\(form)</details>
    """
  }

  private var form: HTML {
    """
    <form class="search days" method="get" action="\(path)">\
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

  private func shown(_ date: CalendarDate?) -> String { date?.description ?? "" }

  private func day(_ name: StaticString, _ value: String) -> HTML {
    let problem = span.problems.first { $0.field == name.description }
    let typed = span.name == .custom ? context.request.query[name.description] : value
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
