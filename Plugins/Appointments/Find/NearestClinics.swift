import PolyclinicCore

/// Where somebody is, or wants to be: measured by the device, or a town by its name.
struct Whereabouts: Sendable {
  var latitude: Double?
  var longitude: Double?
  /// The ISO 3166-1 alpha-2 code; empty for any.
  var country = ""
  var city = ""

  static let form = Form(
    Whereabouts(),
    .unseen(\.latitude, "lat", in: -90...90), .unseen(\.longitude, "lon", in: -180...180),
    .text(
      \.city, "city", limit: 100, autocomplete: "address-level2", hint: "field.city.hint",
      comfort: .suggestions({ _ in [] }, script: "cities.js", source: "cities.txt")
    ).expected,
    .choice(\.country, "country", autocomplete: "country") { context in
      Countries.sorted(in: context.language).map { Choice($0.code, .verbatim($0.name)) }
    }
  ).requiring("city") { here in
    here.city.isEmpty && here.position == nil ? "error.required" : nil
  }

  /// What the device has measured, when it has sent both parts of it.
  var position: Coordinates? {
    guard let latitude, let longitude else { return nil }
    return Coordinates(latitude: latitude, longitude: longitude)
  }
}

/// The place that distances to clinics are measured from, and its name.
struct StartingPoint: Sendable {
  let coordinates: Coordinates
  /// In the visitor's language; nil for a measured position, which has no name.
  let name: String?
}

/// The clinics around a place, on the map and as a list.
struct NearestClinics {
  let found: [FoundClinic]
  let start: StartingPoint
  let context: Context

  /// How many are shown: who looks for the nearest does not read the twenty-first.
  private static let most = 20

  /// Asks the browser for its position, on a click: hidden where no script runs.
  static func aid(_ context: Context) -> HTML {
    """
    <section class="panel" data-position hidden><p>\(context.text("nearest.position.hint"))</p>\
    <p class="actions"><button class="button" type="button">\(context.icon(.pin))\
    \(context.text("nearest.position"))</button></p><p role="status" \
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

extension AppointmentsModule {
  /// The clinics around a place; a hint where none was named yet.
  func showNearest(_ here: Whereabouts, _ context: Context) throws -> HTML {
    guard here.position != nil || !here.city.isEmpty else { return HTML() }
    let start = try startingPoint(here, context)
    let found = try context.database.read {
      try FoundClinic.all(from: start.coordinates, on: $0)
    }
    return NearestClinics(found: found, start: start, context: context).html
  }

  private func startingPoint(_ here: Whereabouts, _ context: Context) throws -> StartingPoint {
    if let position = here.position { return StartingPoint(coordinates: position, name: nil) }
    let gazetteer = try context.portal.gazetteer
    let country = here.country.isEmpty ? nil : here.country
    // Many a name is several towns': whoever did not say the country reads which was taken.
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
