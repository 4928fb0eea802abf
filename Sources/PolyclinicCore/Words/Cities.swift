/// Names of larger towns, to suggest while somebody types an address.
///
/// A file has a line for each, `CC|English|Русский|עברית`, the most populous first; a name that is not
/// known is empty, and lines that begin with `#` tell where the rest comes from.
public struct Cities: Sendable {
  private let bytes: [UInt8]
  /// Where the lines of a country begin, in the order of the file.
  private let starts: [String: [Int]]

  /// Knows no towns.
  public init() {
    bytes = []
    starts = [:]
  }

  /// Finds the lines, at most `limit` of them; throws a ``CitiesError`` for one that is malformed.
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

  /// The largest towns of a country by name in a language, in English where that is not known; none
  /// for an unknown country.
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

  /// The country of a line that is whole: two capitals, an English name, three separators.
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
  /// Where in the list, from 1.
  public let line: Int

  /// Where it is, and what a line should look like.
  public var description: String {
    "list of towns, line \(line): not of the form “CC|English|Русский|עברית”"
  }
}
