import Crypto
import PolyclinicCore

/// All keys of the installation: the master keys, the people's data keys they wrap, and the random
/// lookup key from which everything else is derived.
///
/// All threads share one. Nothing in it changes after start-up but the master keys, when one is added.
final class Vault: Sendable {
  /// A random name of this installation, 16 bytes: it tells apart databases that share a key file.
  let installation: [UInt8]
  /// Seals accounts and tells whether they are as they were sealed.
  let accountSeal: AccountSeal
  private let portalCipher: AESCipher
  private let masterKeys: LiveKeyRing
  let lookupKey: SymmetricKey

  init(masterKeys: LiveKeyRing, installation: [UInt8], lookupKey: SymmetricKey) throws {
    self.masterKeys = masterKeys
    self.installation = installation
    self.lookupKey = lookupKey
    accountSeal = AccountSeal(
      key: Self.derived("account-seal", from: lookupKey, of: installation))
    portalCipher = try AESCipher(
      Self.derived("portal-data", from: lookupKey, of: installation))
  }

  /// A new data key for the person of this erasure id, wrapped: what `people.wrapped_key` holds.
  func newPersonKey(erasureID: [UInt8], on connection: Connection) throws -> [UInt8] {
    try currentRing(on: connection)
      .wrap(SymmetricKey(size: .bits256), binding: Self.binding(erasureID))
  }

  /// Wraps a person's key anew, by the newest master key.
  func rewrapped(_ wrapped: [UInt8], erasureID: [UInt8], by ring: KeyRing) throws -> [UInt8] {
    let binding = Self.binding(erasureID)
    return try ring.wrap(ring.unwrap(wrapped, binding: binding), binding: binding)
  }

  /// The person's keys, from their row in `people`.
  ///
  /// Throws `UnsealingError` when the two columns do not belong together, and what
  /// ``LiveKeyRing/holding(_:)`` throws.
  func keys(of person: ID<Person>, wrapped: [UInt8], erasureID: [UInt8]) throws -> Keys {
    guard let id = KeyRing.masterKey(of: wrapped) else { throw UnsealingError() }
    let ring = try masterKeys.holding(id)
    let key = try ring.unwrap(wrapped, binding: Self.binding(erasureID))
    return Keys(person: person, cipher: try AESCipher(key), portal: portalCipher)
  }

  /// The master keys, with the one by which the database's newest wrapping was made; its newest wraps
  /// what is new.
  ///
  /// Asked in the transaction that writes, so that nothing is wrapped by an older key once a rotation has
  /// begun.
  func currentRing(on connection: Connection) throws -> KeyRing {
    try masterKeys.holding(Self.masterKeyID(on: connection))
  }

  /// The portal's own keys, which seal what belongs to no person.
  var portalKeys: Keys { Keys(portal: portalCipher) }

  /// The key that finds a login, an e-mail or an address: one HMAC-SHA-256 of purpose and whole
  /// text.
  ///
  /// The caller folds the text; equal texts under different purposes are not seen to be equal.
  func lookup(_ purpose: StaticString, _ text: String) -> [UInt8] {
    var code = HMAC<SHA256>(key: lookupKey)
    purpose.withUTF8Buffer { code.update(data: $0) }
    code.update(data: [0])
    code.update(data: Array(text.utf8))
    return Array(code.finalize())
  }

  /// A key of its own for each purpose, the same in all processes and after each start (HKDF-SHA-256).
  ///
  /// Takes about 5 µs: derive once and keep it.
  func derived(_ purpose: StaticString) -> SymmetricKey {
    Self.derived(purpose, from: lookupKey, of: installation)
  }

  private static func derived(
    _ purpose: StaticString, from lookupKey: SymmetricKey, of installation: [UInt8]
  ) -> SymmetricKey {
    purpose.withUTF8Buffer {
      HKDF<SHA256>.deriveKey(
        inputKeyMaterial: lookupKey, salt: installation, info: $0, outputByteCount: 32)
    }
  }

  private static func binding(_ erasureID: [UInt8]) -> [UInt8] {
    Array("person-key\0".utf8) + erasureID
  }
}

extension Vault {
  /// The length of an erasure id and of the installation's name: 128 random bits, never given twice.
  static let idLength = 16

  /// A new random erasure id: it outlives the person, so that a restored backup forgets them too.
  static func newErasureID() -> [UInt8] { .random(idLength) }
}
