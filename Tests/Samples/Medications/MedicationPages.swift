import PolyclinicCharts
import PolyclinicCore

extension MedicationsModule {
  func list(_ context: Context) throws -> Response {
    let page = context.request.query.page
    let (found, notice) = (
      try Medication.records.index.page(page, in: context),
      try Medication.records.undoNotice(context)
    )
    let new = context.button("list.new", to: "/medications/new")
    if found.isEmpty {
      return .page(
        "list.title", "\(notice)\(context.emptyState(.clock, "list.empty", actions: new))")
    }
    let count = Text("list.count", count: found.pagination.total)
    let pages = context.pageLinks(found.pagination) { "/medications?page=\($0)" }
    let export = context.button("list.export", to: "/medications/export.csv", style: .secondary)
    let content: HTML = """
      \(notice)\(context.resultCount(count))\
      \(rows: found.entries, { row($0, context) })\(pages)\(actions: export)
      """
    return .page(Page("list.title", content, actions: new))
  }

  private func row(_ entry: Form<Medication>.Excerpt, _ context: Context) -> HTML {
    .row(
      to: "/medications/\(entry.id)", "<bdi>\(entry.name)</bdi>", detail: dose(entry, context))
  }

  /// Returns “2 tablets, in the morning”, or the time alone.
  private func dose(_ entry: Form<Medication>.Excerpt, _ context: Context) -> HTML {
    let time = context.text(Text("time.\(entry.time.rawValue)"))
    return entry.dose.isEmpty ? "\(time)" : "<bdi>\(entry.dose)</bdi>, \(time)"
  }

  /// Returns the page of one medication, with its doses.
  func show(_ context: Context) throws -> Response {
    let id: ID<Medication> = try context.id()
    let medication = try Medication.records.load(context)
    let doses = try Dose.rows.rows(of: id, in: context).map(\.row)
    let content: HTML = """
      <div class="title"><h1><bdi>\(medication.name)</bdi></h1>\
      \(actions: context.button("show.edit", to: "/medications/\(id)/edit"),
        context.button("list.delete", to: "/medications/\(id)/delete", style: [.plain, .danger]))\
      </div>\(context.facts([
        HTML.Fact("field.dose", text: medication.dose),
        HTML.Fact("field.until", medication.until.map { "\(context.formats.date($0))" }),
      ]))<h2>\(context.text("dose.heading"))</h2>\(Dose.chart(of: doses, context)?.html("doses", context))\
      <p>\(context.text("dose.count", count: doses.count))</p>\
      \(actions: context.button("dose.title", to: NewDose.path(id), style: .secondary))
      """
    return .page(Page("list.title", content, assets: Chart.assets, hasOwnHeading: true))
  }

  /// Returns the card with today's medication, by the time of day; nil if there is none.
  func today(_ context: Context) throws -> HTML? {
    var due: [Form<Medication>.Excerpt] = []
    try Medication.records.index.forEach(in: context) { entry in
      if entry.record.isDue(on: context.today) { due.append(entry) }
    }
    if due.isEmpty { return nil }
    let byTime = Medication.TimeOfDay.allCases.flatMap { time in due.filter { $0.time == time } }
    return """
      <ul>\(each: byTime, {
        "<li><bdi>\($0.name)</bdi> <span class=\"secondary-text\">\(dose($0, context))</span></li>"
      })</ul>
      """
  }
}
