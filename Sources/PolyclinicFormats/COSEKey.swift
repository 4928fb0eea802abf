/// A public key in the form of COSE (RFC 9052, 7), for the algorithms of passkeys.
public enum COSEKey: Sendable, Equatable {
  /// A point of P-256 for ES256, whose coordinates have 32 bytes (RFC 9053, 7.1.1).
  case es256(x: [UInt8], y: [UInt8])
  /// An RSA key for RS256 (RFC 8230, 4; RFC 8812, 2), of 8192 bits at most, because a longer one
  /// makes each verification slow.
  case rs256(modulus: [UInt8], exponent: [UInt8])

  /// The error of an item that is not such a key.
  public enum Fault: Error, Sendable, Equatable {
    /// The key is for another algorithm, or names none.
    case algorithm
    /// The item is no map, or lacks a part of the key.
    case key
  }

  /// The numbers of the algorithms (IANA, "COSE Algorithms"), the preferred one first.
  public static let algorithms: [Int64] = [-7, -257]

  /// Reads the key from its CBOR item.
  public init(_ item: CBOR) throws(Fault) {
    guard case .map = item else { throw .key }
    switch item[3]?.integer {
    case -7:
      // The type is 2, and the curve 1 is P-256.
      guard item[1] == 2, item[-1] == 1, let x = item[-2]?.bytes, let y = item[-3]?.bytes,
        x.count == 32, y.count == 32
      else { throw .key }
      self = .es256(x: x, y: y)
    case -257:
      guard item[1] == 3, let modulus = item[-1]?.bytes, let exponent = item[-2]?.bytes,
        modulus.count <= 1_024, exponent.count <= 8
      else { throw .key }
      self = .rs256(modulus: modulus, exponent: exponent)
    default: throw .algorithm
    }
  }
}
