import PolyclinicCore
import PolyclinicWeb

/// The privacy page, generated from the personal data that the modules declare. Those that are off
/// keep their data.
package enum PrivacyPage {
  /// The version of the page, raised with each change of substance. Consent names a version; people
  /// who agreed to an earlier one are asked again.
  ///
  /// 1. Profile, account, sessions, contacts.
  /// 2. Appointments, waiting lists, notifications and their e-mails, and the access log.
  /// 3. All data that is readable in the database.
  /// 4. The date of birth and the phone number, which doctors and receptionists see.
  package static let version = 4
  /// The date on which this version came into force: 25 November 2026.
  private static let since = CalendarDate(daysSince1970: 20_782)

  static func show(_ context: Context, _ server: ServerContext) throws -> Response {
    let rows: [HTML] = server.installation.members.flatMap { member in
      member.module.personalData.kept.map { row($0, member, context) }
    }
    let consent = try context.visitor.flatMap { visitor in
      try Consent.of(visitor.person, on: context)
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
        \(consent.map { agreement($0, context) })\(summary(context))\
        <h2 id="kept">\(context.text("privacy.table"))</h2>\
        <div class="scroll" tabindex="0" role="region" aria-label="\(context.text("privacy.table"))">\
        <table class="data stack"><thead><tr>\
        \(each: heads, { "<th scope=\"col\">\(context.text($0))</th>" })</tr></thead>\
        <tbody>\(rows)</tbody></table></div>\
        <div class="prose"><h2 id="encryption">\(context.text("privacy.vault.title"))</h2>\
        <p>\(context.text("privacy.vault"))</p>\
        <h2 id="plain">\(context.text("privacy.plain.title"))</h2><p>\(context.text("privacy.plain"))</p>\
        <h2 id="rights">\(context.text("privacy.rights.title"))</h2><p>\(context.text("privacy.rights"))</p>\
        \(RetainedRecords.kept(by: server.installation, context))\(asleep(server.installation, context))\(reach(context))</div>
        """,
        width: .wide))
  }

  /// The page in a few sentences, and its contents.
  private static func summary(_ context: Context) -> HTML {
    let contents: [(StaticString, Text)] = [
      ("kept", "privacy.table"), ("encryption", "privacy.vault.title"),
      ("plain", "privacy.plain.title"), ("rights", "privacy.rights.title"),
    ]
    return """
      <section class="panel prose"><h2>\(context.text("privacy.summary.title"))</h2>\
      <p>\(context.text("privacy.summary"))</p></section>\
      <nav class="prose" aria-label="\(context.text("privacy.contents"))"><ul>\(each: contents, {
        "<li><a href=\"#\($0)\">\(context.text($1))</a></li>"
      })</ul></nav>
      """
  }

  /// The version that the visitor agreed to, with a button to agree to the current one.
  private static func agreement(_ consent: Consent, _ context: Context) -> HTML {
    let day = context.formats.day(of: consent.at)
    let values = ["version": String(consent.version), "date": context.formats.date(day)]
    if consent.isCurrent {
      return "<p class=\"secondary-text\">\(context.text("privacy.agreed", values))</p>"
    }
    let text: Text = consent.version == 0 ? "privacy.agreed.none" : "privacy.agreed.older"
    let agree = context.button(
      "privacy.agree", posts: "/privacy/agree", with: ["version": String(version)],
      style: [.secondary, .small])
    return .notice(.remark, "<p>\(context.text(text, values))</p>\(agree)")
  }

  /// Names the modules that are off and still store data.
  private static func asleep(_ installation: Installation, _ context: Context) -> HTML? {
    let titles = installation.members
      .filter { !$0.isEnabled && !$0.module.personalData.kept.isEmpty }
      .map { $0.phrasebook.string($0.module.title, in: context.language) }
    if titles.isEmpty { return nil }
    let named = ["modules": titles.joined(separator: ", ")]
    return "<p>\(context.text("privacy.asleep", named))</p>"
  }

  /// The contact for questions, or the people to ask where the clinic has configured none.
  private static func reach(_ context: Context) -> HTML {
    let contact = context.portal.clinic.contact
    if contact.isEmpty {
      let clinic = ["clinic": context.portal.clinic.name]
      return "<p>\(context.text("privacy.reach.none", clinic))</p>"
    }
    return "<p>\(context.text("privacy.reach")) <bdi>\(contact)</bdi></p>"
  }

  private static func row(
    _ kept: PersonalData.Kept, _ member: InstalledModule, _ context: Context
  ) -> HTML {
    func text(_ text: Text) -> String { member.phrasebook.string(text, in: context.language) }
    let badge: HTML =
      kept.isSealed
      ? context.badge("privacy.sealed", .good)
      : context.badge("privacy.readable")
    let off: HTML? = member.isEnabled ? nil : " \(context.badge("privacy.off", .off))"
    return """
      <tr><th scope="row">\(text(kept.what))\(off)</th>\
      <td data-label="\(text("privacy.how"))">\(badge)</td>\
      <td data-label="\(text("privacy.until"))">\(text(kept.until))</td>\
      <td data-label="\(text("privacy.seen-by"))">\(text(kept.seenBy))</td></tr>
      """
  }
}
