import PolyclinicCore
import PolyclinicCryptography

/// All keys of the installation: the master keys, the data keys of people that they wrap, and the
/// random lookup key, from which all other keys are derived.
///
/// All threads share one vault. It is immutable after start-up, except that a master key may be
/// added.
package final class Vault: Sendable {
  /// A random id of this installation, 16 bytes, which distinguishes databases that share a key
  /// file.
  package let installation: [UInt8]
  /// The HMAC of accounts.
  package let accountCode: HMAC
  private let portalCipher: AESCipher
  private let masterKeys: LiveKeyRing
  let lookupKey: SymmetricKey
  private let lookupCode: HMAC

  package init(masterKeys: LiveKeyRing, installation: [UInt8], lookupKey: SymmetricKey) throws {
    self.masterKeys = masterKeys
    self.installation = installation
    self.lookupKey = lookupKey
    lookupCode = HMAC(lookupKey)
    accountCode = HMAC(Self.derived("account-seal", from: lookupKey, of: installation))
    portalCipher = try AESCipher(
      Self.derived("portal-data", from: lookupKey, of: installation))
  }

  /// Returns a new wrapped data key, the value of `people.wrapped_key`, for the person with this
  /// erasure id.
  package func newPersonKey(erasureID: [UInt8], on connection: Connection) throws -> [UInt8] {
    try currentRing(on: connection)
      .wrap(.random(), binding: Self.binding(erasureID))
  }

  /// Wraps a person's key again, with the newest master key.
  package func rewrapped(_ wrapped: [UInt8], erasureID: [UInt8], by ring: KeyRing) throws -> [UInt8]
  {
    let binding = Self.binding(erasureID)
    return try ring.wrap(ring.unwrap(wrapped, binding: binding), binding: binding)
  }

  /// Returns a person's keys, from their row in `people`.
  ///
  /// Throws `UnsealingError` if the two columns do not belong together, and the errors of
  /// ``LiveKeyRing/holding(_:)``.
  package func keys(of person: ID<Person>, wrapped: [UInt8], erasureID: [UInt8]) throws -> Keys {
    guard let id = KeyRing.masterKey(of: wrapped) else { throw UnsealingError() }
    let ring = try masterKeys.holding(id)
    let key = try ring.unwrap(wrapped, binding: Self.binding(erasureID))
    return Keys(person: person, cipher: try AESCipher(key), portal: portalCipher)
  }

  /// Returns the master keys, including the one that the database uses now. The ring's newest key
  /// wraps new values.
  ///
  /// Call it in the write transaction, so that nothing is wrapped with an older key once a rotation
  /// has begun.
  package func currentRing(on connection: Connection) throws -> KeyRing {
    try masterKeys.holding(Self.masterKeyID(on: connection))
  }

  /// The portal's own keys, for values that belong to no person.
  package var portalKeys: Keys { Keys(portal: portalCipher) }

  /// Returns the lookup key of a login, an e-mail or an address: an HMAC-SHA-256 of the purpose and
  /// the whole text.
  ///
  /// The caller folds the text. Equal texts have different values for different purposes.
  package func lookup(_ purpose: StaticString, _ text: String) -> [UInt8] {
    lookupCode.code(of: purpose.withUTF8Buffer(Array.init) + [0] + text.utf8)
  }

  /// Returns a separate key for each purpose, the same in all processes and after each start
  /// (HKDF-SHA-256).
  ///
  /// It takes about 5 µs, so derive a key once and keep it.
  package func derived(_ purpose: StaticString) -> SymmetricKey {
    Self.derived(purpose, from: lookupKey, of: installation)
  }

  private static func derived(
    _ purpose: StaticString, from lookupKey: SymmetricKey, of installation: [UInt8]
  ) -> SymmetricKey {
    purpose.withUTF8Buffer { lookupKey.derived(salt: installation, info: $0) }
  }

  private static func binding(_ erasureID: [UInt8]) -> [UInt8] {
    Array("person-key\0".utf8) + erasureID
  }
}

extension Vault {
  /// The length in bytes of an erasure id and of the installation's id: 128 random bits, so that
  /// none repeats.
  package static let idLength = 16

  /// Returns a new random erasure id. It outlives the person, so that they are erased from a
  /// restored backup too.
  package static func newErasureID() -> [UInt8] { .random(idLength) }
}
