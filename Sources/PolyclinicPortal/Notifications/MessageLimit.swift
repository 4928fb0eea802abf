import PolyclinicCore

/// The most messages of one purpose within a day, to one person or to one recipient. A recipient may
/// be a stranger, whom many accounts together must not flood.
struct MessageLimit {
  let purpose: StaticString
  let most: Int
  /// The shortest time between two messages.
  let pause: Seconds

  /// The links that confirm an e-mail address.
  static let link = MessageLimit(purpose: "link", most: 5, pause: .minutes(2))
  /// The codes that confirm a telephone number.
  static let code = MessageLimit(purpose: "code", most: 5, pause: .minutes(2))
  static let mailTest = MessageLimit(purpose: "mail-test", most: 5, pause: .minutes(1))
  static let lineTest = MessageLimit(purpose: "line-test", most: 5, pause: .minutes(1))
  static let inboxTest = MessageLimit(purpose: "inbox-test", most: 5, pause: .minutes(1))
  /// The lines that tell of notices. Each may cost the clinic money.
  static let line = MessageLimit(purpose: "line", most: 20, pause: .seconds(0))

  /// The time within which messages are counted.
  static let period = Seconds.hours(24)

  /// Counts a message. Throws ``Refusal/tooMany(retryAfter:)`` if one was sent a moment ago or too
  /// many were sent.
  func count(to recipient: [UInt8]?, of person: ID<Person>, in work: Work) throws {
    if let wait = try wait(for: recipient, of: person, in: work) {
      throw Refusal.tooMany(retryAfter: wait)
    }
    try note(recipient, of: person, in: work)
  }

  /// Counts a message to the person alone. Returns false if too many were sent.
  func countIfAllowed(of person: ID<Person>, in work: Work) throws -> Bool {
    guard try wait(for: nil, of: person, in: work) == nil else { return false }
    try note(nil, of: person, in: work)
    return true
  }

  private func note(_ recipient: [UInt8]?, of person: ID<Person>, in work: Work) throws {
    try work.run(
      """
      INSERT INTO notifications_recent (person, purpose, recipient, sent_at)
      VALUES (\(person), \(purpose.description), \(recipient), \(work.now))
      """)
  }

  /// Returns the time until the next message may be sent; nil if it may be sent now.
  private func wait(
    for recipient: [UInt8]?, of person: ID<Person>, in work: Work
  ) throws -> Seconds? {
    let now = work.now
    let sent: [Instant] = try work.rows(
      """
      SELECT sent_at FROM notifications_recent
      WHERE purpose = \(purpose.description)
        AND (person = \(person) OR recipient = \(recipient))
        AND sent_at > \(now - Self.period) AND sent_at <= \(now)
      ORDER BY sent_at DESC LIMIT \(most)
      """
    ) { $0.instant(0) }
    if let latest = sent.first, latest > now - pause { return latest + pause - now }
    if sent.count >= most, let earliest = sent.last { return earliest + Self.period - now }
    return nil
  }

  static func purge(at now: Instant, on connection: Connection) throws {
    try connection.run(
      """
      DELETE FROM notifications_recent
      WHERE sent_at <= \(now - period) OR sent_at > \(now + .clockLead)
      """)
  }
}
