import PolyclinicCore
import PolyclinicPlaces

/// The nearest clinics to a place, on the map and as a list.
struct NearestClinics: RoutedLookup {
  static let address: Address<Void> = "/appointments/clinics/nearest"
  static let title: Text = "nearest.title"
  static let form = LocationQuery.form
  static let submit: Text = "nearest.submit"
  static let another: Text = "nearest.another"
  static let back = ClinicSearch.path
  static let access = Access.everyone
  static let assets = Page.Asset.map + [.position]

  private let context: Context

  /// The maximum number of clinics shown. A visitor who looks for the nearest one reads no further.
  private static let most = 20
  /// Clinics farther away than this, in kilometres, are not near.
  private static let farthest = 200.0

  init(_ context: Context) { self.context = context }

  var start: LocationQuery { get throws { try LocationQuery(homeOf: context) } }

  /// A button that asks the browser for its position. Without scripts it stays hidden.
  var aid: HTML {
    let button = context.scriptButton("nearest.position", icon: .pin)
    return """
      <section data-position hidden>\(actions: button)\
      <p class="hint">\(context.text("nearest.position.hint"))</p><p role="status" \
      data-waiting="\(context.text("nearest.position.waiting"))" \
      data-denied="\(context.text("nearest.position.denied"))" \
      data-failed="\(context.text("nearest.position.failed"))"></p></section>
      """
  }

  /// Returns the nearest clinics to a place; empty if the visitor has not given a place yet.
  func answer(to here: LocationQuery) throws -> HTML {
    guard here.position != nil || !here.city.isEmpty else { return HTML() }
    let start = try startingPoint(here)
    let found = try Clinic.open(in: context).map { FoundClinic($0, from: start.coordinates) }
    if found.isEmpty { return context.noClinics }
    let sorted = found.byDistance()
    guard let first = sorted.first, let distance = first.distance, distance <= Self.farthest else {
      return far(sorted.first, from: start)
    }
    let near = sorted.prefix(Self.most).filter { $0.distance.map { $0 <= Self.farthest } ?? false }
    let shown = try near.withOpeningHours(context)
    return """
      <h2 id="results">\(heading(start, "nearest.around", "nearest.around-you"))</h2>\
      \(context.resultCount(Text("nearest.count", count: shown.count)))\
      \(try ClinicMap(shown, from: start.coordinates, context).html)
      """
  }

  /// Says that no clinic is near, with the nearest one of all.
  private func far(_ nearest: FoundClinic?, from start: StartingPoint) -> HTML {
    let hint: HTML? = nearest.flatMap { nearest in
      nearest.distance.map { distance in
        let name = nearest.clinic.name.string(in: context.language)
        let words = ["clinic": name, "distance": context.distance(distance)]
        return "<p>\(context.text("nearest.far.hint", words))</p>"
      }
    }
    return """
      <h2 id="results">\(heading(start, "nearest.far", "nearest.far-from-you"))</h2>\
      <div role="status">\(hint)</div>\
      \(actions: context.button("map.all", to: ClinicMapPage.path, style: .secondary))
      """
  }

  private func heading(_ start: StartingPoint, _ place: Text, _ you: Text) -> String {
    start.name.map { context.text(place, ["place": $0]) } ?? context.text(you)
  }
}

extension NearestClinics {
  private func startingPoint(_ here: LocationQuery) throws -> StartingPoint {
    if let position = here.position { return StartingPoint(coordinates: position, name: nil) }
    if let place = try context.portal.gazetteer.place(here.city, in: here.chosenCountry) {
      return StartingPoint(coordinates: place.coordinates, name: name(of: place, here))
    }
    throw Refusal.invalid(
      "city", try similar(to: here).isEmpty ? "nearest.unknown" : "nearest.similar")
  }

  /// Returns buttons with the towns that have a similar name, or else with other ways to the
  /// clinics.
  func suggestions(for here: LocationQuery) throws -> HTML {
    let similar = try similar(to: here)
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
        Text("nearest.suggestion", ["place": name(of: place, here)]),
        posts: Self.path,
        with: ["city": place.name(in: context.language), "country": place.country],
        style: .secondary)
    }
    return """
      <section class="panel"><h2>\(context.text("nearest.suggestions"))</h2>\(actions: buttons)</section>
      """
  }

  private func similar(to here: LocationQuery) throws -> [Gazetteer.Place] {
    try context.portal.gazetteer.suggestions(here.city, in: here.chosenCountry, limit: 5)
  }

  /// Returns the town's name, with its country if the visitor did not choose one, because many
  /// towns share a name.
  private func name(of place: Gazetteer.Place, _ here: LocationQuery) -> String {
    let country =
      here.chosenCountry == nil ? Countries.name(place.country, in: context.language) : nil
    return [place.name(in: context.language), country].compactMap(\.self).joined(separator: ", ")
  }
}
