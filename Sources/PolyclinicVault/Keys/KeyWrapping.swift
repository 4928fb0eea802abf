import Crypto
import Foundation
import PolyclinicCore

/// The format of wrapped keys: version 1, the master key's id in four bytes, nonce, ciphertext, tag
/// (AES-256-GCM).
extension KeyRing {
  private static let version: UInt8 = 1
  private static let headerLength = 5
  static let nonceLength = 12

  /// Encrypts a key with the newest master key. It can be unwrapped only with the same binding.
  ///
  /// A given `nonce` must be unique to this key and binding. If it is nil, a random one is used.
  package func wrap(_ key: SymmetricKey, binding: [UInt8], nonce: [UInt8]? = nil) throws -> [UInt8]
  {
    var plain = key.withUnsafeBytes(Array.init)
    defer { plain.wipe() }
    let header = Self.header(newest.id)
    let box = try AES.GCM.seal(
      plain, using: newest.secret, nonce: nonce.map { try AES.GCM.Nonce(data: $0) },
      authenticating: header + binding)
    return header + box.nonce + box.ciphertext + box.tag
  }

  /// Returns the key that ``wrap(_:binding:nonce:)`` encrypted.
  ///
  /// Throws ``VaultError/unknownMasterKey(_:path:)`` if the ring lacks its master key, and
  /// `UnsealingError` if the bytes were changed or wrapped for another binding.
  func unwrap(_ wrapped: [UInt8], binding: [UInt8]) throws -> SymmetricKey {
    guard let id = Self.masterKey(of: wrapped) else { throw UnsealingError() }
    guard let master = self[id] else { throw VaultError.unknownMasterKey(id, path: path) }
    var plain = try Self.opened(
      wrapped[Self.headerLength...], by: master, binding: Self.header(id) + binding)
    defer { plain.resetBytes(in: 0..<plain.count) }
    return SymmetricKey(data: plain)
  }

  private static func opened(
    _ sealed: ArraySlice<UInt8>, by master: Key, binding: [UInt8]
  ) throws(UnsealingError) -> Data {
    do {
      let box = try AES.GCM.SealedBox(combined: sealed)
      return try AES.GCM.open(box, using: master.secret, authenticating: binding)
    } catch {
      // Callers need no distinction between a wrong length and a wrong tag.
      throw UnsealingError()
    }
  }

  /// Returns the nonce of a wrapped key.
  package static func nonce(of wrapped: [UInt8]) -> [UInt8] {
    Array(wrapped.dropFirst(headerLength).prefix(nonceLength))
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
