/// Where somebody lives, and how it is written on an envelope.
public struct PostalAddress: Sendable, Hashable {
  /// As it is written there, such as `ul. Lenina`.
  public var street: String
  /// With letter, fraction or flat, such as `12a/3`.
  public var houseNumber: String
  /// Or village.
  public var city: String
  /// The ISO 3166-1 alpha-2 code, in capitals.
  public var country: String

  /// Any text is taken; nothing is checked.
  public init(street: String, houseNumber: String, city: String, country: String) {
    self.street = street
    self.houseNumber = houseNumber
    self.city = city
    self.country = country
  }

  /// The lines in the order of the country, its name last and in the reader's language.
  ///
  /// Empty parts leave no trace; an unknown country stands as it was given.
  public func lines(in language: Language) -> [String] {
    let name = Countries.name(country, in: language) ?? country
    return [streetLine, city, name].filter { !$0.isEmpty }
  }

  /// Street and house number in the order of the country.
  public var streetLine: String {
    let parts: [String]
    let separator: String
    switch StreetOrder(of: country) {
    case .numberFirst: (parts, separator) = ([houseNumber, street], " ")
    case .numberLast: (parts, separator) = ([street, houseNumber], " ")
    case .numberAfterComma: (parts, separator) = ([street, houseNumber], ", ")
    }
    return parts.filter { !$0.isEmpty }.joined(separator: separator)
  }
}

/// Where the house number stands beside the street's name.
///
/// After the country sheets of the Universal Postal Union, "Addressing in the world"; countries that
/// are not listed write it last, as most do.
enum StreetOrder: Sendable {
  case numberFirst, numberLast, numberAfterComma

  init(of country: String) {
    self =
      switch country {
      case "AU", "BS", "CA", "EG", "FR", "GB", "GG", "HK", "IE", "IM", "IN", "JE", "KE", "LU", "MA",
        "MC", "MT", "MY", "NG", "NZ", "PH", "PK", "PR", "SG", "TH", "TN", "US", "VN", "ZA":
        .numberFirst
      case "AM", "AZ", "BR", "BY", "ES", "GE", "KG", "KZ", "MD", "PT", "RU", "TJ", "TM", "UA", "UZ":
        .numberAfterComma
      default: .numberLast
      }
  }
}
