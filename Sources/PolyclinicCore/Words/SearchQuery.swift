/// What somebody typed into a search field, folded once.
///
/// Each word of it has to begin a word of what is found, in any order. A run of three or more digits
/// may instead stand anywhere in a telephone number. Nothing but punctuation matches all.
public struct SearchQuery: Sendable {
  /// Folded, without punctuation.
  public let words: [[UInt8]]
  /// The longest run of at least three digits, spaces, `+`, `-`, `(` and `)` within it left out.
  public let digits: [UInt8]?
  /// The words that are not digits alone.
  private let lettered: [[UInt8]]

  /// At most 200 Unicode scalars are looked at: nothing longer names anybody.
  public init(_ typed: String) {
    var beginning = String.UnicodeScalarView()
    beginning.append(contentsOf: typed.unicodeScalars.prefix(200))
    let folded = foldedBytes(String(beginning))
    words = folded.split { !$0.isPartOfWord }.map(Array.init)
    digits = Self.longestRun(in: folded)
    lettered = words.filter { !$0.allSatisfy(\.isASCIIDigit) }
  }

  /// Whether it asks for nothing, and so matches all.
  public var isEmpty: Bool { words.isEmpty }

  /// Whether every word begins a word of the text.
  public func matches(_ text: SearchText) -> Bool {
    words.allSatisfy(text.hasWord)
  }

  /// Whether somebody with this name and these numbers is meant: by the words alone, or by the words
  /// of letters in the name and the digits in a number ("anna 29 12").
  ///
  /// The numbers are in one slice, with anything but a digit between two of them.
  public func matches(_ name: SearchText, joinedDigits numbers: ArraySlice<UInt8>) -> Bool {
    name.folded.withUnsafeBufferPointer { name in
      numbers.withUnsafeBufferPointer { matches(folded: name, joinedDigits: $0) }
    }
  }

  /// As ``matches(_:joinedDigits:)``, of a folded name and of numbers that stand in a buffer.
  public func matches(
    folded name: Range<Int>, joinedDigits numbers: Range<Int>, in buffer: ArraySlice<UInt8>
  ) -> Bool {
    buffer.withUnsafeBufferPointer { bytes in
      func part(_ place: Range<Int>) -> UnsafeBufferPointer<UInt8> {
        let start = place.lowerBound - buffer.startIndex
        return UnsafeBufferPointer(rebasing: bytes[start..<start + place.count])
      }
      return matches(folded: part(name), joinedDigits: part(numbers))
    }
  }

  private func matches(
    folded name: UnsafeBufferPointer<UInt8>, joinedDigits numbers: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    if words.allSatisfy({ SearchText.hasWord(in: name, startingWith: $0) }) { return true }
    guard let digits, Self.contains(digits, in: numbers) else { return false }
    return lettered.allSatisfy { SearchText.hasWord(in: name, startingWith: $0) }
  }

  private static func contains(_ wanted: [UInt8], in number: UnsafeBufferPointer<UInt8>) -> Bool {
    guard number.count >= wanted.count else { return false }
    return wanted.withUnsafeBufferPointer { wanted in
      (0...(number.count - wanted.count)).contains { start in
        number[start] == wanted[0]
          && UnsafeBufferPointer(rebasing: number[start...].prefix(wanted.count)).elementsEqual(
            wanted)
      }
    }
  }

  private static func longestRun(in folded: [UInt8]) -> [UInt8]? {
    let runs = folded.split { !($0.isASCIIDigit || " +-()".utf8.contains($0)) }
    let longest = runs.map { $0.filter(\.isASCIIDigit) }.max { $0.count < $1.count }
    return longest.flatMap { $0.count >= 3 ? $0 : nil }
  }
}
