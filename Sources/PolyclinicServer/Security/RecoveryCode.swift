import PolyclinicCore

/// A code that takes the place of an app's, once: 120 random bits as 24 letters.
///
/// Only a keyed hash is stored: who writes the database cannot add one. It has too many bits to be guessed, so that
/// no slow hash is needed (OWASP ASVS 5.0, 6.5.2).
struct RecoveryCode: Sendable {
  /// The number that somebody has at a time.
  static let count = 10
  private static let length = 24

  /// The letters without the spaces between their groups.
  private let letters: String

  static func random() -> RecoveryCode { RecoveryCode(letters: Base32.text(.random(15))) }

  private init(letters: String) { self.letters = letters }

  /// Nil if what was typed cannot be one.
  init?(_ typed: String) {
    guard let letters = Base32.letters(in: typed, limit: Self.length),
      letters.utf8.count == Self.length
    else { return nil }
    self.letters = letters
  }

  /// In groups of four.
  var text: String { Base32.grouped(letters) }

  private func hash(_ person: ID<Person>, _ vault: Vault) -> [UInt8] {
    vault.lookup("recovery-code", "\(person):\(letters)")
  }

  /// Makes new codes for a person, in place of all earlier ones.
  static func renew(
    for person: ID<Person>, _ vault: Vault, on connection: Connection
  ) throws -> [RecoveryCode] {
    try forget(of: person, on: connection)
    let codes = (0..<count).map { _ in random() }
    for code in codes {
      try connection.run(
        """
        INSERT INTO recovery_codes (code_hash, person) VALUES (\(code.hash(person, vault)), \(person))
        """)
    }
    return codes
  }

  /// Uses the code up; false if the person has it not, or not any more.
  func use(by person: ID<Person>, _ vault: Vault, on connection: Connection) throws -> Bool {
    try connection.run(
      "DELETE FROM recovery_codes WHERE code_hash = \(hash(person, vault)) AND person = \(person)")
      > 0
  }

  /// The number of codes that are left.
  static func left(of person: ID<Person>, on connection: Connection) throws -> Int {
    try connection.integer("SELECT count(*) FROM recovery_codes WHERE person = \(person)") ?? 0
  }

  static func forget(of person: ID<Person>, on connection: Connection) throws {
    try connection.run("DELETE FROM recovery_codes WHERE person = \(person)")
  }
}
