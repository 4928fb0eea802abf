import PolyclinicCore

/// The map of open clinics, with the search form of the list.
struct ClinicMapPage {
  let found: [FoundClinic]
  let home: StartingPoint?
  let filter: ClinicFilter
  let context: Context

  /// The maximum number of marks. More would cover one another.
  private static let most = 50

  var page: Page {
    if found.isEmpty && filter.isEmpty {
      return Page("clinics.map", context.noClinics, back: "clinics")
    }
    let form = ClinicFilterForm(filter, context)
    return Page(
      "clinics.map", "\(form.html)\(found.isEmpty ? form.nothingFound : results)",
      back: "clinics",
      actions: context.button(
        "nearest.title", to: "/appointments/clinics/nearest", style: .secondary),
      scripts: ["search.js"])
  }

  private var results: HTML {
    let ordered = home == nil ? found.byName(in: context.language) : found.byDistance()
    let shown = Array(ordered.prefix(Self.most))
    let rest: HTML? =
      found.count > shown.count
      ? "<p class=\"muted\">\(context.text("map.more", count: found.count - shown.count))</p>" : nil
    return """
      <div id="results"><p class="count" role="status">\
      \(context.text("clinics.count", count: found.count))</p>\
      \(ClinicMap(shown, from: home?.coordinates, context).html)\(rest)</div>
      """
  }
}

extension ClinicMapPage {
  static func show(_ context: Context) throws -> Response {
    let filter = ClinicFilter(context.request.query)
    let home = try HomeTown.find(context)
    let found = try context.database.read { connection in
      try FoundClinic.all(matching: filter, from: home?.coordinates, on: connection)
    }
    return .page(ClinicMapPage(found: found, home: home, filter: filter, context: context).page)
  }
}
