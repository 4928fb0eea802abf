/// Keys that encrypt and decrypt one person's data, or the portal's own data.
///
/// Only the portal provides a person's keys, and it logs an access by another person.
public struct Keys: Sendable {
  /// The person whose data the keys decrypt; 0, which is no person's number, for ``portal``.
  public let person: ID<Person>
  private let cipher: any Cipher
  private let portalCipher: any Cipher

  /// Creates keys; only the vault does this, and tests with ciphers of their own.
  package init(person: ID<Person>, cipher: any Cipher, portal: any Cipher) {
    self.person = person
    self.cipher = cipher
    portalCipher = portal
  }

  /// Creates the portal's own keys.
  package init(portal cipher: any Cipher) {
    self.init(person: ID(0), cipher: cipher, portal: cipher)
  }

  /// The portal's own keys, the same as ``Portal/keys``, for exports, which receive only a person's
  /// keys.
  public var portal: Keys { Keys(portal: portalCipher) }

  /// Encrypts bytes and binds them to this name, person and row, which are required to decrypt
  /// them.
  public func seal(_ plain: [UInt8], as name: StaticString, row: Int64) throws -> Sealed {
    try seal(plain, as: ColumnName(name), row: row)
  }

  func seal(_ plain: [UInt8], as name: ColumnName, row: Int64) throws -> Sealed {
    Sealed(try cipher.seal(plain, binding: binding(name, row)))
  }

  /// Decrypts bytes that were sealed with this name, person and row.
  ///
  /// Throws `UnsealingError` for any others.
  public func open(_ sealed: Sealed, as name: StaticString, row: Int64) throws -> [UInt8] {
    try open(sealed, as: ColumnName(name), row: row)
  }

  @usableFromInline
  func open(_ sealed: Sealed, as name: ColumnName, row: Int64) throws -> [UInt8] {
    try cipher.open(sealed.bytes, binding: binding(name, row))
  }

  private func binding(_ name: ColumnName, _ row: Int64) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(
      name.table.utf8CodeUnitCount + name.column.utf8CodeUnitCount + 17)
    bytes.append(name.table)
    bytes.append(name.column)
    bytes.append(0)
    for value in [person.rawValue, row] {
      withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }
    return bytes
  }
}

extension Keys {
  /// The name that seals a value for its column, such as `contacts.sealed`, whole or in two parts.
  @usableFromInline
  struct ColumnName: Sendable, CustomStringConvertible {
    let table: StaticString
    let column: StaticString
    @usableFromInline var description: String { "\(table)\(column)" }

    init(_ table: StaticString, _ column: StaticString = "") {
      self.table = table
      self.column = column
    }
  }
}

/// Authenticated encryption with one key and a fresh nonce for each message.
package protocol Cipher: Sendable {
  /// Encrypts bytes; decryption requires the same key and binding.
  func seal(_ plain: [UInt8], binding: [UInt8]) throws -> [UInt8]
  /// Decrypts bytes; throws `UnsealingError` if they were not sealed with this key and binding.
  func open(_ sealed: [UInt8], binding: [UInt8]) throws -> [UInt8]
}

/// A failed decryption: the data was changed or moved, or belongs to another person.
package struct UnsealingError: Error, Sendable {
  /// Creates an error without details about the data.
  package init() {}
}
