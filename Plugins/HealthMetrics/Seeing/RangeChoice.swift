import PolyclinicCore

/// The ranges to choose from, above a chart or a report.
struct RangeChoice {
  let span: DaySpan
  let path: Path
  let context: Context

  var html: HTML {
    """
    <nav class="segments many" aria-label="\(context.text("range.label"))">\
    \(each: DaySpan.Name.allCases.filter { $0 != .custom }, link)</nav>\
    <form class="search days" method="get" action="\(path)">\
    <input type="hidden" name="range" value="custom">\
    <div class="filters">\(day("from", shown(span.from)))\(day("to", shown(span.to)))\
    <button class="button secondary">\(context.text("range.show"))</button></div></form>
    """
  }

  private func link(_ name: DaySpan.Name) -> HTML {
    let isHere = name == span.name
    return """
      <a href="\(path.query(["range": name.rawValue]))"\(attribute: " aria-current=\"page\"", if: isHere)>\
      \(context.text(Text("range.\(name.rawValue)")))</a>
      """
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
    return """
      <div class="field"><label for="\(name)">\(context.text(Text("range.\(name)")))</label>\
      <input type="date" id="\(name)" name="\(name)" value="\(typed)" autocomplete="off"\
      \(invalid)>\(error)</div>
      """
  }

  /// 422 where days that were typed make no range.
  var status: Int { span.problems.isEmpty ? 200 : 422 }
}
