import Foundation
import PolyclinicCore

/// How few guesses a password costs somebody who tries what people make up.
///
/// The password is read as the cheapest row of parts, each with its price in bits: a repetition or a
/// run on a keyboard costs little, however long; a common word costs that of the list it is from, a
/// name of the person next to nothing; any other letter or sign 4 bits, a digit 3 (log2 10), a
/// separator 1, eight in all. Below `enough` it is refused, for the kind of part that made it cheap. A phrase of
/// a few ordinary words is far above.
struct PasswordGuess {
  /// Only so many points are looked at: who types more has typed enough by then, and a request should
  /// not buy much work.
  private static let horizon = 128
  /// 15 digits (45) pass, and so do five common words with spaces (44); a common word (8) and eleven
  /// digits (33) do not, nor does a date between two common words (40).
  static let enough = 42
  /// With a second factor: 8 digits (24) pass, a common word and four digits (20) do not.
  static let enoughWithSecondFactor = 22

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

  /// Why the password costs too little; nil when it costs enough.
  let problem: PasswordPolicy.Problem?

  /// `personal` words are folded by ``folded(_:)``.
  init(_ password: String, personal: [String], enough: Int = enough) {
    let (points, separators) = Self.points(of: password)
    var cheapest = [Way?](repeating: nil, count: points.count + 1)
    cheapest[0] = Way(price: min(separators * Price.separator, Price.separators))
    let parts = Parts(points, personal: personal)
    for start in points.indices {
      guard let way = cheapest[start] else { continue }
      for part in parts.starting(at: start) {
        let longer = way.adding(part)
        if longer.price < cheapest[part.end]?.price ?? .max { cheapest[part.end] = longer }
      }
    }
    let way = cheapest[points.count] ?? Way(price: 0)
    problem = way.price < enough ? way.reason : nil
  }

  /// Lower case, compatibility forms replaced, without diacritics: what guessers try together.
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

  /// A part of the password, from where the parts before it end.
  private struct Part {
    let end: Int
    let price: Int
    /// What made it cheaper than its characters, and by how many bits.
    var reason: PasswordPolicy.Problem?
    var saving = 0
  }

  /// The parts up to some place.
  private struct Way {
    var price: Int
    private var savings: [PasswordPolicy.Problem: Int] = [:]

    init(price: Int) { self.price = price }

    func adding(_ part: Part) -> Way {
      var way = self
      way.price += part.price
      if let reason = part.reason { way.savings[reason, default: 0] += part.saving }
      return way
    }

    /// The kind of part that saved most. Where none did, the password is all separators.
    var reason: PasswordPolicy.Problem {
      let order: [PasswordPolicy.Problem] = [.personal, .common, .sequence, .repeats]
      let most = savings.values.max() ?? 0
      return order.first { savings[$0] == most } ?? .repeats
    }
  }

  /// All parts that a password can be read as.
  private struct Parts {
    /// Longer blocks that come twice have cost enough the first time.
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
        + CommonPasswords.words.map { ($0, Price.common, .common) }
    }

    func starting(at start: Int) -> [Part] {
      var parts = [Part(end: start + 1, price: plain[start])]
      for word in words where matches(word.points, at: start) {
        parts.append(
          part(start, start + word.points.count, price: word.price, word.reason))
      }
      let run = KeyboardRuns.length(of: points[start...])
      if run >= Self.shortestRun {
        parts.append(part(start, start + run, price: Price.run, .sequence))
      }
      return parts + repetitions(at: start)
    }

    /// What repeats the block that ends at `start`, as often as it comes again.
    private func repetitions(at start: Int) -> [Part] {
      guard start > 0 else { return [] }
      return (1...min(start, Self.longestBlock)).compactMap { length in
        var end = start
        while end < points.count, points[end] == points[end - length] { end += 1 }
        end -= (end - start) % length
        return end - start >= 2 ? part(start, end, price: Price.repetition, .repeats) : nil
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
          || CommonPasswords.disguises[point]?.contains(word[index]) == true
      }
    }
  }
}
