import Foundation
import PolyclinicCore

/// Which passwords are accepted: long ones that nobody tries first (NIST SP 800-63B-4, no rules of
/// composition).
///
/// Length is counted in code points after NFC, as NIST counts. What else is refused is not a list of
/// known passwords (of Django's 20 006 only 138 are long enough) but what such are made of: see
/// ``PasswordGuess``.
struct PasswordPolicy: Sendable {
  /// Without a second factor (NIST SP 800-63B-4).
  static let shortest = 15
  /// With one.
  static let shortestWithSecondFactor = 8
  /// In UTF-8. More says nothing about a person's memory, only about a sender's patience.
  static let byteLimit = 1_024

  /// Why a password is refused.
  enum Problem: String, CaseIterable, Sendable {
    case tooShort = "password.too-short"
    case tooLong = "password.too-long"
    /// The same characters over and over.
    case repeats = "password.repeats"
    /// Neighbours in the alphabet, in the digits or on a keyboard.
    case sequence = "password.sequence"
    /// A word that many choose, at most with digits.
    case common = "password.common"
    /// The login, the name, the e-mail or the portal's name, at most with digits.
    case personal = "password.personal"

    /// What the person is told.
    func text(hasSecondFactor: Bool = false) -> Text {
      Text(rawValue, ["shortest": String(PasswordPolicy.shortest(hasSecondFactor))])
    }
  }

  private let portalWords: [String]

  init(portalName: String) { portalWords = Self.words(of: portalName, shortest: 4) }

  static func shortest(_ hasSecondFactor: Bool) -> Int {
    hasSecondFactor ? shortestWithSecondFactor : shortest
  }

  /// What is wrong with a password; nil when it is accepted. `personal` is what others know of this
  /// person: login, names, e-mail.
  func problem(
    with password: String, personal: [String], hasSecondFactor: Bool = false
  ) -> Problem? {
    guard password.utf8.count <= Self.byteLimit else { return .tooLong }
    guard Self.length(of: password) >= Self.shortest(hasSecondFactor) else { return .tooShort }
    let words = personal.flatMap { Self.words(of: $0, shortest: 3) } + portalWords
    let enough =
      hasSecondFactor ? PasswordGuess.enoughWithSecondFactor : PasswordGuess.enough
    return PasswordGuess(password, personal: words, enough: enough).problem
  }

  /// Code points after NFC.
  static func length(of password: String) -> Int {
    password.precomposedStringWithCanonicalMapping.unicodeScalars.count
  }

  /// A hint while typing, from 0 (too short) to 4, simple enough for a script to follow.
  ///
  /// It counts the code points that neither repeat the one before nor are its neighbour in the order
  /// of code points, at most twice the number of different ones: below 12 the hint is 1, below 18 it
  /// is 2, below 24 it is 3.
  static func strength(_ password: String) -> Int {
    let points = password.precomposedStringWithCanonicalMapping.unicodeScalars.map { Int($0.value) }
    guard points.count >= shortest else { return 0 }
    let turns = zip(points, points.dropFirst()).count { abs($0 - $1) > 1 } + 1
    switch min(turns, 2 * Set(points).count) {
    case ..<12: return 1
    case ..<18: return 2
    case ..<24: return 3
    default: return 4
    }
  }

  /// A text folded, its words, and all of it as one word; of an e-mail only the part before the `@`.
  private static func words(of text: String, shortest: Int) -> [String] {
    let known = PasswordGuess.folded(String(text.prefix { $0 != "@" }.prefix(200)))
    let words = known.split { !$0.isLetter && !$0.isNumber }.map(String.init)
    return (words + [words.joined()]).filter { $0.count >= shortest }
  }
}
