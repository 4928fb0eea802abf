import PolyclinicCore
import PolyclinicSystem

extension Account {
  /// The names under which ``Throttle`` counts attempts for an account: that of its login, then
  /// that of its e-mail.
  package var throttleNames: [String] {
    [Self.throttleName(loginHash), Self.throttleName(emailHash)]
  }

  /// Returns the name of a login's or an e-mail's hash.
  package static func throttleName(_ hash: [UInt8]) -> String { hash.hexadecimalText }

  /// Returns the name under which codes of a person's second factor are counted.
  package static func codeThrottleName(_ person: ID<Person>) -> String { "code:\(person)" }
}
