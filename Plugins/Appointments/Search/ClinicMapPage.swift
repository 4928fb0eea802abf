import PolyclinicCore

/// The map of open clinics, with the search form of the list.
struct ClinicMapPage {
  let found: [FoundClinic]
  let home: StartingPoint?
  let filter: ClinicFilter
  let view: MapView?
  let form: ClinicFilterForm
  let context: Context

  /// The maximum number of marks. More would cover one another.
  private static let most = 50

  func page() throws -> Page {
    if found.isEmpty && filter.isEmpty {
      return Page("clinics.map", context.noClinics, back: "clinics")
    }
    return Page(
      "clinics.map", "\(form.html)\(found.isEmpty ? form.nothingFound : try results())",
      back: "clinics",
      actions: context.button(
        "nearest.title", to: "/appointments/clinics/nearest", style: .secondary),
      assets: Page.Asset.map, width: .wide)
  }

  private func results() throws -> HTML {
    let ordered = home == nil ? found.byName(in: context.language) : found.byDistance()
    let shown = try ordered.prefix(Self.most).withOpeningHours(context)
    let rest: HTML? =
      found.count > shown.count
      ? "<p class=\"muted\">\(context.text("map.more", count: found.count - shown.count))</p>" : nil
    let map = try ClinicMap(
      shown, from: home?.coordinates, view: view,
      path: { part in
        var fields = filter.fields
        for field in part.pairs { fields.append(field.name, field.value) }
        return Path("/appointments/clinics/map").query(fields)
      }, context)
    return """
      <div id="results">\(context.resultCount(Text("clinics.count", count: found.count)))\
      \(home?.distanceNote(context))\
      \(map.html)\(rest)</div>
      """
  }
}

extension ClinicMapPage {
  static func show(_ context: Context) throws -> Response {
    let filter = ClinicFilter(context.request.query)
    let view = MapView(context.request.query)
    let home = try HomeTown.find(context)
    let words = try ClinicSearchWords.find(filter, context)
    let departments = try Department.open(in: context)
    let found = try FoundClinic.all(
      matching: filter, from: home?.coordinates, words: words, with: departments, in: context)
    let offered = Set(departments.map(\.specialization))
    let corrections = found.isEmpty ? try filter.corrections(words, in: context) : []
    let form = ClinicFilterForm(filter, offering: offered, correcting: corrections, context)
    let map = ClinicMapPage(
      found: found, home: home, filter: filter, view: view, form: form, context: context)
    return .page(try map.page())
  }
}

extension Page.Asset {
  /// The style and the script of a map.
  static let map = [
    Page.Asset("map.css", PackageResources.map_css), Page.Asset("map.js", PackageResources.map_js),
  ]
  /// The script of the button that asks the browser for its position.
  static let position = Page.Asset("position.js", PackageResources.position_js)
}
