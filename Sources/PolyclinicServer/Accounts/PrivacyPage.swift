import PolyclinicCore

/// What this portal keeps about people: made from what the enabled modules declare.
enum PrivacyPage {
  /// Raised whenever what is said changes in substance; consent is kept with it.
  static let version = 1
  /// When this version came into force.
  private static let since = CalendarDate(daysSince1970: 20_773)

  static func show(_ context: Context) throws -> Response {
    let front = try context.front()
    let rows: [HTML] = front.installation.enabled.flatMap { member in
      member.module.personalData.kept.map { row($0, member, context) }
    }
    let heads: [Text] = ["privacy.what", "privacy.how", "privacy.until", "privacy.seen-by"]
    return .page(
      Page(
        "privacy.title",
        """
        <p class="lead">\(context.text("privacy.lead", ["clinic": context.portal.clinic.name]))</p>\
        <p class="secondary-text">\(context.text(
          "privacy.version",
          ["version": String(version), "date": context.formats.date(since)]))</p>\
        <div class="scroll" tabindex="0" role="region" aria-label="\(context.text("privacy.table"))">\
        <table class="data stack"><caption>\(context.text("privacy.table"))</caption><thead><tr>\
        \(each: heads, { "<th scope=\"col\">\(context.text($0))</th>" })</tr></thead>\
        <tbody>\(rows)</tbody></table></div>\
        <div class="prose"><h2>\(context.text("privacy.vault.title"))</h2>\
        <p>\(context.text("privacy.vault"))</p>\
        <h2>\(context.text("privacy.plain.title"))</h2><p>\(context.text("privacy.plain"))</p>\
        <h2>\(context.text("privacy.rights.title"))</h2><p>\(context.text("privacy.rights"))</p>\
        \(reach(context))</div>
        """,
        width: .wide))
  }

  private static func reach(_ context: Context) -> HTML? {
    let contact = context.portal.clinic.contact
    if contact.isEmpty { return nil }
    return "<p>\(context.text("privacy.reach")) <bdi>\(contact)</bdi></p>"
  }

  private static func row(
    _ kept: PersonalData.Kept, _ member: Installation.Member, _ context: Context
  ) -> HTML {
    func text(_ text: Text) -> String { member.phrasebook.string(text, in: context.language) }
    let badge: HTML =
      kept.isSealed
      ? "<span class=\"badge ok\">\(text("privacy.sealed"))</span>"
      : "<span class=\"badge\">\(text("privacy.readable"))</span>"
    return """
      <tr><th scope="row">\(text(kept.what))</th>\
      <td data-label="\(text("privacy.how"))">\(badge)</td>\
      <td data-label="\(text("privacy.until"))">\(text(kept.until))</td>\
      <td data-label="\(text("privacy.seen-by"))">\(text(kept.seenBy))</td></tr>
      """
  }
}
