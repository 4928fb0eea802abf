extension SearchText {
  /// The parsed and folded text of a search field.
  ///
  /// - Each of its words must begin a word of the result, in any order.
  /// - A run of three or more digits may instead match anywhere in a telephone number.
  /// - A query without words matches everything.
  public struct Query: Sendable {
    /// The words, folded and without punctuation.
    public let words: [[UInt8]]
    /// The longest run of at least three digits; spaces, `+`, `-`, `(` and `)` do not end the run
    /// and are removed.
    public let digits: [UInt8]?
    /// The last digits of a longer run, which a number has with any country or trunk code.
    private let lastDigits: [UInt8]?
    /// The words that contain anything but digits.
    private let lettered: [[UInt8]]
    /// The words that were typed in capitals and are short enough for an abbreviation, folded.
    private(set) var abbreviations: Set<[UInt8]>

    /// Returns the part of a text that a query reads: the first 200 Unicode scalars, because no
    /// name is longer.
    public static func read(_ typed: String) -> String {
      var beginning = String.UnicodeScalarView()
      beginning.append(contentsOf: typed.unicodeScalars.prefix(200))
      return String(beginning)
    }

    /// Parses a text.
    public init(_ typed: String) {
      let beginning = Self.read(typed)
      let folded = foldedBytes(beginning)
      words = folded.split { !$0.isPartOfWord }.map(Array.init)
      digits = Self.longestRun(in: folded)
      lastDigits = digits.flatMap { $0.count > 9 ? Array($0.suffix(9)) : nil }
      lettered = words.filter { !$0.allSatisfy(\.isASCIIDigit) }
      abbreviations = Self.abbreviations(in: beginning)
    }

    private static func abbreviations(in typed: String) -> Set<[UInt8]> {
      let capitals = typed.split { !$0.isLetter }
        .filter { $0.count <= 5 && $0.allSatisfy(\.isUppercase) }
      return Set(capitals.map { foldedBytes(String($0)) })
    }

    /// True if the query has no words and so matches everything.
    public var isEmpty: Bool { words.isEmpty }

    /// The folded words in a row.
    package var text: String {
      words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
    }

    /// Returns the query without these folded words.
    package func leavingOut(_ left: Set<[UInt8]>) -> Query {
      var rest = Query(
        words.filter { !left.contains($0) }.map { String(decoding: $0, as: UTF8.self) }
          .joined(separator: " "))
      // The folded words show no capitals.
      rest.abbreviations = abbreviations
      return rest
    }

    /// True if every word of the query begins a word of the text.
    public func matches(_ text: SearchText) -> Bool {
      words.allSatisfy(text.hasWord)
    }

    /// True if a person with this name and these telephone numbers matches.
    ///
    /// Either all words match the name, or the words with letters match the name and the digits
    /// occur in a number ("anna 29 12"). Of ten or more digits the last nine are enough, because
    /// people dial 050 123 4567 and write +972 50 123 4567. All numbers are in one slice, separated
    /// by any byte that is not a digit.
    public func matches(_ name: SearchText, joinedDigits numbers: ArraySlice<UInt8>) -> Bool {
      name.folded.withUnsafeBufferPointer { name in
        numbers.withUnsafeBufferPointer { matches(folded: name, joinedDigits: $0) }
      }
    }

    /// As ``matches(_:joinedDigits:)``, with a folded name and numbers that are ranges of a buffer.
    public func matches(
      folded name: Range<Int>, joinedDigits numbers: Range<Int>, in buffer: ArraySlice<UInt8>
    ) -> Bool {
      buffer.withParts(name, numbers) { matches(folded: $0, joinedDigits: $1) }
    }

    /// True if every word of the query begins a word of a folded name or of further folded words.
    /// The query does not match the name alone, as ``matches(folded:joinedDigits:in:)`` has found.
    package func matches(
      folded name: Range<Int>, or further: Range<Int>, in buffer: ArraySlice<UInt8>
    ) -> Bool {
      // Therefore a single word is not looked for in the name again.
      let isSingle = words.count == 1
      return buffer.withParts(name, further) { name, further in
        words.allSatisfy { word in
          SearchText.hasWord(in: further, startingWith: word)
            || !isSingle && SearchText.hasWord(in: name, startingWith: word)
        }
      }
    }

    private func matches(
      folded name: UnsafeBufferPointer<UInt8>, joinedDigits numbers: UnsafeBufferPointer<UInt8>
    ) -> Bool {
      if words.allSatisfy({ SearchText.hasWord(in: name, startingWith: $0) }) { return true }
      guard let digits,
        Self.contains(digits, in: numbers)
          || lastDigits.map({ Self.contains($0, in: numbers) }) == true
      else { return false }
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
}

extension ArraySlice<UInt8> {
  /// Calls `body` with two parts of the buffer.
  fileprivate func withParts(
    _ one: Range<Int>, _ other: Range<Int>,
    _ body: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Bool
  ) -> Bool {
    withUnsafeBufferPointer { bytes in
      func part(_ place: Range<Int>) -> UnsafeBufferPointer<UInt8> {
        let start = place.lowerBound - startIndex
        return UnsafeBufferPointer(rebasing: bytes[start..<start + place.count])
      }
      return body(part(one), part(other))
    }
  }
}
