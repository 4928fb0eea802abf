import PolyclinicCore

/// Who a person is and how to reach them.
struct Profile: Resealable, Equatable {
  var login = ""
  var email = ""
  var name = ""
  var patronymic = ""
  var surname = ""
  var birthDate: CalendarDate?
  var sex = ""
  var phone = ""
  var street = ""
  var houseNumber = ""
  var city = ""
  var country = ""
  var unknown = UnknownFields()

  /// How others read the person's name.
  var displayName: String { [name, surname].filter { !$0.isEmpty }.joined(separator: " ") }

  var address: PostalAddress {
    PostalAddress(street: street, houseNumber: houseNumber, city: city, country: country)
  }

  /// Whether the other profile has another login or e-mail.
  func signsInOtherwise(than other: Profile) -> Bool {
    login != other.login || email != other.email
  }

  /// What others know of the person: not to be found in a password.
  var personalWords: [String] { [login, email, name, patronymic, surname] }
}

extension Profile {
  private static let slot = Slot("profiles.sealed", form)

  static func find(by keys: Keys, on connection: Connection) throws -> Profile? {
    try connection.row("SELECT sealed FROM profiles WHERE person = \(keys.person)") {
      try slot.open($0.sealed(0), row: keys.person, by: keys)
    }
  }

  /// Stores the profile, in place of an earlier one.
  func save(by keys: Keys, on connection: Connection) throws {
    let name = try keys.seal(Array(displayName.utf8), as: "profiles.sealed_name", row: 0)
    let sealed = try Self.slot.seal(self, row: keys.person, by: keys)
    try connection.run(
      """
      INSERT INTO profiles (person, sealed_name, sealed) VALUES (\(keys.person), \(name), \(sealed))
      ON CONFLICT (person) DO UPDATE
        SET sealed_name = excluded.sealed_name, sealed = excluded.sealed
      """)
  }

  /// The person's name; nil without a profile. Opens nothing else of the profile.
  static func name(by keys: Keys, on connection: Connection) throws -> String? {
    try connection.row("SELECT sealed_name FROM profiles WHERE person = \(keys.person)") {
      try openName($0.sealed(0), by: keys)
    }
  }

  /// The name stands apart from the profile, for whoever needs nothing else of it.
  static let derivedName = Derived(
    "name",
    isSound: { keys, connection in
      let name = try name(by: keys, on: connection)
      // That a profile does not open is said of the profile.
      do { return try find(by: keys, on: connection)?.displayName == name } catch is UnsealingError
      {
        return true
      }
    },
    rebuild: { keys, connection in
      // What else is derived of this person is made anew all the same.
      do {
        try find(by: keys, on: connection)?.save(by: keys, on: connection)
      } catch is UnsealingError {}
    })

  static func openName(_ sealed: Sealed, by keys: Keys) throws -> String {
    let name = try keys.open(sealed, as: "profiles.sealed_name", row: 0)
    return String(decoding: name, as: UTF8.self)
  }
}
