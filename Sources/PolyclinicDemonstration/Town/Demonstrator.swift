import PolyclinicCore
import PolyclinicPortal
import PolyclinicServer
import PolyclinicStore
import PolyclinicWeb

/// Fills a new portal with a fictional town for a demonstration.
package struct Demonstrator {
  package let server: ServerContext

  package init(server: ServerContext) {
    self.server = server
  }

  /// Creates the people and lets each enabled module add its demonstration data. Does nothing if an
  /// account exists.
  package func fill() throws {
    let hash = try server.passwords.hash(TownPeople.password)
    let now = server.clock()
    try server.database.write { connection in
      guard try Account.all(on: connection).isEmpty else { return }
      var dice = Demonstration.Dice(seed: 2026)
      let today = LocalDateTime(now, in: .utc).date
      let invented = TownPeople.invent(&dice, on: today)
      let work = Work(at: now, on: connection)
      let people = try invented.map { try enter($0, hash, in: work) }
      try makeFamily(zip(invented, people).map { ($0, $1.visitor.person) }, in: work)
      var town = Demonstration.Town(people: people, dice: dice)
      for member in server.installation.enabled {
        try member.module.demonstration?.fill(&town, server.portal(for: member), work)
      }
    }
  }

  /// Lets the patient ``TownPeople/parent`` act for two young children of the town.
  private func makeFamily(
    _ people: [(invented: TownPeople.Invented, person: ID<Person>)], in work: Work
  ) throws {
    let parent = people.first { $0.invented.profile.login == TownPeople.parent }?.person
    guard let parent else { return }
    let ages = server.site.guardianship
    for child in people.filter({ $0.invented.age < ages.review - 1 }).prefix(2) {
      guard let born = child.invented.profile.birthDate else { continue }
      try Guardianship(
        of: parent, forChild: child.person, born: born, ages, in: server.site.clinic.zone,
        because: .proved, at: work.now
      ).save(server.vault, on: work)
    }
  }

  private func enter(
    _ invented: TownPeople.Invented, _ hash: String, in work: Work
  ) throws -> Demonstration.Inhabitant {
    let account = Account.New(
      profile: invented.profile, passwordHash: hash, roles: invented.roles,
      language: invented.language, consentVersion: PrivacyPage.version)
    let keys = try Account.insert(account, server.vault, in: work)
    return Demonstration.Inhabitant(
      visitor: Visitor(
        person: keys.person, name: invented.profile.displayName, roles: invented.roles),
      keys: keys, language: invented.language, age: invented.age, isFemale: invented.isFemale)
  }
}

extension DemonstrationData {
  /// A town of some hundred people, with the demonstration data of every enabled module.
  public static let town = DemonstrationData(
    timeZone: TownPeople.timeZone,
    logins: ["The town is fictional. The password of everybody is: \(TownPeople.password)"]
      + TownPeople.counts.map { kind in
        let rest = kind.count == 1 ? "" : ", \(kind.login)2 … \(kind.login)\(kind.count)"
        return "  \(kind.role.rawValue): \(kind.login)\(rest)"
      } + ["  \(TownPeople.parent) acts for two children."],
    modules: [ComponentsModule()],
    fill: { try Demonstrator(server: $0).fill() })
}
