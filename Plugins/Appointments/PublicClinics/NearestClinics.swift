import PolyclinicCore
import PolyclinicPlaces

/// The nearest clinics to a place, on the map and as a list.
struct NearestClinics {
  let found: [FoundClinic]
  let start: StartingPoint
  let context: Context

  /// The maximum number of clinics shown. A visitor who looks for the nearest one reads no further.
  private static let most = 20

  /// Returns a button that asks the browser for its position. Without scripts it stays hidden.
  static func aid(_ context: Context) -> HTML {
    let button = context.scriptButton("nearest.position", icon: .pin)
    return """
      <section class="panel" data-position hidden><p>\(context.text("nearest.position.hint"))</p>\
      \(actions: button)<p role="status" \
      data-waiting="\(context.text("nearest.position.waiting"))" \
      data-denied="\(context.text("nearest.position.denied"))" \
      data-failed="\(context.text("nearest.position.failed"))"></p></section>
      """
  }

  var html: HTML {
    if found.isEmpty { return context.noClinics }
    let shown = Array(found.byDistance().prefix(Self.most))
    let heading =
      start.name.map { context.text("nearest.around", ["place": $0]) }
      ?? context.text("nearest.around-you")
    return """
      <h2 id="results">\(heading)</h2><p class="count" role="status">\
      \(context.text("nearest.count", count: shown.count))</p>\
      \(ClinicMap(shown, from: start.coordinates, context).html)
      """
  }
}

extension NearestClinics {
  /// Returns the nearest clinics to a place; empty if the visitor has not given a place yet.
  static func answer(_ here: LocationQuery, _ context: Context) throws -> HTML {
    guard here.position != nil || !here.city.isEmpty else { return HTML() }
    let start = try startingPoint(here, context)
    let found = try context.database.read {
      try FoundClinic.all(from: start.coordinates, on: $0)
    }
    return NearestClinics(found: found, start: start, context: context).html
  }

  private static func startingPoint(_ here: LocationQuery, _ context: Context) throws
    -> StartingPoint
  {
    if let position = here.position { return StartingPoint(coordinates: position, name: nil) }
    let gazetteer = try context.portal.gazetteer
    let country = here.country.isEmpty ? nil : here.country
    // Many towns share a name, so the page names the country if the visitor did not choose one.
    let name = { (place: Gazetteer.Place) in
      let parts = [
        place.name(in: context.language),
        country == nil ? Countries.name(place.country, in: context.language) : nil,
      ]
      return parts.compactMap(\.self).joined(separator: ", ")
    }
    if let place = gazetteer.place(here.city, in: country) {
      return StartingPoint(coordinates: place.coordinates, name: name(place))
    }
    let similar = gazetteer.suggestions(here.city, in: country, limit: 5)
    if similar.isEmpty { throw Refusal.invalid("city", "nearest.unknown") }
    let names = similar.map(name).joined(separator: "; ")
    throw Refusal.invalid("city", Text("nearest.similar", ["names": names]))
  }
}
