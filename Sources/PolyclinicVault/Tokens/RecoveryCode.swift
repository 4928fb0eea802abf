import PolyclinicCore
import PolyclinicSystem

/// A single-use code in place of an authenticator app's code: 120 random bits as 24 letters.
///
/// Only a keyed hash is stored, so that an attacker who can write the database cannot add a code. A
/// code has too many bits to be guessed, so no slow hash is needed (OWASP ASVS 5.0, 6.5.2).
package struct RecoveryCode: Sendable {
  /// The number of codes that a person gets.
  package static let count = 10
  private static let length = 24

  /// The letters without spaces.
  private let letters: String

  package static func random() -> RecoveryCode { RecoveryCode(letters: Base32.text(.random(15))) }

  private init(letters: String) { self.letters = letters }

  /// Returns nil if the typed text cannot be a code.
  package init?(_ typed: String) {
    guard let letters = Base32.letters(in: typed, limit: Self.length),
      letters.utf8.count == Self.length
    else { return nil }
    self.letters = letters
  }

  /// The letters in groups of four.
  package var text: String { Base32.grouped(letters) }

  private func hash(_ person: ID<Person>, _ vault: Vault) -> [UInt8] {
    vault.lookup("recovery-code", "\(person):\(letters)")
  }

  /// Creates new codes for a person and deletes all earlier ones.
  package static func renew(
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

  /// Uses up the code. Returns false if the person does not have it, or has used it.
  package func use(by person: ID<Person>, _ vault: Vault, on connection: Connection) throws -> Bool
  {
    try connection.runCounting(
      "DELETE FROM recovery_codes WHERE code_hash = \(hash(person, vault)) AND person = \(person)")
      > 0
  }

  /// Returns the number of unused codes.
  package static func left(of person: ID<Person>, on connection: Connection) throws -> Int {
    try connection.integer("SELECT count(*) FROM recovery_codes WHERE person = \(person)") ?? 0
  }

  package static func forget(of person: ID<Person>, on connection: Connection) throws {
    try connection.run("DELETE FROM recovery_codes WHERE person = \(person)")
  }
}
