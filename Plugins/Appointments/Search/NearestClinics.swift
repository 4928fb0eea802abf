import PolyclinicCore
import PolyclinicPlaces

/// The nearest clinics to a place, on the map and as a list.
struct NearestClinics {
  static let address: Address<Void> = "/appointments/clinics/nearest"
  static var route: Route {
    .lookup(
      address.path, LocationQuery.form, title: "nearest.title", back: ClinicSearch.path,
      access: .everyone, submit: "nearest.submit", assets: Page.Asset.map + [.position], aid: aid,
      start: { try LocationQuery(homeOf: $0) }, instead: suggestions, answer: answer)
  }

  private let found: [FoundClinic]
  private let start: StartingPoint
  private let context: Context

  /// The maximum number of clinics shown. A visitor who looks for the nearest one reads no further.
  private static let most = 20

  /// Returns a button that asks the browser for its position. Without scripts it stays hidden.
  private static func aid(_ context: Context) -> HTML {
    let button = context.scriptButton("nearest.position", icon: .pin)
    return """
      <section class="panel" data-position hidden><p>\(context.text("nearest.position.hint"))</p>\
      \(actions: button)<p role="status" \
      data-waiting="\(context.text("nearest.position.waiting"))" \
      data-denied="\(context.text("nearest.position.denied"))" \
      data-failed="\(context.text("nearest.position.failed"))"></p></section>
      """
  }

  /// Clinics farther away than this, in kilometres, are not near.
  private static let farthest = 200.0

  private func html() throws -> HTML {
    if found.isEmpty { return context.noClinics }
    let sorted = found.byDistance()
    guard let first = sorted.first, let distance = first.distance, distance <= Self.farthest else {
      return far(sorted.first)
    }
    let near = sorted.prefix(Self.most).filter { $0.distance.map { $0 <= Self.farthest } ?? false }
    let shown = try near.withOpeningHours(context)
    return """
      <h2 id="results">\(heading("nearest.around", "nearest.around-you"))</h2>\
      \(context.resultCount(Text("nearest.count", count: shown.count)))\
      \(try ClinicMap(shown, from: start.coordinates, context).html)
      """
  }

  /// Says that no clinic is near, with the nearest one of all.
  private func far(_ nearest: FoundClinic?) -> HTML {
    let hint: HTML? = nearest.flatMap { nearest in
      nearest.distance.map { distance in
        let name = nearest.clinic.name.string(in: context.language)
        let words = ["clinic": name, "distance": context.distance(distance)]
        return "<p>\(context.text("nearest.far.hint", words))</p>"
      }
    }
    return """
      <h2 id="results">\(heading("nearest.far", "nearest.far-from-you"))</h2>\
      <div role="status">\(hint)</div>\
      \(actions: context.button("map.all", to: ClinicMapPage.path, style: .secondary))
      """
  }

  private func heading(_ place: Text, _ you: Text) -> String {
    start.name.map { context.text(place, ["place": $0]) } ?? context.text(you)
  }
}

extension NearestClinics {
  /// Returns the nearest clinics to a place; empty if the visitor has not given a place yet.
  private static func answer(_ here: LocationQuery, _ context: Context) throws -> HTML {
    guard here.position != nil || !here.city.isEmpty else { return HTML() }
    let start = try startingPoint(here, context)
    let found = try Clinic.open(in: context).map { FoundClinic($0, from: start.coordinates) }
    return try NearestClinics(found: found, start: start, context: context).html()
  }

  private static func startingPoint(
    _ here: LocationQuery, _ context: Context
  ) throws -> StartingPoint {
    if let position = here.position { return StartingPoint(coordinates: position, name: nil) }
    if let place = try context.portal.gazetteer.place(here.city, in: here.chosenCountry) {
      return StartingPoint(coordinates: place.coordinates, name: name(of: place, here, context))
    }
    throw Refusal.invalid(
      "city", try similar(to: here, context).isEmpty ? "nearest.unknown" : "nearest.similar")
  }

  /// Returns buttons with the towns that have a similar name, or else with other ways to the
  /// clinics.
  private static func suggestions(_ here: LocationQuery, _ context: Context) throws -> HTML? {
    let similar = try similar(to: here, context)
    if similar.isEmpty {
      return """
        <section class="panel"><h2>\(context.text("clinics.title"))</h2>\(actions:
          context.button("clinics.map", to: ClinicMapPage.path, style: .secondary),
          context.button("clinics.search.clear", to: ClinicSearch.path, style: .secondary))\
        </section>
        """
    }
    let buttons = similar.map { place in
      context.button(
        Text("nearest.suggestion", ["place": name(of: place, here, context)]),
        posts: address.path,
        with: ["city": place.name(in: context.language), "country": place.country],
        style: .secondary)
    }
    return """
      <section class="panel"><h2>\(context.text("nearest.suggestions"))</h2>\(actions: buttons)</section>
      """
  }

  private static func similar(
    to here: LocationQuery, _ context: Context
  ) throws -> [Gazetteer.Place] {
    try context.portal.gazetteer.suggestions(here.city, in: here.chosenCountry, limit: 5)
  }

  /// Returns the town's name, with its country if the visitor did not choose one, because many
  /// towns share a name.
  private static func name(
    of place: Gazetteer.Place, _ here: LocationQuery, _ context: Context
  ) -> String {
    let country =
      here.chosenCountry == nil ? Countries.name(place.country, in: context.language) : nil
    return [place.name(in: context.language), country].compactMap(\.self).joined(separator: ", ")
  }
}
