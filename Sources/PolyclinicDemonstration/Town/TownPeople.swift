import PolyclinicCore
import PolyclinicWeb

/// The people of the fictional town, each with an account.
struct TownPeople {
  /// A fictional person without an account yet.
  struct Invented {
    let profile: Profile
    let roles: Set<Role>
    let language: Language
  }

  /// The number of people with each role. The first of each has a login that is easy to remember.
  static let counts: [(role: Role, login: String, count: Int)] = [
    (.administrator, "admin", 1), (.receptionist, "desk", 8), (.doctor, "doctor", 40),
    (.patient, "patient", 300),
  ]

  /// The password of all of them. It is public, because the town is fictional and says so.
  static let password = "four kind otters rowing home"

  /// The time zone of the clinic and its people.
  static let timeZone = "Europe/Minsk"

  private static let given: [Language: [String]] = [
    .english: [
      "Alice", "Ben", "Clara", "Daniel", "Emma", "Felix", "Grace", "Henry", "Iris", "Jack",
    ],
    .russian: [
      "Анна", "Борис", "Вера", "Глеб", "Дарья", "Егор", "Жанна", "Захар", "Ирина", "Кирилл",
    ],
    .hebrew: ["אבי", "ברכה", "גיל", "דנה", "הדס", "ורד", "זאב", "חנה", "טל", "יעל"],
  ]

  private static let family: [Language: [String]] = [
    .english: [
      "Ashdown", "Birch", "Cooper", "Dale", "Elmswood", "Fairley", "Grant", "Holloway", "Irving",
      "Marsh", "Norwood", "Quill",
    ],
    .russian: [
      "Берёзкин", "Васильковский", "Горностаев", "Дубровин", "Ежевикин", "Журавлёв", "Зимин",
      "Калинин", "Лесной", "Морошкин", "Озёрный", "Рябинин",
    ],
    .hebrew: [
      "אלון", "ברוש", "גפן", "דקל", "הדר", "זית", "כרמל", "לביא", "נחל", "ערבה", "רימון", "שקד",
    ],
  ]

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

  private static let streets = [
    "Orchard Street", "Mill Lane", "Harbour Road", "Linden Avenue", "Station Square",
    "Meadow Path",
  ]

  /// Returns all people, in the same order each time.
  static func invent(_ dice: inout Demonstration.Dice) -> [Invented] {
    counts.flatMap { kind in
      (0..<kind.count).map { number in
        invent(number == 0 ? kind.login : "\(kind.login)\(number + 1)", kind.role, &dice)
      }
    }
  }

  private static func invent(
    _ login: String, _ role: Role, _ dice: inout Demonstration.Dice
  ) -> Invented {
    // The first logins get English names, because people who try the portal sign in with them.
    let isFirst = login.last?.isNumber == false
    let language = isFirst ? .english : Language.allCases.randomElement(using: &dice) ?? .english
    var profile = Profile()
    profile.login = login
    profile.email = "\(login)@example.org"
    profile.name = given[language]?.randomElement(using: &dice) ?? ""
    profile.surname = Self.surname(
      family[language]?.randomElement(using: &dice) ?? "", after: profile.name)
    profile.birthDate = CalendarDate(daysSince1970: .random(in: -9_000..<12_000, using: &dice))
    profile.street = streets.randomElement(using: &dice) ?? ""
    profile.houseNumber = String(Int.random(in: 1...120, using: &dice))
    profile.city = "Minsk"
    profile.country = "BY"
    profile.phone = "+375 17 \(Int.random(in: 200...399, using: &dice)) 00 00"
    return Invented(profile: profile, roles: [.patient, role], language: language)
  }
}
