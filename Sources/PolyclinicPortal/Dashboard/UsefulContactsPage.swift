import PolyclinicCore
import PolyclinicPlaces

/// The useful contacts: those of the portal's country first and large, then those of the reader's
/// own country. The other countries are collapsed, because a person in need has no time to look for
/// the right one. The page needs no account, because it has the emergency numbers.
struct UsefulContactsPage: RoutedPage {
  static let address: Address<Void> = "/useful-contacts"
  static let access = Access.everyone

  /// The countries that are shown at once, the portal's first.
  private let shown: [String]
  private let context: Context

  /// Leaves out unknown countries, and a second one with the same contacts.
  init(_ context: Context) throws {
    let contacts = context.portal.usefulContacts
    var shown: [String] = []
    for country in try [context.portal.clinic.country, Self.homeCountry(context)]
    where !country.isEmpty {
      let isNew = !shown.contains {
        $0 == country
          || contacts.key(of: $0) != nil && contacts.key(of: $0) == contacts.key(of: country)
      }
      if isNew { shown.append(country) }
    }
    self.shown = shown
    self.context = context
  }

  /// Returns the country of the visitor's address; empty if it is unknown.
  private static func homeCountry(_ context: Context) throws -> String {
    guard context.visitor != nil, let addresses = context.portal.find((any HomeAddresses).self)
    else { return "" }
    return try addresses.address(in: context)?.country ?? ""
  }

  var page: Page { Page("useful-contacts.title", content) }

  private var content: HTML {
    let lead: HTML = "<p class=\"lead\">\(context.text("useful-contacts.lead"))</p>"
    guard let first = shown.first else {
      let countries = context.portal.usefulContacts.countries
        .sorted { SearchText(name(of: $0)) < SearchText(name(of: $1)) }
      return "\(lead)\(each: countries, section)"
    }
    return """
      \(lead)<h2>\(name(of: first))</h2>\(context.usefulContactsWithLargeNumbers(of: first))\
      \(each: shown.dropFirst(), section)\(context.usefulContacts(besides: shown))
      """
  }

  private func section(_ country: String) -> HTML {
    "<h2>\(name(of: country))</h2>\(context.usefulContacts(of: country))"
  }

  private func name(of country: String) -> String { context.usefulContactsName(of: country) }
}
