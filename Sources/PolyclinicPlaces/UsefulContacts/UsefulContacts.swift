import PolyclinicCore

/// The useful contacts of all countries: the shipped ones, or those of the configuration in their
/// place.
public struct UsefulContacts: Sendable {
  /// The code of the European Union, which ISO 3166-1 reserves exceptionally.
  public static let europeanUnion = "EU"

  private let byCountry: [String: [UsefulContact]]

  /// Creates the shipped contacts, and replaces those of each country in `configured`.
  public init(replacing configured: [String: [UsefulContact]] = [:]) {
    byCountry = Self.shipped.merging(configured) { $1 }
  }

  /// The codes of all countries that have contacts of their own, including `EU`, in order.
  public var countries: [String] { byCountry.keys.sorted() }

  /// Returns the code whose contacts a country uses: its own, or `EU` for a member state without
  /// any. Nil means that only the World Health Organization is left.
  public func key(of country: String) -> String? {
    if byCountry[country] != nil { return country }
    return Self.memberStates.contains(country) ? Self.europeanUnion : nil
  }

  /// The contacts of a country, by its ISO 3166-1 alpha-2 code. The first that exists of:
  /// 1. the country's own,
  /// 2. those of the European Union for a member state,
  /// 3. the World Health Organization's website.
  public subscript(country: String) -> [UsefulContact] {
    key(of: country).flatMap { byCountry[$0] } ?? [Self.worldHealthOrganization]
  }

  /// The European Union's 27 member states.
  private static let memberStates: Set = [
    "AT", "BE", "BG", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "GR", "HR", "HU", "IE", "IT",
    "LT", "LU", "LV", "MT", "NL", "PL", "PT", "RO", "SE", "SI", "SK",
  ]
}

extension Portal {
  /// The telephone numbers and websites of health services, by country.
  public var usefulContacts: UsefulContacts { find(UsefulContacts.self) ?? UsefulContacts() }
}
