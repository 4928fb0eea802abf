import PolyclinicCore

/// The card for visitors who have not signed in: a search field, and how to reach the clinics.
enum FindCard {
  /// The maximum number of clinics on the card.
  private static let most = 3

  /// Returns the card; nil for visitors who have signed in, and while there is no clinic.
  static func card(_ context: Context) throws -> HTML? {
    if context.visitor != nil { return nil }
    let clinics = try FoundClinic.all(from: nil, in: context).byName(in: context.language)
      .startingWithHost(of: context.portal)
    if clinics.isEmpty { return nil }
    let shown = clinics.prefix(most).map(\.clinic)
    let opened = zip(shown, try OpeningHours.find(of: shown, in: context)).map {
      (clinic: $0, opening: $1)
    }
    let contact: HTML =
      clinics.count == 1
      ? facts(opened[0].clinic, opened[0].opening, context)
      : """
      <h3>\(context.text("clinics.title"))</h3>\
      \(rows: opened, { row($0.clinic, $0.opening, context) })\(all(clinics.count, context))
      """
    return "\(search(context))\(contact)"
  }

  private static func search(_ context: Context) -> HTML {
    """
    \(context.searchForm(
      at: "/appointments/doctors", "find.label", submit: "clinics.search", style: []))\
    \(actions:
      context.button("find.card.doctors", to: "/appointments/doctors", style: .secondary),
      context.button(
        "nearest.title", to: "/appointments/clinics/nearest", style: .secondary, icon: .pin))
    """
  }

  /// Returns the link to all clinics; nil if the card has all of them.
  private static func all(_ count: Int, _ context: Context) -> HTML? {
    count <= most
      ? nil
      : context.moreLink(Text("find.clinics.all", count: count), to: "/appointments/clinics")
  }

  /// Returns the hours and the telephone number of the only clinic.
  private static func facts(
    _ clinic: Clinic, _ opening: OpeningHours, _ context: Context
  ) -> HTML {
    let name = clinic.name.string(in: context.language)
    return """
      <h3><a href="/appointments/clinics/\(clinic.id)"><bdi>\(name)</bdi></a> \
      \(opening.badge(context))</h3>\
      \(context.facts([
        HTML.Fact("clinic.address", text: clinic.addressLine(context)),
        HTML.Fact("clinic.phone", clinic.phoneLink),
        opening.hours.isEmpty ? nil : HTML.Fact("clinic.hours", values: opening.lines(context)),
      ]))
      """
  }

  private static func row(_ clinic: Clinic, _ opening: OpeningHours, _ context: Context) -> HTML {
    .row(
      content: """
        <strong><a href="/appointments/clinics/\(clinic.id)">\
        <bdi>\(clinic.name.string(in: context.language))</bdi></a></strong> \
        \(opening.badge(context))\
        <span class="secondary-text"><bdi>\(clinic.addressLine(context))</bdi></span>\
        <span class="secondary-text">\(clinic.phoneLink)</span>
        """)
  }
}

extension [FoundClinic] {
  /// Returns the clinic that hosts the portal, which has the portal's name, before all others.
  fileprivate func startingWithHost(of portal: Portal) -> [FoundClinic] {
    let name = portal.clinic.name
    func isHost(_ found: FoundClinic) -> Bool {
      Language.allCases.contains { found.clinic.name.string(in: $0).isIdentical(to: name) }
    }
    return filter(isHost) + filter { !isHost($0) }
  }
}
