import PolyclinicCore
import PolyclinicPlaces

/// A place near which a visitor looks for clinics: a position measured by the device, or a town by
/// name.
struct LocationQuery: Sendable {
  var latitude: Double?
  var longitude: Double?
  /// The ISO 3166-1 alpha-2 code; empty for any country.
  var country = ""
  var city = ""

  static let form = Form(
    LocationQuery(),
    .unseen(\.latitude, "lat", in: -90...90), .unseen(\.longitude, "lon", in: -180...180),
    .text(
      \.city, "city", limit: 100, autocomplete: "address-level2", hint: "field.city.hint"
    ).helped(by: .cities { _, _ in [] }).expected,
    .choice(\.country, "country", autocomplete: "country") { context in
      Countries.sorted(in: context.language).map { Choice($0.code, .verbatim($0.name)) }
    }
  ).requiring("city") { here in
    here.city.isEmpty && here.position == nil ? "error.required" : nil
  }

  /// The country's code; nil for any country.
  var chosenCountry: String? { country.isEmpty ? nil : country }

  /// The measured position; nil if the device has not sent both coordinates.
  var position: Coordinates? {
    guard let latitude, let longitude else { return nil }
    return Coordinates(latitude: latitude, longitude: longitude)
  }
}

/// The place from which distances to clinics are measured, and its name.
struct StartingPoint: Sendable {
  let coordinates: Coordinates
  /// The name in the visitor's language; nil for a measured position.
  let name: String?

  /// Returns the hint that distances are measured from the centre of the town; nil for a measured
  /// position.
  func distanceNote(_ context: Context) -> HTML? {
    name.map {
      "<p class=\"hint\">\(context.text("clinics.distances", ["place": $0]))</p>"
    }
  }
}

extension LocationQuery {
  /// Creates a query for the visitor's home town; an empty one if it is unknown.
  init(homeOf context: Context) throws {
    guard let address = try context.homeAddress else { return }
    (country, city) = (address.country, address.city)
  }
}

extension StartingPoint {
  /// Creates the visitor's home town. Returns nil if it is unknown, or if the visitor has not signed
  /// in.
  init?(homeOf context: Context) throws {
    guard let address = try context.homeAddress, !address.city.isEmpty else { return nil }
    let country = address.country.isEmpty ? nil : address.country
    guard let place = try context.portal.gazetteer.place(address.city, in: country) else {
      return nil
    }
    self.init(coordinates: place.coordinates, name: place.name(in: context.language))
  }

  /// Creates a town, of the clinic's own country if it has one of this name; nil if it is unknown.
  init?(town: String, _ context: Context) throws {
    let country = context.portal.clinic.country
    let gazetteer = try context.portal.gazetteer
    let own = country.isEmpty ? nil : gazetteer.place(town, in: country)
    guard let place = own ?? gazetteer.place(town, in: nil) else { return nil }
    self.init(coordinates: place.coordinates, name: place.name(in: context.language))
  }
}

extension Context {
  fileprivate var homeAddress: PostalAddress? {
    get throws {
      guard visitor != nil, let addresses = portal.find((any HomeAddresses).self) else {
        return nil
      }
      return try addresses.address(in: self)
    }
  }
}
