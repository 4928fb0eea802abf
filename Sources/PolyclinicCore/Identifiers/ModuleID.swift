/// A module's permanent identifier: the prefix of its addresses, tables, settings and commands.
public struct ModuleID: Sendable, Hashable, Comparable, ExpressibleByStringLiteral,
  CustomStringConvertible
{
  /// The identifier: lower-case letters and digits in words joined by hyphens, such as
  /// `health-metrics`.
  public let rawValue: String

  /// Creates an identifier without a check; the installation validates it together with the rest of
  /// the module.
  public init(stringLiteral value: StaticString) { rawValue = value.description }

  /// Creates an identifier; nil if the text does not have the form of ``rawValue``.
  public init?(_ text: String) {
    guard Self.isValid(text) else { return nil }
    rawValue = text
  }

  /// Returns true if the text has the form of ``rawValue``.
  public static func isValid(_ text: String) -> Bool {
    guard let first = text.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first)
    else { return false }
    let words = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    return words.allSatisfy { word in
      !word.isEmpty
        && word.allSatisfy {
          (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
        }
    }
  }

  /// The prefix of the module's tables, such as `health_metrics_`.
  public var tablePrefix: String {
    String(rawValue.map { $0 == "-" ? "_" : $0 }) + "_"
  }

  /// The same as ``rawValue``.
  public var description: String { rawValue }

  /// Orders identifiers alphabetically.
  public static func < (one: ModuleID, other: ModuleID) -> Bool { one.rawValue < other.rawValue }
}
