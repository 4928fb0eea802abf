import Foundation
import PolyclinicCore

/// The rules for new passwords: long ones that attackers do not try first (NIST SP 800-63B-4,
/// without rules of composition).
///
/// The length is counted in code points after NFC, as NIST counts it. Instead of a list of known
/// passwords (of Django's 20 006 only 138 are long enough), the policy refuses their typical parts:
/// see ``PasswordGuess``.
package struct PasswordPolicy: Sendable {
  /// The minimum length without a second factor (NIST SP 800-63B-4).
  package static let shortest = 15
  /// The minimum length with a second factor.
  static let shortestWithSecondFactor = 8
  /// The maximum length in bytes of UTF-8. A longer password adds no security in practice.
  package static let byteLimit = 1_024

  /// The reason why a password is refused.
  package enum Problem: String, CaseIterable, Sendable {
    case tooShort = "password.too-short"
    case tooLong = "password.too-long"
    /// The same characters repeated.
    case repeats = "password.repeats"
    /// Neighbours in the alphabet, in the digits or on a keyboard.
    case sequence = "password.sequence"
    /// A common word, alone or with digits.
    case common = "password.common"
    /// The login, the name, the e-mail or the portal's name, alone or with digits.
    case personal = "password.personal"

    /// Returns the message for the user.
    package func text(hasSecondFactor: Bool = false) -> Text {
      Text(rawValue, ["shortest": String(PasswordPolicy.shortest(hasSecondFactor))])
    }
  }

  private let portalWords: [String]

  package init(portalName: String) { portalWords = Self.words(of: portalName, shortest: 4) }

  package static func shortest(_ hasSecondFactor: Bool) -> Int {
    hasSecondFactor ? shortestWithSecondFactor : shortest
  }

  /// Returns the reason to refuse a password; nil if it is accepted. `personal` contains the
  /// person's login, names and e-mail, which others may know.
  package func problem(
    with password: String, personal: [String], hasSecondFactor: Bool = false
  ) -> Problem? {
    guard password.utf8.count <= Self.byteLimit else { return .tooLong }
    guard Self.length(of: password) >= Self.shortest(hasSecondFactor) else { return .tooShort }
    let words = personal.flatMap { Self.words(of: $0, shortest: 3) } + portalWords
    return PasswordGuess(
      password, personal: words, bound: hasSecondFactor ? .withSecondFactor : .alone
    ).problem
  }

  /// Returns the number of code points after NFC.
  package static func length(of password: String) -> Int {
    password.precomposedStringWithCanonicalMapping.unicodeScalars.count
  }

  /// Returns a hint for typing, from 0 (too short) to 4. It is simple enough for a script to
  /// compute.
  ///
  /// It counts the code points that neither repeat the previous one nor differ from it by one, at
  /// most twice the number of distinct ones. Below 12 the hint is 1, below 18 it is 2, below 24 it
  /// is 3.
  package static func strength(_ password: String) -> Int {
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

  /// Returns the folded words of a text, and all of them as one word. Only the part of an e-mail
  /// before the `@` is used.
  private static func words(of text: String, shortest: Int) -> [String] {
    let known = PasswordGuess.folded(String(text.prefix { $0 != "@" }.prefix(200)))
    let words = known.split { !$0.isLetter && !$0.isNumber }.map(String.init)
    return (words + [words.joined()]).filter { $0.count >= shortest }
  }
}
