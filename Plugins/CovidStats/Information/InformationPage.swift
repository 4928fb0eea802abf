import PolyclinicCore
import PolyclinicPlaces

extension InformationPage {
  static func show(_ context: Context) throws -> Response {
    let country = try ChosenCountry.shown(context)
    let shown = InformationPage(country: country, context: context)
    var page = Page("information.title", shown.html, back: "")
    page.keptOffline = [CountryLinks.information(country)]
    return .page(page)
  }
}

/// A page with symptoms, advice and useful contacts. It is the same for all visitors who choose the
/// same country.
struct InformationPage {
  let country: String
  let context: Context

  private var contacts: UsefulContacts { context.portal.usefulContacts }

  var html: HTML {
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
