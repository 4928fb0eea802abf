import CZxcvbn
import Foundation
import PolyclinicCore

/// Estimates the number of guesses that a password costs an attacker who knows common habits.
///
/// The password is read as the cheapest sequence of parts. The price of a part in bits is:
/// - a repetition or a run on a keyboard: little, regardless of its length,
/// - a common word: the price of choosing it from the list,
/// - a name of the person: almost nothing,
/// - any other letter or symbol: 4,
/// - a digit: 3 (log2 10),
/// - a separator: 1, eight for all of them.
///
/// A password below its ``Bound`` is refused, and the reason is the kind of part that made it
/// cheap. A phrase of a few ordinary words is far above.
///
/// libzxcvbn judges passwords in ASCII as well, because it knows tens of thousands of English
/// words, names and leaked passwords. It cannot judge others: it reads bytes, so that each Russian
/// letter costs 13 bits and no run on a Russian or Hebrew keyboard is one.
struct PasswordGuess {
  /// The number of code points that are checked. Longer passwords have cost enough by then, and the
  /// limit bounds the work of a request.
  private static let horizon = 128

  /// The number of bits that a password must cost.
  struct Bound {
    /// The least price of the cheapest sequence of parts.
    let price: Int
    /// The least estimate of libzxcvbn.
    let estimate: Double

    /// 15 digits (45) pass, and so do five common words with spaces (44). A common word (8) with
    /// eleven digits (33) is refused, and so is a date between two common words (40). libzxcvbn
    /// refuses half of all pairs of English words (median 29), and passes three words (median 40).
    static let alone = Bound(price: 42, estimate: 30)
    /// 8 digits (24) pass; a common word and four digits (20) are refused. libzxcvbn refuses a
    /// single word of its dictionary (at most 15), and passes a date (16).
    static let withSecondFactor = Bound(price: 22, estimate: 15)
  }

  private enum Price {
    static let letter = 4
    static let digit = 3
    static let separator = 1
    static let separators = 8
    static let repetition = 2
    static let run = 4
    static let common = 8
    static let personal = 2
  }

  /// The reason why the password costs too little; nil if it costs enough.
  let problem: PasswordPolicy.Problem?

  /// Rates a password. The `personal` words must be folded by ``folded(_:)``.
  init(_ password: String, personal: [String], bound: Bound = .alone) {
    let (points, separators) = Self.points(of: password)
    var cheapest = [Reading?](repeating: nil, count: points.count + 1)
    cheapest[0] = Reading(price: min(separators * Price.separator, Price.separators))
    let parts = Parts(points, personal: personal)
    for start in points.indices {
      guard let reading = cheapest[start] else { continue }
      for part in parts.starting(at: start) {
        let longer = reading.adding(part)
        if longer.price < cheapest[part.end]?.price ?? .max { cheapest[part.end] = longer }
      }
    }
    let reading = cheapest[points.count] ?? Reading(price: 0)
    if reading.price < bound.price {
      problem = reading.reason
    } else {
      problem = Self.estimate(points).map { $0 < bound.estimate } == true ? .common : nil
    }
  }

  /// The number of characters that libzxcvbn judges (ZXCVBN_DETAIL_LEN).
  private static let longestEstimate = 100

  /// Returns libzxcvbn's estimate in bits; nil for characters that it does not know, and for more
  /// than it judges.
  private static func estimate(_ points: [Unicode.Scalar]) -> Double? {
    guard points.count <= longestEstimate,
      points.allSatisfy({ (0x21...0x7e).contains($0.value) })
    else { return nil }
    return ZxcvbnMatch(String(String.UnicodeScalarView(points)), nil, nil)
  }

  /// Returns the text in lower case, with compatibility forms replaced and without diacritics,
  /// because attackers try these variants together.
  static func folded(_ text: String) -> String {
    text.precomposedStringWithCompatibilityMapping
      .folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
  }

  private static func points(of password: String) -> ([Unicode.Scalar], separators: Int) {
    let all = folded(password).unicodeScalars.prefix(horizon)
    let points = all.filter { !isSeparator($0) }
    return (Array(points), all.count - points.count)
  }

  private static func isSeparator(_ point: Unicode.Scalar) -> Bool {
    point.properties.isWhitespace || "-_.,".unicodeScalars.contains(point)
  }

  /// A part of the password. It begins at the end of the previous part.
  private struct Part {
    let end: Int
    let price: Int
    /// The kind of part that made it cheaper than its characters. `saving` is the difference in
    /// bits.
    var reason: PasswordPolicy.Problem?
    var saving = 0
  }

  /// The cheapest sequence of parts up to a position.
  private struct Reading {
    var price: Int
    private var savings: [PasswordPolicy.Problem: Int] = [:]

    init(price: Int) { self.price = price }

    func adding(_ part: Part) -> Reading {
      var reading = self
      reading.price += part.price
      if let reason = part.reason { reading.savings[reason, default: 0] += part.saving }
      return reading
    }

    /// The kind of part that saved most. If none did, the password consists of separators.
    var reason: PasswordPolicy.Problem {
      let order: [PasswordPolicy.Problem] = [.personal, .common, .sequence, .repeats]
      let most = savings.values.max() ?? 0
      return order.first { savings[$0] == most } ?? .repeats
    }
  }

  /// All parts that a password can be read as.
  private struct Parts {
    /// The longest block whose repetition is cheap. A longer block has cost enough the first time.
    private static let longestBlock = 40
    private static let shortestRun = 3

    private let points: [Unicode.Scalar]
    private let plain: [Int]
    private let words: [(points: [Unicode.Scalar], price: Int, reason: PasswordPolicy.Problem)]

    init(_ points: [Unicode.Scalar], personal: [String]) {
      self.points = points
      plain = points.map { $0.properties.numericType == .decimal ? Price.digit : Price.letter }
      words =
        personal.flatMap { [Array($0.unicodeScalars), $0.unicodeScalars.reversed()] }
        .map { ($0, Price.personal, .personal) }
        + PasswordGuess.commonWords.map { ($0, Price.common, .common) }
    }

    func starting(at start: Int) -> [Part] {
      var parts = [Part(end: start + 1, price: plain[start])]
      for word in words where matches(word.points, at: start) {
        parts.append(
          part(start, start + word.points.count, price: word.price, word.reason))
      }
      let run = points[start...].keyboardRun
      if run >= Self.shortestRun {
        parts.append(part(start, start + run, price: Price.run, .sequence))
      }
      return parts + repetitions(at: start)
    }

    /// Returns the repetitions of the blocks that end at `start`. The last repetition may be cut
    /// off.
    private func repetitions(at start: Int) -> [Part] {
      guard start > 0 else { return [] }
      return (1...min(start, Self.longestBlock)).compactMap { length in
        var end = start
        while end < points.count, points[end] == points[end - length] { end += 1 }
        return end - start >= max(length, 2)
          ? part(start, end, price: Price.repetition, .repeats) : nil
      }
    }

    private func part(
      _ start: Int, _ end: Int, price: Int, _ reason: PasswordPolicy.Problem
    ) -> Part {
      let saving = plain[start..<end].reduce(-price, +)
      return Part(end: end, price: price, reason: reason, saving: saving)
    }

    private func matches(_ word: [Unicode.Scalar], at start: Int) -> Bool {
      guard word.count <= points.count - start else { return false }
      return word.indices.allSatisfy { index in
        let point = points[start + index]
        return point == word[index]
          || PasswordGuess.disguises[point]?.contains(word[index]) == true
      }
    }
  }
}
