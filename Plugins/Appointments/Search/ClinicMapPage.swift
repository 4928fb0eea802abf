import PolyclinicCore

/// The map of open clinics, with the search form of the list.
struct ClinicMapPage: RoutedPage {
  static let address: Address<Void> = "/appointments/clinics/map"
  static let access = Access.everyone
  static let linkTitle: Text? = "clinics.map"

  private let found: ClinicFinding
  private let map: ClinicMap?
  /// The number of clinics on the map.
  private let shown: Int

  private var context: Context { found.context }

  /// The maximum number of marks. More would cover one another.
  private static let most = 50

  init(_ context: Context) throws {
    found = try ClinicFinding(context)
    let (clinics, filter) = (found.clinics, found.form.filter)
    let ordered =
      found.home == nil ? clinics.byName(in: context.language) : clinics.byDistance()
    let marked = try ordered.prefix(Self.most).withOpeningHours(context)
    shown = marked.count
    map =
      marked.isEmpty
      ? nil
      : try ClinicMap(
        marked, from: found.home?.coordinates, view: MapView(context.request.query),
        path: { part in Self.path.query(filter.fields).query(part) }, context)
  }

  var page: Page {
    let form = found.form
    if map == nil && form.filter.isEmpty {
      return Page("clinics.map", context.noClinics, back: ClinicSearch.path)
    }
    return Page(
      "clinics.map", "\(form.html)\(map.map(results) ?? form.nothingFound)",
      back: ClinicSearch.path,
      actions: context.button("nearest.title", to: NearestClinics.address.path, style: .secondary),
      assets: Page.Asset.map, width: .wide)
  }

  private func results(_ map: ClinicMap) -> HTML {
    let left = found.clinics.count - shown
    let rest: HTML? =
      left > 0 ? "<p class=\"muted\">\(context.text("map.more", count: left))</p>" : nil
    return "<div id=\"results\">\(found.form.set)\(found.count)\(map.html)\(rest)</div>"
  }
}

extension Page.Asset {
  /// The style and the script of a map.
  static let map = [mapStyle, Page.Asset("map.js", PackageResources.map_js)]
  /// The style of a map that does not move.
  static let mapStyle = Page.Asset("map.css", PackageResources.map_css)
  /// The script of the button that asks the browser for its position.
  static let position = Page.Asset("position.js", PackageResources.position_js)
}
