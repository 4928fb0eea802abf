/// The number of a record in its table. Its type parameter lets the compiler tell it from the
/// numbers of other tables.
public struct ID<Record>: Sendable, Hashable, Comparable, CustomStringConvertible,
  LosslessStringConvertible
{
  /// The number in the database, from 1.
  public let rawValue: Int64

  /// Creates the ID of a record in this table. Does not check the number.
  @inlinable
  public init(_ rawValue: Int64) { self.rawValue = rawValue }

  /// Parses decimal digits without sign or leading zero; nil for anything else.
  public init?(_ text: String) {
    guard let first = text.utf8.first, (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(first),
      let value = Int64(text)
    else { return nil }
    rawValue = value
  }

  /// The number in decimal digits.
  public var description: String { String(rawValue) }

  /// Compares two IDs by the order in which their records were created.
  public static func < (one: ID, other: ID) -> Bool { one.rawValue < other.rawValue }
}

/// A person whose data the portal keeps, with or without an account. Used as the phantom type of
/// ``ID``.
public enum Person: Sendable {}
