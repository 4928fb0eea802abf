/// A module's name for ever: the prefix of its addresses, tables, settings and commands.
public struct ModuleID: Sendable, Hashable, Comparable, ExpressibleByStringLiteral,
  CustomStringConvertible
{
  /// Lower-case letters and digits in words joined by hyphens, such as `health-metrics`.
  public let rawValue: String

  /// Checked with all else about the module when the installation is put together.
  public init(stringLiteral value: StaticString) { rawValue = value.description }

  /// Nil when the text is not of the form of ``rawValue``.
  public init?(_ text: String) {
    guard Self.isValid(text) else { return nil }
    rawValue = text
  }

  /// Whether a text is of the form of ``rawValue``.
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

  /// What the module's tables begin with: `health_metrics_`.
  public var tablePrefix: String {
    String(rawValue.map { $0 == "-" ? "_" : $0 }) + "_"
  }

  /// The same as ``rawValue``.
  public var description: String { rawValue }

  /// In the order of the alphabet.
  public static func < (one: ModuleID, other: ModuleID) -> Bool { one.rawValue < other.rawValue }
}
