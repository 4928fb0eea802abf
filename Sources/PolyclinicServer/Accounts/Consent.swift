import PolyclinicCore

/// The version of the privacy page that somebody has agreed to, and when.
struct Consent {
  /// 0 while the owner of an account made by somebody else has not agreed.
  let version: Int
  let at: Instant

  var isCurrent: Bool { version >= PrivacyPage.version }

  /// What a person has agreed to; nil without an account.
  static func of(_ person: ID<Person>, on connection: Connection) throws -> Consent? {
    try connection.row(
      "SELECT consent_version, consented_at FROM accounts WHERE person = \(person)"
    ) { Consent(version: $0.int(0), at: $0.instant(1)) }
  }

  /// The person agrees to the version that holds; to have agreed to it before changes nothing.
  static func agree(_ person: ID<Person>, at now: Instant, on connection: Connection) throws {
    try connection.run(
      """
      UPDATE accounts SET consent_version = \(PrivacyPage.version), consented_at = \(now)
      WHERE person = \(person) AND consent_version < \(PrivacyPage.version)
      """)
  }
}

extension AccountsModule {
  func agreeToPrivacy(_ context: Context) throws -> Response {
    let visitor = try context.signedIn()
    // The button of a page that was open while a newer version came is about the older one.
    guard context.request.fields["version"] == String(PrivacyPage.version) else {
      return .redirect(to: "/privacy")
    }
    try context.database.write {
      try Consent.agree(visitor.person, at: context.now, on: $0)
    }
    return .redirect(to: "/privacy")
  }

  /// Told on the dashboard until the person has agreed to what the privacy page says now.
  func changedPrivacy(_ context: Context) throws -> HTML? {
    let visitor = try context.signedIn()
    let consent = try context.database.read { try Consent.of(visitor.person, on: $0) }
    guard let consent, !consent.isCurrent else { return nil }
    let text: Text = consent.version == 0 ? "privacy.card.none" : "privacy.card.changed"
    return """
      <p>\(context.text(text))</p>\
      <a class="more" href="/privacy">\(context.text("privacy.card.read"))</a>
      """
  }
}
