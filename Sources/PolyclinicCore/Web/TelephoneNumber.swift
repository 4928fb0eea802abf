/// The first telephone number in a text, as a telephone dials it.
///
/// People write several numbers into one field, extensions, and a trunk zero in parentheses:
/// `+44 (0)20 7946 0000 ext. 5`, `222-33-44/45`, `+7 495 123-45-67 (доб. 5)`.
struct TelephoneNumber {
  /// The digits to dial, with the `*` and `#` of a service code.
  private var digits = ""
  private var isInternational = false
  private var extensionDigits = ""

  /// Returns nil for a text without a number, and for one that does not show where its number ends.
  init?(_ text: String) {
    var scanner = TelephoneScanner(text)
    var short: TelephoneNumber?
    while scanner.skipToNumber() {
      guard let number = TelephoneNumber(&scanner) else { continue }
      guard number.digits.count <= number.mostDigits else { return nil }
      // One or two digits are rather the number of a room or a floor, if another number follows.
      if number.digits.count >= 3 {
        self = number
        return
      }
      short = short ?? number
    }
    guard let short else { return nil }
    self = short
  }

  /// Fifteen digits (ITU E.164), besides an international prefix of two.
  private var mostDigits: Int { digits.hasPrefix("00") ? 17 : 15 }

  /// The number as a `tel:` URL (RFC 3966).
  var url: String {
    let number = digits.contains("#") ? digits.replacing("#", with: "%23") : digits
    return "tel:\(isInternational ? "+" : "")\(number)"
      + (extensionDigits.isEmpty ? "" : ";ext=\(extensionDigits)")
  }
}

extension TelephoneNumber {
  /// Reads the number at the scanner's position. Returns nil for a word such as `1-800-FLOWERS`.
  private init?(_ scanner: inout TelephoneScanner) {
    let start = scanner.position
    isInternational = scanner.take("+")
    var digitsBeforeBlank = ""
    while let scalar = scanner.next, takes(scalar, from: scanner) {
      if scalar == " " { digitsBeforeBlank = digits }
      if !isTrunkZero(at: scanner) { append(scalar) }
      scanner.advance()
    }
    if scanner.isWithinHours, !digitsBeforeBlank.isEmpty { digits = digitsBeforeBlank }
    if scanner.next.isLetter, scanner.previous == "-", digits.count < Self.longestPrefix {
      return nil
    }
    digits = scanner.firstOfTwins(since: start) ?? digits
    extensionDigits = scanner.extensionDigits(afterInternational: isInternational)
  }

  /// The digits of country and area after which a subscriber's number follows. A text with more
  /// has had a whole number.
  private static let longestPrefix = 7

  private mutating func append(_ scalar: Unicode.Scalar) {
    if scalar.isDigit || scalar == "*" || scalar == "#" { digits.unicodeScalars.append(scalar) }
  }

  /// True if the character belongs to this number: a digit or a separator within it.
  private func takes(_ scalar: Unicode.Scalar, from scanner: TelephoneScanner) -> Bool {
    let isServiceCode = digits.hasPrefix("*")
    switch scalar {
    case " ", "-", ".", ")", "]": return true
    case "*": return digits.isEmpty || isServiceCode
    case "#": return isServiceCode
    case "(", "[", "\n": return digits.count < (scalar == "\n" ? 3 : Self.longestPrefix)
    case "/":
      // `030/1234567` is one number, `222-33-44/45` and `*5400 / 08-624-1010` are two.
      return digits.count < Self.longestPrefix && !isServiceCode && scanner.isSubscriberNext
    default: return scalar.isDigit
    }
  }

  /// True for the first zero in the parentheses of `+44 (0)20` and `+44 (020)`, which is dialled
  /// within the country only.
  private func isTrunkZero(at scanner: TelephoneScanner) -> Bool {
    let isAbroad = isInternational || digits.hasPrefix("00")
    guard isAbroad, scanner.next == "0", scanner.isBehindBracket else { return false }
    let country = digits.hasPrefix("00") ? String(digits.dropFirst(2)) : digits
    return !Self.countriesKeepingZeros.contains(country)
  }

  /// The calling codes of countries whose numbers begin with a zero from abroad too (ITU, national
  /// numbering plans): Italy, San Marino, Vatican City, Côte d'Ivoire, Benin, Gabon and Congo.
  private static let countriesKeepingZeros: Set = ["39", "378", "379", "225", "229", "241", "242"]
}

/// Scans a text of telephone numbers with digits of any script as ASCII, one kind of blank and
/// dash, and small letters.
private struct TelephoneScanner {
  private let text: [Unicode.Scalar]
  private(set) var position = 0

  /// The longest text that is read. Forms take 200 characters.
  private static let limit = 500

  init(_ text: String) {
    var plain: [Unicode.Scalar] = []
    for scalar in text.unicodeScalars.prefix(Self.limit).lazy.compactMap(Self.plain)
    where scalar != " " || plain.last != " " { plain.append(scalar) }
    self.text = plain
  }

  private static func plain(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    // Most texts are of ASCII alone, whose properties need no tables.
    switch scalar {
    case "\n", "\r": return "\n"
    case "\t", "\u{0B}", "\u{0C}", " ": return " "
    case "A"..."Z": return Unicode.Scalar(UInt8(scalar.value) | 0x20)
    case "\0"..."\u{7F}": return scalar
    default: break
    }
    let properties = scalar.properties
    switch properties.generalCategory {
    case .decimalNumber:
      return properties.numericValue.map { Unicode.Scalar(UInt8(ascii: "0") + UInt8($0)) }
    case .dashPunctuation: return "-"
    case .format: return nil
    case .mathSymbol where scalar == "\u{FF0B}": return "+"
    default:
      if properties.isWhitespace { return " " }
      let lowered = properties.lowercaseMapping.unicodeScalars
      return lowered.count == 1 ? lowered.first : scalar
    }
  }

  var next: Unicode.Scalar? { position < text.count ? text[position] : nil }
  var previous: Unicode.Scalar? { position > 0 ? text[position - 1] : nil }

  mutating func advance() { position += 1 }

  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    advance()
    return true
  }

  /// Moves to the next digit, or to the `+` or `*` before one; false if there is none.
  mutating func skipToNumber() -> Bool {
    while let scalar = next {
      if scalar.isDigit { return true }
      let follower = text[(position + 1)...].first { $0 != " " && $0 != "(" }
      if scalar == "+" || scalar == "*", follower?.isDigit == true { return true }
      advance()
    }
    return false
  }

  /// True if the last character but blanks was an opening bracket.
  var isBehindBracket: Bool {
    let last = text[..<position].last { $0 != " " }
    return last == "(" || last == "["
  }

  /// True if at least four digits follow the slash at this position, and no zero, with which an
  /// area begins.
  var isSubscriberNext: Bool {
    let rest = text[(position + 1)...].drop { $0 == " " }
    let digits = rest.prefix { $0.isDigit || " -".unicodeScalars.contains($0) }.filter(\.isDigit)
    return digits.count >= 4 && digits.first != "0"
  }

  /// True behind the first digits of opening hours, as in `222-33-44 8:00-20:00` and `24/7`.
  var isWithinHours: Bool {
    next == ":"
      || text[..<position].suffix(3).elementsEqual([" ", "2", "4"])
        && text[position...].starts(with: ["/", "7"])
  }

  /// The digits of the first of two numbers that only a blank separates and that are written alike:
  /// `222-33-44 222-33-45`.
  func firstOfTwins(since start: Int) -> String? {
    let run = text[start..<position].reversed().drop { $0 == " " }.reversed().map(\.self)
    let middle = run.count / 2
    guard run.count % 2 == 1, run[middle] == " " else { return nil }
    let (one, other) = (run[..<middle], run[(middle + 1)...])
    func shape(_ half: ArraySlice<Unicode.Scalar>) -> [Unicode.Scalar] {
      half.map { $0.isDigit ? "9" : $0 }
    }
    let digits = one.filter(\.isDigit)
    guard shape(one) == shape(other), digits.count >= (one.contains("-") ? 6 : 7) else {
      return nil
    }
    return String(String.UnicodeScalarView(digits))
  }

  /// Reads the extension behind a number; empty if there is none.
  mutating func extensionDigits(afterInternational isInternational: Bool) -> String {
    if let digits = pausedDigits(afterInternational: isInternational) { return digits }
    skip(" -(,;:.\n")
    if take("#") { return digits() }
    let start = position
    while next.isLetter { advance() }
    guard Self.isExtension(String(String.UnicodeScalarView(text[start..<position]))) else {
      return ""
    }
    skip(" .:=-#'\"")
    return digits()
  }

  /// Reads the digits that a telephone sends after a pause, as in `+15550105513,,5513#`. Returns
  /// nil if the comma rather separates two numbers.
  private mutating func pausedDigits(afterInternational isInternational: Bool) -> String? {
    let pauses = text[position...].prefix { ",;pw".unicodeScalars.contains($0) }
    guard pauses.count >= (isInternational ? 1 : 2) || next == "p" || next == "w" else {
      return nil
    }
    let rest = text[pauses.endIndex...]
    let digits = rest.prefix(while: \.isDigit)
    let follower = rest.dropFirst(digits.count).first { $0 != " " && $0 != "#" }
    guard (1...7).contains(digits.count), follower.map({ !$0.isDigit && $0 != "-" }) ?? true else {
      return nil
    }
    position = digits.endIndex
    return String(String.UnicodeScalarView(digits))
  }

  private mutating func skip(_ separators: String) {
    while let scalar = next, separators.unicodeScalars.contains(scalar) { advance() }
  }

  private mutating func digits() -> String {
    skip(" ")
    let digits = text[position...].prefix(while: \.isDigit)
    position = digits.endIndex
    return String(String.UnicodeScalarView(digits))
  }

  /// True for a word that announces an extension, in the portal's languages and some neighbours'.
  private static func isExtension(_ word: String) -> Bool {
    if ["x", "х", "вн", "dw", "int", "tst", "wew"].contains(word) { return true }
    let beginnings = [
      "ext", "доб", "внутр", "дод", "дад", "שלוח", "local", "poste", "durchwahl", "intern", "ramal",
      "anexo", "toestel",
    ]
    return beginnings.contains { word.hasPrefix($0) }
  }
}

extension Unicode.Scalar {
  fileprivate var isDigit: Bool { ("0"..."9").contains(self) }
}

extension Unicode.Scalar? {
  fileprivate var isLetter: Bool { self?.properties.isAlphabetic ?? false }
}
