/// The number of a record in its table, told apart from those of other tables by the compiler.
public struct ID<Record>: Sendable, Hashable, Comparable, CustomStringConvertible,
  LosslessStringConvertible
{
  /// The number as the database has it, from 1.
  public let rawValue: Int64

  /// Takes a number for one of this table; the compiler believes it.
  @inlinable
  public init(_ rawValue: Int64) { self.rawValue = rawValue }

  /// Reads decimal digits without sign or leading zero; nil for anything else.
  public init?(_ text: String) {
    guard let first = text.utf8.first, (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(first),
      let value = Int64(text)
    else { return nil }
    rawValue = value
  }

  /// The number in decimal digits.
  public var description: String { String(rawValue) }

  /// In the order in which the records were made.
  public static func < (one: ID, other: ID) -> Bool { one.rawValue < other.rawValue }
}

/// Somebody whose data the portal keeps, with or without an account: the phantom type of ``ID``.
public enum Person: Sendable {}
