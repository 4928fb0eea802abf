import PolyclinicCore
import PolyclinicPlaces
import PolyclinicVault

/// A person's name, contact details and address.
package struct Profile: Resealable, Equatable {
  package var login = ""
  package var email = ""
  package var name = ""
  package var patronymic = ""
  package var surname = ""
  package var birthDate: CalendarDate?
  package var sex = ""
  package var phone = ""
  package var street = ""
  package var houseNumber = ""
  package var city = ""
  package var country = ""
  package var unknown = Sealed.UnknownFields()

  package init() {}

  /// The name as others see it.
  package var displayName: String { [name, surname].filter { !$0.isEmpty }.joined(separator: " ") }

  package var address: PostalAddress {
    PostalAddress(street: street, houseNumber: houseNumber, city: city, country: country)
  }

  /// True if a part of the address besides the country is given.
  package var hasAddress: Bool { !(street + houseNumber + city).isEmpty }

  /// True if the other profile has a different login or e-mail. Texts that look alike but differ in
  /// their bytes are different addresses.
  package func signsInOtherwise(than other: Profile) -> Bool {
    !login.isIdentical(to: other.login) || !email.isIdentical(to: other.email)
  }

  /// Words that a password must not contain, because others know them.
  package var personalWords: [String] { [login, email, name, patronymic, surname] }
}

extension Profile {
  private static let sealedColumn = SealedColumn("profiles.sealed", form)
  private static let value = PersonalValue("profiles", form)

  /// The person's row, which pages read together with other sealed data.
  package static var head: Sealed.Head { value.head }

  package static func find(by keys: Keys, on connection: Connection) throws -> Profile? {
    try connection.row("SELECT sealed FROM profiles WHERE person = \(keys.person)") {
      try sealedColumn.open($0.sealed(0), row: keys.person, by: keys)
    }
  }

  /// Returns the profiles of several people, in few statements.
  package static func all(
    of people: some Collection<Keys>, on connection: Connection
  ) throws -> [ID<Person>: Profile] {
    let keys = Dictionary(people.map { ($0.person, $0) }, uniquingKeysWith: { one, _ in one })
    var found: [ID<Person>: Profile] = [:]
    for part in keys.keys.sorted().parts(of: 256) {
      try connection.forEach(
        "SELECT person, sealed FROM profiles WHERE person IN \(list: part)"
      ) { row in
        let person: ID<Person> = row.id(0)
        guard let keys = keys[person] else { return }
        found[person] = try sealedColumn.open(row.sealed(1), row: person, by: keys)
      }
    }
    return found
  }

  /// Returns people with their names, sorted by name. It checks no permission and logs no access, for
  /// people who know each other by a decision of one of them.
  package static func unloggedNames(
    of people: some Sequence<ID<Person>>, _ vault: Vault, on connection: Connection
  ) throws -> [Portal.NamedPerson] {
    try Set(people).sorted().parts(of: 256).flatMap { part in
      try connection.rows(
        """
        SELECT id_person, wrapped_key, erasure_id, sealed_name FROM people
        JOIN profiles ON person = id_person WHERE id_person IN \(list: part)
        """
      ) { row in
        let keys = try vault.keys(of: row.id(0), wrapped: row.bytes(1), erasureID: row.bytes(2))
        return Portal.NamedPerson(
          person: keys.person, name: try openName(row.sealed(3), by: keys))
      }
    }.sortedByName()
  }

  /// Stores the profile and replaces an earlier one.
  package func save(by keys: Keys, on connection: Connection) throws {
    let name = try keys.seal(Array(displayName.utf8), as: "profiles.sealed_name", row: 0)
    let sealed = try Self.sealedColumn.seal(self, row: keys.person, by: keys)
    try connection.run(
      """
      INSERT INTO profiles (person, sealed_name, sealed) VALUES (\(keys.person), \(name), \(sealed))
      ON CONFLICT (person) DO UPDATE
        SET sealed_name = excluded.sealed_name, sealed = excluded.sealed
      """)
  }

  /// Returns the profile of the person of the work; nil if there is none.
  package static func find(in work: Work) throws -> Profile? { try value.find(in: work) }

  /// Returns the person's name; nil without a profile. Decrypts nothing else of the profile.
  package static func name(by keys: Keys, on connection: Connection) throws -> String? {
    try connection.row("SELECT sealed_name FROM profiles WHERE person = \(keys.person)") {
      try openName($0.sealed(0), by: keys)
    }
  }

  /// A separate sealed copy of the name, for callers that need nothing else of the profile.
  package static let nameIndex = RebuildableIndex(
    "name",
    isSound: { work in
      let name = try name(by: work.keys, on: work)
      // A profile that cannot be opened is reported as a fault of the profile itself.
      do { return try find(by: work.keys, on: work)?.displayName == name } catch is UnsealingError {
        return true
      }
    },
    rebuild: { work in
      // Ignored, so that the person's other derived data is still rebuilt.
      do {
        try find(by: work.keys, on: work)?.save(by: work.keys, on: work)
      } catch is UnsealingError {}
    })

  package static func openName(_ sealed: Sealed, by keys: Keys) throws -> String {
    let name = try keys.open(sealed, as: "profiles.sealed_name", row: 0)
    return String(decoding: name, as: UTF8.self)
  }
}

extension [Portal.NamedPerson] {
  /// Returns the people sorted by name.
  package func sortedByName() -> [Portal.NamedPerson] {
    map { (SearchText($0.name), $0) }
      .sorted { ($0.0, $0.1.person) < ($1.0, $1.1.person) }.map(\.1)
  }
}
