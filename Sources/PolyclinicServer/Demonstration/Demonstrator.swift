import PolyclinicCore
import PolyclinicStore

/// Fills a new portal with a fictional town, for whoever wants to see it at work.
struct Demonstrator {
  let front: Front

  /// Makes the people and lets each module that is on show what it has; nothing where somebody has
  /// an account already.
  func fill() throws {
    let hash = try front.passwords.hash(TownPeople.password)
    try front.database.write { connection in
      guard try Account.all(on: connection).isEmpty else { return }
      var dice = Demonstration.Dice(seed: 2026)
      let invented = TownPeople.invent(&dice)
      let people = try invented.map { try enter($0, hash, on: connection) }
      var town = Demonstration.Town(people: people, dice: dice)
      for member in front.installation.enabled {
        try member.module.demonstration?.fill(&town, front.portal(for: member), connection)
      }
    }
  }

  /// As whom one may sign in, a line each kind.
  static var logins: [String] {
    ["The town is fictional. The password of everybody is: \(TownPeople.password)"]
      + TownPeople.counts.map { kind in
        let rest = kind.count == 1 ? "" : ", \(kind.login)2 … \(kind.login)\(kind.count)"
        return "  \(kind.role.rawValue): \(kind.login)\(rest)"
      }
  }

  private func enter(
    _ invented: TownPeople.Invented, _ hash: String, on connection: Connection
  ) throws -> Demonstration.Inhabitant {
    let account = Account.New(
      profile: invented.profile, passwordHash: hash, roles: invented.roles,
      language: invented.language, consentVersion: PrivacyPage.version)
    let keys = try Account.insert(account, at: front.clock(), front.vault, on: connection)
    return Demonstration.Inhabitant(
      visitor: Visitor(
        person: keys.person, name: invented.profile.displayName, roles: invented.roles),
      keys: keys)
  }
}
