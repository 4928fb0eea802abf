import PolyclinicCore
import PolyclinicPlaces

/// The visitor's home town, near which clinics are searched.
enum HomeTown {
  /// Returns the form filled with the visitor's home town.
  static func filledForm(_ context: Context) throws -> LocationQuery {
    guard let address = try homeAddress(of: context) else { return LocationQuery() }
    return LocationQuery(country: address.country, city: address.city)
  }

  /// Returns the visitor's home town with its coordinates; nil if it is unknown or the visitor has
  /// not signed in.
  static func find(_ context: Context) throws -> StartingPoint? {
    guard let address = try homeAddress(of: context), !address.city.isEmpty else { return nil }
    let country = address.country.isEmpty ? nil : address.country
    return try context.portal.gazetteer.place(address.city, in: country).map {
      StartingPoint(coordinates: $0.coordinates, name: $0.name(in: context.language))
    }
  }

  private static func homeAddress(of context: Context) throws -> PostalAddress? {
    guard context.visitor != nil, let addresses = context.portal.find((any HomeAddresses).self)
    else { return nil }
    return try addresses.address(in: context)
  }
}
