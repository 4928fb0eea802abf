import Foundation
import PolyclinicCore

/// The positions of towns, found by any of their names in any script.
///
/// Lookups search the bytes of the file directly, so that thirty thousand lines need no parsing.
/// The file's format:
///
/// - `=CC` begins a country; its towns follow, the most populous first.
/// - `latitude longitude thousands|English|Русский|עברית|folded name|folded name|…|` is a town.
public struct Gazetteer: Sendable {
  /// The file, followed by a zero byte for `strstr`.
  private let bytes: [UInt8]
  /// The byte range of each country's lines.
  private let countries: [String: Range<Int>]

  /// Creates a gazetteer; only the countries' headings are indexed.
  public init(_ bytes: [UInt8]) {
    var starts: [(code: String, heading: Int)] = []
    let mark = Array("\n=".utf8)
    let bytes = bytes + [0]
    var rest = bytes.indices
    while let heading = bytes.firstPlace(of: mark, in: rest) {
      rest = heading + mark.count..<bytes.endIndex
      let code = bytes[rest].prefix { $0 != UInt8(ascii: "\n") }
      starts.append((String(decoding: code, as: UTF8.self), heading))
    }
    let ends = starts.dropFirst().map(\.heading) + [bytes.endIndex]
    countries = Dictionary(
      zip(starts, ends).map { ($0.code, $0.heading + 4..<max($0.heading + 4, $1)) },
      uniquingKeysWith: { one, _ in one })
    self.bytes = bytes
  }

  /// A town with its position.
  public struct Place: Sendable, Hashable {
    /// The ISO 3166-1 alpha-2 code of the town's country.
    public let country: String
    /// The position of the town's centre.
    public let coordinates: Coordinates
    fileprivate let thousands: Int
    fileprivate let names: [String]

    /// Returns the town's name in a language, or in English if that is unknown.
    public func name(in language: Language) -> String {
      let place = Language.allCases.firstIndex(of: language) ?? 0
      return names[place].isEmpty ? names[0] : names[place]
    }
  }

  /// Returns the most populous town with that name, in one country or, for nil, in any; nil if
  /// there is none.
  ///
  /// Names match in any script, and regardless of case and accents.
  public func place(_ name: String, in country: String?) -> Place? {
    let folded = foldedBytes(name)
    guard Self.isName(folded) else { return nil }
    let bar = [UInt8(ascii: "|")]
    var found: Place?
    forEachLine(holding: bar + folded + bar, within: lines(of: country)) { line in
      guard let place = place(in: line) else { return true }
      if place.thousands > found?.thousands ?? -1 { found = place }
      // The towns of one country are sorted, the most populous first.
      return country == nil
    }
    return found
  }

  /// Returns towns that a person may have meant by `name`, the most similar first and of equally
  /// similar ones the most populous.
  ///
  /// They are corrections for a name that ``place(_:in:)`` does not find. A town is suggested if
  /// one of its names begins with the same two letters and is similar: one slip of the pen for each
  /// four letters is allowed. The end of the town's name may be missing.
  public func suggestions(_ name: String, in country: String?, limit: Int) -> [Place] {
    let typed = Array(folded(name).unicodeScalars)
    guard typed.count >= 2, Self.isName(Array(folded(name).utf8)) else { return [] }
    let beginning = String(String.UnicodeScalarView(typed.prefix(2)))
    let most = typed.count / 4
    var found: [(slips: Int, place: Place)] = []
    forEachLine(holding: Array("|\(beginning)".utf8), within: lines(of: country)) { line in
      let names = bytes[line].split(separator: UInt8(ascii: "|")).dropFirst()
      let slips = names.compactMap { name -> Int? in
        let name = Array(String(decoding: name, as: UTF8.self).unicodeScalars)
        return name.prefix(2) == typed.prefix(2) && name.count + most >= typed.count
          ? typed.slips(forBeginningOf: name) : nil
      }.min()
      if let slips, slips <= most, let place = place(in: line) {
        found.append((slips, place))
      }
      return true
    }
    return found.sorted { ($0.slips, -$0.place.thousands) < ($1.slips, -$1.place.thousands) }
      .prefix(limit).map(\.place)
  }

  /// Returns the most populous towns of a country at positions that `isWanted` accepts, at most
  /// `limit`.
  ///
  /// Only the positions of the country's other towns are read.
  public func largest(
    in country: String, limit: Int, where isWanted: (Coordinates) -> Bool
  ) -> [Place] {
    guard var rest = countries[country] else { return [] }
    var found: [Place] = []
    while found.count < limit, !rest.isEmpty {
      let end = bytes[rest].firstIndex(of: UInt8(ascii: "\n")) ?? rest.upperBound
      if let coordinates = position(in: rest.lowerBound..<end), isWanted(coordinates),
        let place = Self.place(bytes[rest.lowerBound..<end], in: country)
      {
        found.append(place)
      }
      rest = min(end + 1, rest.upperBound)..<rest.upperBound
    }
    return found
  }

  /// Returns the position at the beginning of a line; nil for another line.
  private func position(in line: Range<Int>) -> Coordinates? {
    let numbers = bytes[line].prefix(24).split(separator: UInt8(ascii: " "), maxSplits: 2)
    guard numbers.count == 3, let latitude = Double(String(decoding: numbers[0], as: UTF8.self)),
      let longitude = Double(String(decoding: numbers[1], as: UTF8.self))
    else { return nil }
    return Coordinates(latitude: latitude, longitude: longitude)
  }

  /// True for a text of 1 to 200 bytes without the separator of names.
  private static func isName(_ folded: [UInt8]) -> Bool {
    (1...200).contains(folded.count) && !folded.contains(UInt8(ascii: "|"))
  }

  /// Returns the lines of a country, or for nil of all countries.
  private func lines(of country: String?) -> Range<Int> {
    guard let country else { return bytes.indices }
    return countries[country] ?? 0..<0
  }

  /// Calls `body` with each line that contains the pattern, until it returns false.
  private func forEachLine(
    holding pattern: [UInt8], within lines: Range<Int>, _ body: (Range<Int>) -> Bool
  ) {
    var rest = lines
    while let hit = bytes.firstPlace(of: pattern, in: rest) {
      let start = bytes[..<hit].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
      let end = bytes[hit...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
      guard body(start..<end) else { return }
      rest = min(end, lines.upperBound)..<lines.upperBound
    }
  }

  /// Returns the town of a line; nil for another line.
  private func place(in line: Range<Int>) -> Place? {
    let country = countries.first { $0.value.contains(line.lowerBound) }?.key ?? ""
    return Self.place(bytes[line], in: country)
  }

  private static func place(_ line: ArraySlice<UInt8>, in country: String) -> Place? {
    let fields = line.split(
      separator: UInt8(ascii: "|"), maxSplits: 4, omittingEmptySubsequences: false
    ).map { String(decoding: $0, as: UTF8.self) }
    let numbers = (fields.first ?? "").split(separator: " ")
    guard fields.count == 5, numbers.count == 3, let latitude = Double(numbers[0]),
      let longitude = Double(numbers[1]), let thousands = Int(numbers[2]),
      let coordinates = Coordinates(latitude: latitude, longitude: longitude)
    else { return nil }
    return Place(
      country: country, coordinates: coordinates, thousands: thousands, names: Array(fields[1...3]))
  }
}

extension [UInt8] {
  /// Returns the index of the first occurrence of `pattern` within a part of these bytes, the last
  /// of which must be zero.
  ///
  /// It uses C's `strstr`, which compares many bytes at once.
  fileprivate func firstPlace(of pattern: [UInt8], in part: Range<Int>) -> Int? {
    if part.isEmpty { return nil }
    return withUnsafeBytes { bytes in
      guard let start = bytes.assumingMemoryBound(to: CChar.self).baseAddress else { return nil }
      let hit = (pattern + [0]).withUnsafeBytes { pattern in
        pattern.assumingMemoryBound(to: CChar.self).baseAddress.flatMap {
          strstr(start + part.lowerBound, $0)
        }
      }
      return hit.map { UnsafePointer($0) - start }.flatMap { part.contains($0) ? $0 : nil }
    }
  }
}
