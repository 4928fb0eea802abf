import PolyclinicCore

extension Context {
  /// Returns the useful contacts of a country as a list, with the pages that name the numbers.
  public func usefulContacts(of country: String) -> HTML {
    let contacts = portal.usefulContacts[country]
    return """
      \(facts(contacts.map(entry)))\(sources(contacts.compactMap(\.source)))
      """
  }

  /// Returns the same contacts, with the numbers that call an ambulance in large figures above the
  /// others.
  public func usefulContactsWithLargeNumbers(of country: String) -> HTML {
    let contacts = portal.usefulContacts[country]
    let emergency = contacts.filter(\.isEmergency).compactMap { contact in
      contact.phone.map { (contact: contact, phone: $0) }
    }
    let large: HTML? =
      emergency.isEmpty
      ? nil
      : """
      <section class="panel">\(each: emergency, { contact, phone in
        "<h3>\(text(contact.name))</h3><p class=\"figure\">\(link(phone, contact.call))</p>"
      })</section>
      """
    return """
      \(large)\(facts(contacts.filter { !$0.isEmergency || $0.phone == nil }.map(entry)))\
      \(sources(contacts.compactMap(\.source)))
      """
  }

  /// Returns the contacts of all other countries than these, collapsed, ordered by name.
  public func usefulContacts(besides shown: [String]) -> HTML? {
    let contacts = portal.usefulContacts
    let own = Set(shown.compactMap(contacts.key(of:)))
    let countries = contacts.countries.filter { !own.contains($0) }
      .map { (code: $0, name: usefulContactsName(of: $0)) }
      .sorted { SearchText($0.name) < SearchText($1.name) }
    if countries.isEmpty { return nil }
    return """
      <details class="panel prose"><summary>\(text("contacts.others"))</summary>\
      \(each: countries, { "<h3>\($0.name)</h3>\(usefulContacts(of: $0.code))" })</details>
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
      \(contact.phone.map { "<div>\(link($0, contact.call))</div>" })\
      \(contact.web.map { "<div>\(link($0))</div>" })
      """)
  }

  private func link(_ phone: String, _ call: OutsideLink?) -> HTML {
    let shown: HTML = "<bdi dir=\"ltr\">\(phone)</bdi>"
    return call.map { "<a href=\"\($0)\">\(shown)</a>" } ?? shown
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
