/// The useful contacts of all countries: the shipped ones, and those that the configuration puts in
/// their place.
public struct UsefulContacts: Sendable {
  /// The code of the European Union, which ISO 3166-1 reserves exceptionally.
  public static let europeanUnion = "EU"

  private let byCountry: [String: [UsefulContact]]

  /// The shipped contacts, where each country of `configured` has those given instead of its own.
  public init(replacing configured: [String: [UsefulContact]] = [:]) {
    byCountry = Self.shipped.merging(configured) { $1 }
  }

  /// The codes of all countries that have contacts of their own, `EU` among them, in order.
  public var countries: [String] { byCountry.keys.sorted() }

  /// The code under which a country finds its contacts: its own, or `EU` for a member state without any;
  /// nil where only the World Health Organization is left.
  public func key(of country: String) -> String? {
    if byCountry[country] != nil { return country }
    return Self.memberStates.contains(country) ? Self.europeanUnion : nil
  }

  /// The contacts of a country by its ISO 3166-1 alpha-2 code: its own, else those of the European Union
  /// for a member state, else the World Health Organization's site.
  public subscript(country: String) -> [UsefulContact] {
    key(of: country).flatMap { byCountry[$0] } ?? [Self.worldHealthOrganization]
  }

  /// The European Union's 27 member states.
  private static let memberStates: Set = [
    "AT", "BE", "BG", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "GR", "HR", "HU", "IE", "IT",
    "LT", "LU", "LV", "MT", "NL", "PL", "PT", "RO", "SE", "SI", "SK",
  ]
}
