import PolyclinicSystem

/// A stored password hash in the PHC string format: `$argon2id$v=19$m=19456,t=2,p=1$SALT$TAG`.
struct PasswordHash: Sendable {
  let cost: Argon2id
  let salt: [UInt8]
  let tag: [UInt8]

  var text: String {
    "$argon2id$v=19$m=\(cost.memory),t=\(cost.passes),p=\(cost.lanes)"
      + "$\(Base64.unpadded.text(salt))$\(Base64.unpadded.text(tag))"
  }
}

extension PasswordHash {
  /// Parses ``text``. Returns nil for any other text, and for costs that are not acceptable.
  init?(_ text: String) {
    let parts = text.split(separator: "$", omittingEmptySubsequences: false)
    guard parts.count == 6, parts[0].isEmpty, parts[1] == "argon2id", parts[2] == "v=19",
      let cost = Self.cost(parts[3]), cost.isBearable,
      let salt = Base64.unpadded.decoded(String(parts[4])), (8...64).contains(salt.count),
      let tag = Base64.unpadded.decoded(String(parts[5])), (16...64).contains(tag.count)
    else { return nil }
    self.init(cost: cost, salt: salt, tag: tag)
  }

  private static func cost(_ text: Substring) -> Argon2id? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 3, let memory = number(parts[0], after: "m="),
      let passes = number(parts[1], after: "t="), let lanes = number(parts[2], after: "p=")
    else { return nil }
    return Argon2id(memory: memory, passes: passes, lanes: lanes)
  }

  private static func number(_ text: Substring, after name: String) -> UInt32? {
    text.hasPrefix(name) ? UInt32(text.dropFirst(name.count)) : nil
  }
}
