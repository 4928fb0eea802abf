/// Keys that seal and open one person's data, or what belongs to the portal itself.
///
/// Only the portal hands out a person's keys, and records it when the asker is another person.
public struct Keys: Sendable {
  /// The person whose data they open; 0, which is no person's number, for ``portal``.
  public let person: ID<Person>
  private let cipher: any Cipher
  private let portalCipher: any Cipher

  /// Made by the vault alone; a test may bring ciphers of its own.
  public init(person: ID<Person>, cipher: any Cipher, portal: any Cipher) {
    self.person = person
    self.cipher = cipher
    portalCipher = portal
  }

  /// Makes the portal's own keys.
  public init(portal cipher: any Cipher) {
    self.init(person: ID(0), cipher: cipher, portal: cipher)
  }

  /// The portal's own keys, as ``Portal/keys``: for an export, which is given a person's keys alone.
  public var portal: Keys { Keys(portal: portalCipher) }

  /// Seals bytes for one place: they open under the same name, person and row only.
  public func seal(_ plain: [UInt8], as name: StaticString, row: Int64) throws -> Sealed {
    Sealed(try cipher.seal(plain, binding: binding(name, row)))
  }

  /// Opens what was sealed for this place; throws ``UnsealingError`` for anything else.
  public func open(_ sealed: Sealed, as name: StaticString, row: Int64) throws -> [UInt8] {
    try cipher.open(sealed.bytes, binding: binding(name, row))
  }

  private func binding(_ name: StaticString, _ row: Int64) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(name.utf8CodeUnitCount + 17)
    bytes.append(name)
    bytes.append(0)
    for value in [person.rawValue, row] {
      withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }
    return bytes
  }
}

/// Authenticated encryption under one key, with a fresh nonce for each message.
public protocol Cipher: Sendable {
  /// Encrypts bytes so that they open with the same key and binding only.
  func seal(_ plain: [UInt8], binding: [UInt8]) throws -> [UInt8]
  /// Throws ``UnsealingError`` when the bytes were not sealed with this key and binding.
  func open(_ sealed: [UInt8], binding: [UInt8]) throws -> [UInt8]
}

/// Sealed data does not open: it was changed, moved, or belongs to somebody else.
public struct UnsealingError: Error, Sendable {
  /// Says nothing of what did not open.
  public init() {}
}
