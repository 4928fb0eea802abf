import PolyclinicCore

extension Context {
  /// Returns the useful contacts of a country as a list, with the pages that name the numbers.
  public func usefulContacts(of country: String) -> HTML {
    let contacts = portal.usefulContacts[country]
    return """
      \(facts(contacts.map(entry)))\(sources(contacts.compactMap(\.source)))
      """
  }

  /// Returns the name of a country that has useful contacts: one of ISO 3166-1, or the European
  /// Union.
  public func usefulContactsName(of country: String) -> String {
    country == UsefulContacts.europeanUnion
      ? text("contacts.eu") : Countries.name(country, in: language) ?? country
  }

  private func entry(_ contact: UsefulContact) -> HTML.Fact {
    HTML.Fact(
      contact.name,
      """
      \(contact.phone.map { number($0, contact.call) })\
      \(contact.web.map { "<div>\(link($0))</div>" })
      """)
  }

  private func number(_ phone: String, _ call: OutsideLink?) -> HTML {
    let shown: HTML = "<bdi dir=\"ltr\">\(phone)</bdi>"
    return "<div>\(call.map { "<a href=\"\($0)\">\(shown)</a>" } ?? shown)</div>"
  }

  /// Returns the pages grouped by the day on which they were read.
  private func sources(_ pages: [SourcePage]) -> HTML {
    let days = Set(pages.map(\.read)).sorted()
    return "\(each: days, { day in sources(pages.filter { $0.read == day }, read: day) })"
  }

  private func sources(_ pages: [SourcePage], read day: CalendarDate) -> HTML {
    """
    <p class="secondary-text">\(text("contacts.sources", ["date": formats.date(day)]))\
    \(each: pages.enumerated(), { $0 == 0 ? " \(link($1.page))" : ", \(link($1.page))" })</p>
    """
  }

  private func link(_ page: OutsideLink) -> HTML {
    "<a href=\"\(page)\" rel=\"noreferrer\"><bdi dir=\"ltr\">\(page.host)</bdi></a>"
  }
}
