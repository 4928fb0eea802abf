import PolyclinicCore

/// The version of the privacy page that a person has agreed to, and the time.
struct Consent {
  /// The agreed version; 0 if someone else created the account and its owner has not agreed yet.
  let version: Int
  let at: Instant

  var isCurrent: Bool { version >= PrivacyPage.version }

  /// Returns the person's consent; nil if the person has no account.
  static func of(_ person: ID<Person>, on connection: Connection) throws -> Consent? {
    try connection.row(
      "SELECT consent_version, consented_at FROM accounts WHERE person = \(person)"
    ) { Consent(version: $0.int(0), at: $0.instant(1)) }
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

extension AccountsModule {
  func agreeToPrivacy(_ context: Context) throws -> Response {
    let visitor = try context.signedIn()
    // A page opened before a new version came out asks for consent to the old version.
    guard context.request.fields["version"] == String(PrivacyPage.version) else {
      return .redirect(to: "/privacy")
    }
    return try context.change {
      try Consent.agree(visitor.person, at: context.now, on: $0)
      return "/privacy"
    }
  }

  /// The dashboard card shown until the person has agreed to the current privacy page.
  func changedPrivacy(_ context: Context) throws -> HTML? {
    let visitor = try context.signedIn()
    let consent = try Consent.of(visitor.person, on: context)
    guard let consent, !consent.isCurrent else { return nil }
    let text: Text = consent.version == 0 ? "privacy.card.none" : "privacy.card.changed"
    return """
      <p>\(context.text(text))</p>\
      \(context.moreLink("privacy.card.read", to: "/privacy"))
      """
  }
}
