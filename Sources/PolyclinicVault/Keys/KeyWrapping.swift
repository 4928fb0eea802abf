import PolyclinicCore
import PolyclinicCryptography

/// The format of wrapped keys: version 1, the master key's id in four bytes, nonce, ciphertext, tag
/// (AES-256-GCM).
extension KeyRing {
  private static let version: UInt8 = 1
  private static let headerLength = 5

  /// Encrypts a key with the newest master key. It can be unwrapped only with the same binding.
  package func wrap(_ key: SymmetricKey, binding: [UInt8]) throws -> [UInt8] {
    let header = Self.header(newest.id)
    var context = try AESContext(newest.secret)
    var plain = key.withUnsafeBytes(Array.init)
    defer { plain.wipe() }
    return try context.seal(plain, nonce: .random(), binding: header + binding, behind: header)
  }

  /// Returns the key that ``wrap(_:binding:)`` encrypted.
  ///
  /// Throws ``VaultError/unknownMasterKey(_:path:)`` if the ring lacks its master key, and
  /// `UnsealingError` if the bytes were changed or wrapped for another binding.
  func unwrap(_ wrapped: [UInt8], binding: [UInt8]) throws -> SymmetricKey {
    guard let id = Self.masterKey(of: wrapped) else { throw UnsealingError() }
    guard let master = self[id] else { throw VaultError.unknownMasterKey(id, path: path) }
    var context = try AESContext(master.secret)
    guard
      var plain = context.open(
        wrapped[Self.headerLength...], binding: Self.header(id) + binding)
    else { throw UnsealingError() }
    defer { plain.wipe() }
    guard let key = SymmetricKey(plain) else { throw UnsealingError() }
    return key
  }

  /// Returns the id of a wrapped key's master key; nil if the bytes are not a wrapped key.
  static func masterKey(of wrapped: [UInt8]) -> ID? {
    guard wrapped.count > headerLength, wrapped[0] == version else { return nil }
    return ID(rawValue: wrapped[1..<headerLength].reduce(0) { $0 << 8 | UInt32($1) })
  }

  /// Returns the first bytes of all keys that this master key wraps.
  package static func header(_ id: ID) -> [UInt8] {
    [version] + withUnsafeBytes(of: id.rawValue.bigEndian, Array.init)
  }
}
