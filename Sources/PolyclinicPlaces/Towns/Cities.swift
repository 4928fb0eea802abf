import PolyclinicCore

/// The names of larger towns, suggested while the user types an address.
///
/// A file has one line for each town, `CC|English|Русский|עברית`, the most populous first. An
/// unknown name is empty. Lines that begin with `#` are comments that name the source.
public struct Cities: Sendable {
  private let bytes: [UInt8]
  /// The indices at which the lines of each country begin, in the order of the file.
  private let starts: [String: [Int]]

  /// Creates a list without towns.
  public init() {
    bytes = []
    starts = [:]
  }

  /// Indexes at most `limit` lines; throws ``CitiesError`` if one is malformed.
  public init(_ bytes: [UInt8], limit: Int = .max) throws(CitiesError) {
    var starts: [String: [Int]] = [:]
    var count = 0
    var number = 0
    for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      number += 1
      if line.isEmpty || line.first == UInt8(ascii: "#") { continue }
      if count == limit { break }
      guard let country = Self.country(of: line) else { throw CitiesError(line: number) }
      starts[country, default: []].append(line.startIndex)
      count += 1
    }
    self.bytes = bytes
    self.starts = starts
  }

  /// Returns the names of the most populous towns of a country, in English if the language has
  /// none.
  ///
  /// Returns an empty array for an unknown country.
  public func suggestions(in country: String, language: Language, limit: Int) -> [String] {
    (starts[country] ?? []).prefix(limit).map { name(at: $0, in: language) }
  }

  private func name(at start: Int, in language: Language) -> String {
    let line = bytes[start...].prefix { $0 != UInt8(ascii: "\n") }
    let names = line.split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false)
    let column =
      switch language {
      case .english: 1
      case .russian: 2
      case .hebrew: 3
      }
    return String(decoding: names[column].isEmpty ? names[1] : names[column], as: UTF8.self)
  }

  /// Returns the country code of a well-formed line: two capitals, an English name, three
  /// separators.
  private static func country(of line: ArraySlice<UInt8>) -> String? {
    let capitals = UInt8(ascii: "A")...UInt8(ascii: "Z")
    let code = line.prefix(2)
    guard code.count == 2, code.allSatisfy(capitals.contains),
      line.count(where: { $0 == UInt8(ascii: "|") }) == 3
    else { return nil }
    let rest = line.dropFirst(2).prefix(2)
    guard rest.first == UInt8(ascii: "|"), let initial = rest.last, initial != UInt8(ascii: "|")
    else { return nil }
    return String(decoding: code, as: UTF8.self)
  }
}

/// A malformed line in a list of towns.
public struct CitiesError: Error, Equatable, CustomStringConvertible {
  /// The line in the list, from 1.
  public let line: Int

  /// The line and its expected form.
  public var description: String {
    "list of towns, line \(line): not of the form “CC|English|Русский|עברית”"
  }
}
