import PolyclinicCore
import PolyclinicPlaces

/// The country that a user has chosen.
struct ChosenCountry: Resealable {
  var country = ""
  var unknown = Sealed.UnknownFields()

  static let value = PersonalValue(
    "covid_stats_choices", Form(ChosenCountry(), .text(\.country, "country", limit: 2)))

  /// The country of the pages while no other is known. Each page leads to the choice of a country.
  private static let fallback = "RU"

  /// Returns the country of the query, or else the visitor's.
  static func shown(_ context: Context) throws -> String {
    let asked = context.request.query["country"]
    return Figures.isCountry(asked) ? asked : try find(context)
  }

  /// Returns the country that was chosen by the account or in the browser, or else that of the
  /// settings, of the person's address, or of the portal, in this order; the fallback if none is
  /// known.
  static func find(_ context: Context) throws -> String {
    let chosen =
      context.visitor == nil
      ? context.keptInBrowser("country")
      : try value.find(in: context)?.country
    if let chosen, Figures.isCountry(chosen) { return chosen }
    let set = try context.portal.settings.text("country")
    if Figures.isCountry(set) { return set }
    return try [home(of: context), context.portal.clinic.country].first(where: Figures.isCountry)
      ?? fallback
  }

  /// Returns the country of the person's address; empty if it is unknown.
  private static func home(of context: Context) throws -> String {
    guard context.visitor != nil, let addresses = context.portal.find((any HomeAddresses).self)
    else { return "" }
    return try addresses.address(in: context)?.country ?? ""
  }

  @Sendable
  static func export(_ work: Work, _ copy: JSON.Writer) throws {
    guard let chosen = try value.find(in: work) else { return }
    try copy.write("country", .string(chosen.country))
  }
}

extension ChosenCountry {
  static let address: Address<Void> = "/covid-stats/country"

  /// Remembers the country that a button of the list names.
  static func choose(_ context: Context) throws -> Response {
    let code = context.request.fields["country"]
    guard Figures.isCountry(code) else { throw Refusal.notFound }
    if context.visitor == nil {
      return .redirect(to: CountryPage.path)
        .keeping(code, inBrowserOf: context.module, as: "country")
    }
    return try context.change { context in
      try value.save(ChosenCountry(country: code), in: context)
      return CountryPage.path
    }
  }
}
