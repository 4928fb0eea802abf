import PolyclinicCore

/// The list of open clinics that match the filter.
struct ClinicSearch: RoutedPage {
  static let address: Address<Void> = "/appointments/clinics"
  static let access = Access.everyone

  private let found: ClinicFinding
  private let shown: [FoundClinic]
  private let pagination: Page.Pagination

  private var context: Context { found.context }
  private var filter: ClinicFilter { found.form.filter }

  init(_ context: Context) throws {
    found = try ClinicFinding(context)
    pagination = Page.Pagination(page: context.request.query.page, total: found.clinics.count)
    shown = try found.clinics.byName(in: context.language)[pagination.range]
      .withOpeningHours(context)
  }

  var page: Page {
    let isEmpty = shown.isEmpty && filter.isEmpty
    let content: HTML = isEmpty ? context.noClinics : "\(found.form.html)\(results)"
    return Page(
      "clinics.title", content, actions: isEmpty ? nil : ways,
      assets: isEmpty ? [] : [.search])
  }

  private var ways: HTML {
    """
    \(actions:
      context.button(
        "clinics.map", to: ClinicMapPage.path.query(filter.fields), style: .secondary, icon: .pin),
      context.button("nearest.title", to: NearestClinics.address.path, style: .secondary))
    """
  }

  private var results: HTML {
    if shown.isEmpty { return found.form.nothingFound }
    let emergency = context.emergencyNotice(for: filter.words, findingNothing: false)
    let pages = context.pageLinks(pagination) { page in
      var fields = filter.fields
      fields.append("page", String(page))
      return Self.path.query(fields)
    }
    return """
      <div id="results">\(emergency)\(found.form.set)\(found.count)\
      \(rows: shown, { $0.row(wayBack: filter.fields.wayBack(from: pagination.page), context) })\(pages)</div>
      """
  }
}

/// The clinics that the query of a page asks for, with its search form.
struct ClinicFinding {
  /// The clinics that match, in the order of entry.
  let clinics: [FoundClinic]
  /// The place from which the distances are measured; nil if there are none.
  let home: StartingPoint?
  let form: ClinicFilterForm
  let context: Context

  init(_ context: Context) throws {
    self.context = context
    let filter = ClinicFilter(context.request.query)
    home = try StartingPoint(homeOf: context)
    let words = try ClinicSearchWords.find(filter, context)
    let open = try OpenClinics(in: context)
    clinics = open.found(by: filter, words: words, from: home?.coordinates)
    let corrections =
      clinics.isEmpty
      ? words.map { words in
        filter.query.corrections(
          from: open.searchTexts(words), limit: FilterForm.mostCorrections)
      } : nil
    form = ClinicFilterForm(
      filter: filter, offered: Set(open.departments.map(\.specialization)),
      corrections: corrections ?? [], context: context)
  }

  /// The number of the clinics, and the place from which distances are measured.
  var count: HTML {
    """
    \(context.resultCount(Text("clinics.count", count: clinics.count)))\
    \(home?.distanceNote(context))
    """
  }
}

extension Context {
  /// The message that no clinic was entered yet.
  var noClinics: HTML {
    emptyState(.pin, "clinics.empty", hint: "clinics.empty.hint")
  }
}
