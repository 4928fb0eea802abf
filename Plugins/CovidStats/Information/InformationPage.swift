import PolyclinicCore
import PolyclinicPlaces

/// A page with symptoms, advice and useful contacts. It is the same for all visitors who choose the
/// same country.
struct InformationPage: RoutedPage {
  static let address: Address<Void> = "/covid-stats/information"
  static let access = Access.toFigures

  private let country: String
  private let context: Context

  init(_ context: Context) throws {
    country = try ChosenCountry.shown(context)
    self.context = context
  }

  /// Returns the path of the page for a country.
  static func path(of country: String) -> Path { path.query(["country": country]) }

  var page: Page {
    var page = Page("information.title", content, back: CountryPage.path)
    page.keptOffline = [Self.path(of: country)]
    return page
  }

  private var contacts: UsefulContacts { context.portal.usefulContacts }

  private var content: HTML {
    """
    \(emergency)\(each: [Advice.symptoms, .doctor, .spread], section)\
    <p>\(context.text("information.newest"))</p>\
    <h2>\(context.text("information.contacts", ["country": name]))</h2>\
    \(context.usefulContacts(of: country))\(context.usefulContacts(besides: [country]))
    """
  }

  private var name: String { CountryNames.name(country, in: context.language) }

  private var emergency: HTML {
    let advice = Advice.emergency
    let number: HTML? = contacts[country].first(where: \.isEmergency).flatMap { contact in
      contact.call.map { ": <a href=\"\($0)\"><bdi dir=\"ltr\">\(contact.phone ?? "")</bdi></a>" }
    }
    return .advice(
      heading: "\(context.text(advice.title))\(number)",
      "\(each: advice.parts, part)\(source(advice.source))", as: .danger)
  }

  private func section(_ advice: Advice) -> HTML {
    """
    <section class="panel prose"><h2>\(context.text(advice.title))</h2>\
    \(each: advice.parts, part)\(source(advice.source))</section>
    """
  }

  private func part(_ part: Advice.Part) -> HTML {
    let lead: HTML? = part.lead.map { "<p>\(context.text($0))</p>" }
    if part.items.isEmpty { return lead ?? HTML() }
    return "\(lead)<ul>\(each: part.items, { "<li>\(context.text($0))</li>" })</ul>"
  }

  private func source(_ source: Advice.Source) -> HTML? {
    source.page.map { page in
      """
      <p class="secondary-text">\(context.text("information.source")) \
      <a href="\(page.page)" hreflang="en" rel="noreferrer">\(context.text(source.name))</a>. \
      \(context.text("information.source.read", ["date": context.formats.date(page.read)]))</p>
      """
    }
  }
}
