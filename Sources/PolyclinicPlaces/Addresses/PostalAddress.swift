import PolyclinicCore

/// A postal address, formatted in the order of its country.
public struct PostalAddress: Sendable, Hashable {
  /// The street as written in its country, such as `ul. Lenina`.
  public var street: String
  /// The house number with letter, fraction or flat, such as `12a/3`.
  public var houseNumber: String
  /// The town or village.
  public var city: String
  /// The ISO 3166-1 alpha-2 code, in capitals.
  public var country: String

  /// Creates an address without any check.
  public init(street: String, houseNumber: String, city: String, country: String) {
    self.street = street
    self.houseNumber = houseNumber
    self.city = city
    self.country = country
  }

  /// Returns the lines in the country's order; the last is the country's name in the reader's
  /// language.
  ///
  /// Empty parts are omitted; an unknown country code is shown as it is.
  public func lines(in language: Language) -> [String] {
    let name = Countries.name(country, in: language) ?? country
    return [streetLine, city, name].filter { !$0.isEmpty }
  }

  /// The street and house number in the order of the country.
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

/// The addresses of people's homes, offered by the portal itself.
public protocol HomeAddresses: Capability {
  /// Returns the address of the person to whom the keys belong; nil if it is unknown.
  func address(in work: Work) throws -> PostalAddress?
}

/// The position of the house number relative to the street's name.
///
/// The source is the country sheets of the Universal Postal Union, "Addressing in the world".
/// Countries that are not listed write it last, as most countries do.
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
