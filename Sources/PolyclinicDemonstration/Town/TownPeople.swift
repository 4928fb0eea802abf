import PolyclinicCore
import PolyclinicWeb

/// The people of the fictional town, each with an account.
struct TownPeople {
  /// A fictional person without an account yet.
  struct Invented {
    let profile: Profile
    let roles: Set<Role>
    let language: Language
    let age: Int
    let isFemale: Bool
  }

  /// The number of people with each role. The first of each has a login that is easy to remember.
  static let counts: [(role: Role, login: String, count: Int)] = [
    (.administrator, "admin", 1), (.receptionist, "desk", 8), (.doctor, "doctor", 40),
    (.patient, "patient", 300),
  ]

  /// The password of all of them. It is public, because the town is fictional and says so.
  static let password = "four kind otters rowing home"

  /// The login of the patient who acts for two children.
  static let parent = "patient2"

  /// The time zone of the clinic and its people.
  static let timeZone = "Europe/Minsk"

  /// Returns a Russian surname in the gender of the given name. Of the names here, women's end in
  /// “а” or “я”.
  static func surname(_ family: String, after given: String) -> String {
    guard given.last == "а" || given.last == "я" else { return family }
    for (ending, feminine) in [("ский", "ская"), ("ой", "ая"), ("ый", "ая")]
    where family.hasSuffix(ending) {
      return family.dropLast(ending.count) + feminine
    }
    return family.last.map { "вн".contains($0) } == true ? family + "а" : family
  }

  /// The last patients are children, whose parents use their accounts.
  private static let children = 60

  private var dice: Demonstration.Dice
  private let today: CalendarDate
  /// The names that people have already.
  private var taken: Set<String> = []

  /// Returns all people, in the same order each time, with ages as of `today`.
  static func invent(_ dice: inout Demonstration.Dice, on today: CalendarDate) -> [Invented] {
    var town = TownPeople(dice: dice, today: today)
    defer { dice = town.dice }
    return counts.flatMap { kind in
      (0..<kind.count).map { number in
        let login = number == 0 ? kind.login : "\(kind.login)\(number + 1)"
        let ages =
          switch kind.role {
          case .patient: number < kind.count - children ? 19...84 : 2...17
          default: 27...64
          }
        // People who try the portal sign in as the first of each role, and look for years of data.
        let age = number == 0 ? 41 : Int.random(in: ages, using: &town.dice)
        return town.invent(login, kind.role, age)
      }
    }
  }

  private mutating func invent(_ login: String, _ role: Role, _ age: Int) -> Invented {
    // The first logins get English names, because people who try the portal sign in with them.
    let isFirst = login.last?.isNumber == false
    let language = isFirst ? .english : Language.allCases.randomElement(using: &dice) ?? .english
    var profile = Profile()
    var isFemale = true
    // A few attempts, because two neighbours of one name would look like one person.
    for _ in 0..<8 {
      isFemale = login == "patient" || Bool.random(using: &dice)
      profile.name =
        login == "patient"
        ? "Alice" : TownNames.given(isFemale, language).randomElement(using: &dice) ?? ""
      profile.surname = Self.surname(
        TownNames.family(language).randomElement(using: &dice) ?? "", after: profile.name)
      if taken.insert(profile.displayName).inserted { break }
    }
    profile.login = login
    profile.email = "\(login)@example.org"
    profile.birthDate = today.adding(
      days: -(age * 365 + age / 4 + 1) - .random(in: 0..<360, using: &dice))
    profile.street = TownNames.streets.randomElement(using: &dice) ?? ""
    profile.houseNumber = String(Int.random(in: 1...120, using: &dice))
    profile.city = "Minsk"
    profile.country = "BY"
    profile.phone = phone()
    return Invented(
      profile: profile, roles: [.patient, role], language: language, age: age, isFemale: isFemale)
  }

  /// Returns a number of a range that is not assigned to subscribers.
  private mutating func phone() -> String {
    let groups = [100...199, 10...99, 11...99].map { Int.random(in: $0, using: &dice) }
    return "+375 17 \(groups[0]) \(groups[1]) \(groups[2])"
  }
}
