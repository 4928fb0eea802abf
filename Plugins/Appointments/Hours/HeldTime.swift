import PolyclinicCore

/// A time that is held for ten minutes for a visitor who registers during a booking.
///
/// It claims its units, so that others see the time as taken. Its token is known only to the
/// browser for which it is held, also on the pages before the registration, and nothing else says
/// whose it is. A job ends it; so does a booking that needs its units after the ten minutes. The
/// waiting list calls nobody into it, so a change of held time settles the doctor's list first.
enum HeldTime {
  /// The time for which a visitor fills in the registration.
  private static let length = Seconds.minutes(10)
  /// The value in the browser that keeps the token.
  static let kept: StaticString = "held"
  /// The most held times of a doctor, because anybody can ask for one without an account.
  private static let most = 3

  static let schema: SQL = """
    CREATE TABLE appointments_held_times (
      token TEXT PRIMARY KEY,
      doctor \(.integer) NOT NULL REFERENCES appointments_doctors (id_doctor) ON DELETE CASCADE,
      starts_at \(.integer) NOT NULL, ends_at \(.integer) NOT NULL,
      expires_at \(.integer) NOT NULL
    ) \(.strict)
    """

  /// Holds a span, and returns the token with which it is booked; nil if a part of it is taken, or
  /// if too many times of the doctor are held.
  static func hold(
    _ span: Range<Instant>, of doctor: ID<Doctor>, in work: Work
  ) throws -> String? {
    try endOverdue(of: doctor, in: work)
    let count = try work.integer(
      "SELECT count(*) FROM appointments_held_times WHERE doctor = \(doctor)")
    guard count ?? 0 < most else { return nil }
    var generator = SystemRandomNumberGenerator()
    let token = (0..<2).map { _ in String(generator.next() as UInt64, radix: 36) }.joined()
    try work.run(
      """
      INSERT INTO appointments_held_times (token, doctor, starts_at, ends_at, expires_at)
      VALUES (\(token), \(doctor), \(span.lowerBound), \(span.upperBound), \(work.now + length))
      """)
    do {
      try ClaimedTime.claim(span, of: doctor, for: .init(hold: token), in: work)
    } catch is ClaimedTime.Taken {
      try release(token, of: doctor, in: work)
      return nil
    }
    return token
  }

  /// Returns the span that is held with this token, and until when; nil if it has ended.
  static func find(
    _ token: String, of doctor: ID<Doctor>, in work: Work
  ) throws -> (span: Range<Instant>, until: Instant)? {
    try work.row(
      """
      SELECT starts_at, ends_at, expires_at FROM appointments_held_times
      WHERE token = \(token) AND doctor = \(doctor)
      """
    ) { ($0.instant(0)..<$0.instant(1), $0.instant(2)) }
  }

  /// Frees the time that is held with this token, such as for the booking of its visitor.
  static func release(_ token: String, of doctor: ID<Doctor>, in work: Work) throws {
    try work.run(
      "DELETE FROM appointments_held_times WHERE token = \(token) AND doctor = \(doctor)")
  }

  /// True if times of a doctor were held for too long and are not freed yet.
  static func areOverdue(of doctor: ID<Doctor>, in work: Work) throws -> Bool {
    try work.integer(
      """
      SELECT 1 FROM appointments_held_times
      WHERE doctor = \(doctor) AND expires_at <= \(work.now) LIMIT 1
      """) != nil
  }

  /// Frees the times of a doctor that were held for too long, and returns their number.
  @discardableResult
  static func endOverdue(of doctor: ID<Doctor>, in work: Work) throws -> Int {
    try work.runCounting(
      """
      DELETE FROM appointments_held_times
      WHERE doctor = \(doctor) AND expires_at <= \(work.now)
      """)
  }
}
