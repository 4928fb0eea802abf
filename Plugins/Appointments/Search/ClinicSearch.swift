import PolyclinicCore

/// The list of open clinics that match the filter.
struct ClinicSearch {
  /// The clinics of the page.
  let shown: [FoundClinic]
  let pagination: Page.Pagination
  let filter: ClinicFilter
  let form: ClinicFilterForm
  /// The place from which the distances are measured; nil if there are none.
  let home: StartingPoint?
  let context: Context

  var page: Page {
    let isEmpty = shown.isEmpty && filter.isEmpty
    let content: HTML =
      isEmpty ? context.noClinics : "\(form.html)\(results)"
    return Page(
      "clinics.title", content, actions: isEmpty ? nil : ways,
      assets: isEmpty ? [] : [.search])
  }

  private var ways: HTML {
    """
    \(actions:
      context.button(
        "clinics.map", to: Path("/appointments/clinics/map").query(filter.fields),
        style: .secondary, icon: .pin),
      context.button("nearest.title", to: "/appointments/clinics/nearest", style: .secondary))
    """
  }

  private var results: HTML {
    if shown.isEmpty { return form.nothingFound }
    let emergency = SearchSentence.emergencyNotice(
      for: filter.words, findingNothing: false, context)
    let pages = context.pageLinks(pagination) { page in
      var fields = filter.fields
      fields.append("page", String(page))
      return Path("/appointments/clinics").query(fields)
    }
    return """
      <div id="results">\(emergency)\(context.resultCount(Text("clinics.count", count: pagination.total)))\
      \(home?.distanceNote(context))\
      \(rows: shown, { $0.row(wayBack: filter.fields.wayBack(from: pagination.page), context) })\(pages)</div>
      """
  }
}

extension Context {
  /// The message that no clinic was entered yet.
  var noClinics: HTML {
    emptyState(.pin, "clinics.empty", hint: "clinics.empty.hint")
  }
}

extension ClinicSearch {
  static func show(_ context: Context) throws -> Response {
    let filter = ClinicFilter(context.request.query)
    let home = try HomeTown.find(context)
    let words = try ClinicSearchWords.find(filter, context)
    let departments = try Department.open(in: context)
    let found = try FoundClinic.all(
      matching: filter, from: home?.coordinates, words: words, with: departments, in: context)
    let offered = Set(departments.map(\.specialization))
    let corrections = found.isEmpty ? try filter.corrections(words, in: context) : []
    let form = ClinicFilterForm(
      filter, offering: offered, correcting: corrections, context)
    let pagination = Page.Pagination(page: context.request.query.page, total: found.count)
    let shown = try found.byName(in: context.language)[pagination.range]
      .withOpeningHours(context)
    return .page(
      ClinicSearch(
        shown: shown, pagination: pagination, filter: filter, form: form, home: home,
        context: context
      ).page)
  }
}
