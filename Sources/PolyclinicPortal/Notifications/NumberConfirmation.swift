import PolyclinicCore
import PolyclinicVault
import PolyclinicWeb

/// A telephone number with its country, as networks exchange it (ITU E.164): `+375291234567`.
struct NoticeNumber: Equatable {
  let text: String

  /// Takes the first number of a text. Returns nil if it does not begin with `+`, has an extension,
  /// or is too short or too long.
  init?(_ written: String) {
    guard let link = OutsideLink.telephone(written)?.description, link.hasPrefix("tel:+") else {
      return nil
    }
    let digits = link.utf8.dropFirst("tel:+".utf8.count)
    guard (8...15).contains(digits.count), digits.first != UInt8(ascii: "0"),
      digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    text = "+\(Substring(digits))"
  }

  /// The number as a page shows it.
  var html: HTML { "<bdi dir=\"ltr\">\(text)</bdi>" }

  /// Returns the keyed hash by which the database finds a confirmed number.
  func hash(by vault: Vault) -> [UInt8] { vault.lookup("telephone-number", text) }
}

/// The state of a person's telephone number: if and where the portal may send lines.
enum NumberState {
  /// The portal sends no lines to telephones.
  case withoutLines
  /// The profile has no number, or one without its country.
  case unusable(String)
  /// The number has not been confirmed yet.
  case unconfirmed(NoticeNumber)
  case confirmed(NoticeNumber)

  init(of keys: Keys, _ server: ServerContext, on connection: Connection) throws {
    guard server.site.sends.contains(.telephone),
      let profile = try Profile.find(by: keys, on: connection)
    else {
      self = .withoutLines
      return
    }
    guard let number = NoticeNumber(profile.phone) else {
      self = .unusable(profile.phone)
      return
    }
    let confirmation = NumberConfirmation(number, of: keys.person, server.vault)
    self = try confirmation.isStored(on: connection) ? .confirmed(number) : .unconfirmed(number)
  }

  var confirmed: NoticeNumber? {
    if case .confirmed(let number) = self { number } else { nil }
  }
}

/// The confirmation, with a code, that a person reads lines sent to the number in their profile.
///
/// The database keeps an HMAC of the confirmed number. If the number in the profile changes, the
/// HMAC no longer matches and the new number must be confirmed: a wrong digit must not send lines to
/// a stranger.
struct NumberConfirmation {
  fileprivate let number: NoticeNumber
  private let person: ID<Person>
  private let vault: Vault
  /// The HMAC of the number.
  private let hash: [UInt8]

  /// The time for which a code is valid.
  static let lifetime = Seconds.minutes(15)
  /// The most codes that are compared with the sent one. With the limit of codes a day, a stranger's
  /// number is guessed in one of 40 000 days.
  static let tries = 5

  init(_ number: NoticeNumber, of person: ID<Person>, _ vault: Vault) {
    self.person = person
    self.number = number
    self.vault = vault
    hash = number.hash(by: vault)
  }

  /// Returns the confirmation that the person's profile needs; nil if it needs none.
  init?(of keys: Keys, _ server: ServerContext, on connection: Connection) throws {
    guard case .unconfirmed(let number) = try NumberState(of: keys, server, on: connection) else {
      return nil
    }
    self.init(number, of: keys.person, server.vault)
  }

  /// True if the person has confirmed the number.
  fileprivate func isStored(on connection: Connection) throws -> Bool {
    try connection.integer(
      "SELECT 1 FROM notifications_numbers WHERE person = \(person) AND number = \(hash)") != nil
  }

  /// Sends a code, which replaces an earlier one. Throws ``Refusal/tooMany(retryAfter:)`` if one was
  /// sent a moment ago or too many were sent.
  func sendCode(in work: Work) throws {
    try MessageLimit.code.count(to: hash, of: person, in: work)
    let drawn = String(Int.random(in: 0..<1_000_000))
    let code = String(repeating: "0", count: 6 - drawn.count) + drawn
    try work.run(
      """
      INSERT INTO notifications_codes (person, number, code, tries, sent_at)
      VALUES (\(person), \(hash), \(hash(ofCode: code)), 0, \(work.now))
      ON CONFLICT (person) DO UPDATE
        SET number = excluded.number, code = excluded.code, tries = 0, sent_at = excluded.sent_at
      """)
    try QueuedLine(kind: "code", recipient: number.text, code: code)
      .insert(expires: work.now + Self.lifetime, in: work)
  }

  /// Compares a typed code with the one that was sent, and counts the attempt.
  func matches(_ typed: String, in work: Work) throws -> Bool {
    let condition: SQL = """
      person = \(person) AND number = \(hash) AND tries < \(Self.tries)
      AND sent_at > \(work.now - Self.lifetime) AND sent_at <= \(work.now + .clockLead)
      """
    let sent = try work.row("SELECT code FROM notifications_codes WHERE \(condition)") {
      $0.bytes(0)
    }
    guard let sent else { return false }
    try work.run("UPDATE notifications_codes SET tries = tries + 1 WHERE person = \(person)")
    let digits = typed.unicodeScalars.filter { ("0"..."9").contains($0) }
    return sent == hash(ofCode: String(String.UnicodeScalarView(digits)))
  }

  /// Stores the confirmation and deletes the code.
  func store(in work: Work) throws {
    try work.run(
      """
      INSERT INTO notifications_numbers (person, number, confirmed_at)
      VALUES (\(person), \(hash), \(work.now))
      ON CONFLICT (person) DO UPDATE
        SET number = excluded.number, confirmed_at = excluded.confirmed_at
      """)
    try work.run("DELETE FROM notifications_codes WHERE person = \(person)")
  }

  private func hash(ofCode code: String) -> [UInt8] {
    vault.lookup("telephone-code", "\(person)/\(number.text)/\(code)")
  }

  static func purge(at now: Instant, on connection: Connection) throws {
    try connection.run(
      """
      DELETE FROM notifications_codes
      WHERE sent_at <= \(now - lifetime) OR sent_at > \(now + .clockLead)
      """)
  }
}

/// The form for the code that was sent to the number in the profile.
struct NumberForm: RoutedForm {
  static let address: Address<Void> = "/notifications/number"
  static let sending: Address<Void> = "/notifications/number/send"
  static let title: Text = "number.title"
  static let submit: Text = "number.confirm"
  static let cancel = PreferencesPage.path
  static let preparesOnce = true
  static var route: Route { Route(Self.self).saying("number.done") }

  struct Draft: Sendable {
    var code = ""
    /// The number to which the code was sent.
    fileprivate var proven: NoticeNumber?
  }

  static let form = Form<Draft>(
    Draft(),
    .text(
      \.code, "number_code", required: true, limit: 20, autocomplete: "one-time-code",
      hint: "field.number_code.hint"))

  private let state: NumberState
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    state = try NumberState(of: context.keys, context.server, on: context)
  }

  /// Leads back to the preferences if there is no number to confirm.
  var before: Response? {
    if case .unconfirmed = state { return nil }
    return .redirect(to: PreferencesPage.path)
  }

  var about: HTML? {
    guard case .unconfirmed(let number) = state else { return nil }
    return "<p>\(context.text("number.sent")) \(number.html)</p>"
  }

  /// Sends a code and leads to the form for it.
  static func send(_ context: Context) throws -> Path {
    try NumberConfirmation(of: context.keys, context.server, on: context)?.sendCode(in: context)
    return path
  }

  /// Compares the code. The attempt counts even if the form is refused.
  func prepare(_ draft: inout Draft, in context: Context) throws {
    let typed = draft.code
    draft.proven = try context.write { context in
      let confirmation = try NumberConfirmation(of: context.keys, context.server, on: context)
      guard let confirmation, try confirmation.matches(typed, in: context) else { return nil }
      return confirmation.number
    }
    guard draft.proven != nil else { throw Refusal.invalid("number_code", "error.number-code") }
  }

  /// Stores the confirmation, unless another request has changed the number since
  /// ``prepare(_:in:)``.
  func save(_ draft: Draft, in context: Context) throws -> Redirect {
    let confirmation = try NumberConfirmation(of: context.keys, context.server, on: context)
    guard let confirmation, confirmation.number == draft.proven else {
      throw Refusal.conflict("number.changed")
    }
    try confirmation.store(in: context)
    return Redirect(to: PreferencesPage.path)
  }
}
