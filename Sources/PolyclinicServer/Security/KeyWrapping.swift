import Crypto
import Foundation
import PolyclinicCore

/// Wrapped keys: version 1, the master key's id in four bytes, nonce, ciphertext, tag (AES-256-GCM).
extension KeyRing {
  private static let version: UInt8 = 1
  private static let headerLength = 5
  static let nonceLength = 12

  /// Encrypts a key under the newest master key; it comes back for the same binding only.
  ///
  /// A `nonce` that is given must belong to this key and binding alone; else it is random.
  func wrap(_ key: SymmetricKey, binding: [UInt8], nonce: [UInt8]? = nil) throws -> [UInt8] {
    var plain = key.withUnsafeBytes(Array.init)
    defer { plain.wipe() }
    let header = Self.header(newest.id)
    let box = try AES.GCM.seal(
      plain, using: newest.secret, nonce: nonce.map { try AES.GCM.Nonce(data: $0) },
      authenticating: header + binding)
    return header + box.nonce + box.ciphertext + box.tag
  }

  /// The key that ``wrap(_:binding:)`` was given.
  ///
  /// Throws ``VaultError/unknownMasterKey(_:path:)`` when the ring does not hold the key it names,
  /// and `UnsealingError` when the bytes were changed or wrapped for something else.
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
      // Whether the length or the tag was wrong is the same to all callers: it is not theirs.
      throw UnsealingError()
    }
  }

  /// The nonce of a wrapped key.
  static func nonce(of wrapped: [UInt8]) -> [UInt8] {
    Array(wrapped.dropFirst(headerLength).prefix(nonceLength))
  }

  /// The master key that a wrapped key names; nil when the bytes are not a wrapped key.
  static func masterKey(of wrapped: [UInt8]) -> ID? {
    guard wrapped.count > headerLength, wrapped[0] == version else { return nil }
    return ID(rawValue: wrapped[1..<headerLength].reduce(0) { $0 << 8 | UInt32($1) })
  }

  /// The bytes that all keys begin with that the master key of that id wraps.
  static func header(_ id: ID) -> [UInt8] {
    [version] + withUnsafeBytes(of: id.rawValue.bigEndian, Array.init)
  }
}
