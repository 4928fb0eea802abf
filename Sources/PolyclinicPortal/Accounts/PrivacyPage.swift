import PolyclinicCore
import PolyclinicWeb

/// The privacy page, generated from the personal data that the modules declare. Those that are off
/// keep their data.
package struct PrivacyPage: RoutedPage {
  package static let address: Address<Void> = "/privacy"
  package static let access = Access.everyone
  static let agreement: Address<Void> = "/privacy/agree"

  /// The version of the page, raised with each change of substance. Consent names a version; people
  /// who agreed to an earlier one are asked again.
  ///
  /// 1. Profile, account, sessions, contacts.
  /// 2. Appointments, waiting lists, notifications and their e-mails, and the access log.
  /// 3. All data that is readable in the database.
  /// 4. The date of birth and the phone number, which doctors and receptionists see.
  /// 5. The child of a visit, treated high blood pressure, the arrangement of the home page, and
  ///    what the browser keeps.
  package static let version = 5
  /// The date on which this version came into force: 29 November 2026.
  private static let since = CalendarDate(daysSince1970: 20_786)

  /// Nil for a visitor who has not signed in, and for a person without an account.
  private let consent: PrivacyAgreement?
  private let context: Context
  private var installation: Installation { context.server.installation }

  package init(_ context: Context) throws {
    self.context = context
    consent = try context.visitor.flatMap { try PrivacyAgreement.of($0.person, on: context) }
  }

  /// Agrees to the current version.
  static func agree(_ context: Context) throws -> Response {
    let visitor = try context.signedIn()
    // A page opened before a new version came out asks for consent to the old version.
    guard context.request.fields["version"] == String(version) else { return .redirect(to: path) }
    return try context.change {
      try PrivacyAgreement.agree(visitor.person, at: context.now, on: $0)
      return path
    }
  }

  /// The dashboard card shown until the person has agreed to the current privacy page.
  static func card(_ context: Context) -> HTML? {
    guard let agreed = context.session?.consentVersion, agreed < version else { return nil }
    let text: Text = agreed == 0 ? "privacy.card.none" : "privacy.card.changed"
    return """
      <p>\(context.text(text))</p>\(context.moreLink("privacy.card.read", to: path))
      """
  }

  package var page: Page {
    let tables: [HTML] = installation.members.compactMap(table)
    return Page(
      "privacy.title",
      """
      <p class="lead">\(context.text("privacy.lead", ["clinic": context.portal.clinic.name]))</p>\
      <p class="secondary-text">\(context.text(
        "privacy.version",
        ["version": String(Self.version), "date": context.formats.date(Self.since)]))</p>\
      \(consent.map(agreement))\(summary)\
      <h2 id="kept">\(context.text("privacy.table"))</h2>\
      \(tables)<div class="prose"><h2 id="encryption">\(context.text("privacy.vault.title"))</h2>\
      <p>\(context.text("privacy.vault"))</p>\
      <h2 id="plain">\(context.text("privacy.plain.title"))</h2><p>\(context.text("privacy.plain"))</p>\
      <h2 id="browser">\(context.text("privacy.browser.title"))</h2>\
      <p>\(context.text("privacy.browser"))</p>\
      <h2 id="rights">\(context.text("privacy.rights.title"))</h2><p>\(context.text("privacy.rights"))</p>\
      \(deletedOnServer)\(installation.retainedRecords(context))\(asleep)\(reach)</div>
      """,
      width: .wide)
  }

  /// The page in a few sentences, and its contents.
  private var summary: HTML {
    let contents: [(StaticString, Text)] = [
      ("kept", "privacy.table"), ("encryption", "privacy.vault.title"),
      ("plain", "privacy.plain.title"), ("browser", "privacy.browser.title"),
      ("rights", "privacy.rights.title"),
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
  private func agreement(_ consent: PrivacyAgreement) -> HTML {
    let day = context.formats.day(of: consent.at)
    let values = ["version": String(consent.version), "date": context.formats.date(day)]
    if consent.isCurrent {
      return "<p class=\"secondary-text\">\(context.text("privacy.agreed", values))</p>"
    }
    let text: Text = consent.version == 0 ? "privacy.agreed.none" : "privacy.agreed.older"
    let agree = context.button(
      "privacy.agree", posts: Self.agreement.path, with: ["version": String(Self.version)],
      style: [.secondary, .small])
    return .notice(.remark, "<p>\(context.text(text, values))</p>\(agree)")
  }

  /// The paragraph about data that a database server keeps after a deletion; nil for a file of the
  /// portal's own, from which it removes deleted data itself.
  private var deletedOnServer: HTML? {
    context.server.hasDatabaseServer ? "<p>\(context.text("privacy.rights.server"))</p>" : nil
  }

  /// Names the modules that are off and still store data.
  private var asleep: HTML? {
    let titles = installation.members
      .filter { !$0.isEnabled && !$0.module.personalData.kept.isEmpty }
      .map { $0.phrasebook.string($0.module.title, in: context.language) }
    if titles.isEmpty { return nil }
    let named = ["modules": titles.joined(separator: ", ")]
    return "<p>\(context.text("privacy.asleep", named))</p>"
  }

  /// The contact for questions, or the people to ask where the clinic has configured none.
  private var reach: HTML {
    let contact = context.portal.clinic.contact
    if contact.isEmpty {
      let clinic = ["clinic": context.portal.clinic.name]
      return "<p>\(context.text("privacy.reach.none", clinic))</p>"
    }
    return "<p>\(context.text("privacy.reach")) <bdi>\(contact)</bdi></p>"
  }

  /// Returns the table of a module's data, which opens by itself, because all together they are
  /// a dozen screens of a phone; nil for a module without data.
  private func table(of member: InstalledModule) -> HTML? {
    let rows = member.module.personalData.kept.map { row($0, member) }
    if rows.isEmpty { return nil }
    let title = member.phrasebook.string(member.module.title, in: context.language)
    let heads: [Text] = ["privacy.what", "privacy.how", "privacy.until", "privacy.seen-by"]
    return """
      <details class="fold"><summary>\(title)</summary>\
      <div class="scroll" tabindex="0" role="region" aria-label="\(title)">\
      <table class="data stack"><thead><tr>\
      \(each: heads, { "<th scope=\"col\">\(context.text($0))</th>" })</tr></thead>\
      <tbody>\(rows)</tbody></table></div></details>
      """
  }

  private func row(_ kept: PersonalData.Kept, _ member: InstalledModule) -> HTML {
    func text(_ text: Text) -> String { member.phrasebook.string(text, in: context.language) }
    let badge: HTML =
      kept.isSealed ? context.badge("privacy.sealed", .good) : context.badge("privacy.readable")
    let off: HTML? = member.isEnabled ? nil : " \(context.badge("privacy.off", .off))"
    return """
      <tr><th scope="row">\(text(kept.what))\(off)</th>\
      <td data-label="\(text("privacy.how"))">\(badge)</td>\
      <td data-label="\(text("privacy.until"))">\(text(kept.until))</td>\
      <td data-label="\(text("privacy.seen-by"))">\(text(kept.seenBy))</td></tr>
      """
  }
}

/// The version of the privacy page that a person has agreed to, and the time.
struct PrivacyAgreement {
  /// The agreed version; 0 if someone else created the account and its owner has not agreed yet.
  let version: Int
  let at: Instant

  var isCurrent: Bool { version >= PrivacyPage.version }

  /// Returns the person's consent; nil if the person has no account.
  static func of(_ person: ID<Person>, on connection: Connection) throws -> PrivacyAgreement? {
    try connection.row(
      "SELECT consent_version, consented_at FROM accounts WHERE person = \(person)"
    ) { PrivacyAgreement(version: $0.int(0), at: $0.instant(1)) }
  }

  /// Records consent to the current version. Does nothing if the person has agreed to it before.
  static func agree(_ person: ID<Person>, at now: Instant, on connection: Connection) throws {
    try connection.run(
      """
      UPDATE accounts SET consent_version = \(PrivacyPage.version), consented_at = \(now)
      WHERE person = \(person) AND consent_version < \(PrivacyPage.version)
      """)
  }
}
