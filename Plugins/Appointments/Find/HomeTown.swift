import PolyclinicCore

extension AppointmentsModule {
  /// What the form begins with: the visitor's own town.
  func homeTown(_ context: Context) throws -> Whereabouts {
    guard let address = try homeAddress(of: context) else { return Whereabouts() }
    return Whereabouts(country: address.country, city: address.city)
  }

  /// Where the visitor lives, as far as it is known; nil where nobody signed in.
  func home(of context: Context) throws -> StartingPoint? {
    guard let address = try homeAddress(of: context), !address.city.isEmpty else { return nil }
    let country = address.country.isEmpty ? nil : address.country
    return try context.portal.gazetteer.place(address.city, in: country).map {
      StartingPoint(coordinates: $0.coordinates, name: $0.name(in: context.language))
    }
  }

  private func homeAddress(of context: Context) throws -> PostalAddress? {
    guard context.visitor != nil else { return nil }
    let keys = try context.keys
    return try context.database.read { try context.portal.people.address(by: keys, on: $0) }
  }
}
