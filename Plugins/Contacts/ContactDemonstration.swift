import PolyclinicCore

extension ContactsModule {
  /// Address books for some patients of the fictional town, with birthdays throughout the year.
  public var demonstration: Demonstration? {
    Demonstration { town, portal, work in
      for patient in town.patients.prefix(40) {
        let known = Contact.known(in: patient.language).shuffled(using: &town.dice)
        for acquaintance in known.prefix(.random(in: 5...known.count, using: &town.dice)) {
          let contact = Contact.invented(acquaintance, by: &town.dice, near: portal.now)
          _ = try Contact.records.insert(contact, in: work.with(patient.keys))
        }
      }
    }
  }
}

extension Contact {
  /// A person or a place in the contacts of a townsperson. Places have no ages.
  fileprivate struct Acquaintance {
    let name: String
    let ages: ClosedRange<Int>?

    init(_ name: String, _ ages: ClosedRange<Int>? = nil) {
      self.name = name
      self.ages = ages
    }
  }

  fileprivate static func known(in language: Language) -> [Acquaintance] {
    switch language {
    case .english: english
    case .russian: russian
    case .hebrew: hebrew
    }
  }

  private static let english = [
    Acquaintance("Mum", 62...78), .init("Dad", 64...80), .init("Theo", 6...11),
    .init("Grandmother Rose", 84...93), .init("Uncle Peter", 52...70), .init("Aunt Vera", 50...68),
    .init("Katya Sokolova", 35...45), .init("Jonathan Peel", 30...50),
    .init("Maria Lopez", 28...55),
    .init("Lena from school", 40...42), .init("Tom next door", 30...70),
    .init("Rachel Adler", 25...60),
    .init("Dr. Noam Peretz"), .init("Pharmacy at the bridge"), .init("School nurse"),
    .init("Swimming pool"),
  ]
  private static let russian = [
    Acquaintance("Мама", 60...80), .init("Папа", 60...82), .init("Бабушка Зина", 83...92),
    .init("Тётя Галя", 50...70), .init("Дядя Юра", 50...72), .init("Катя Соколова", 28...45),
    .init("Саша Новик", 25...50), .init("Олег Иванович", 45...70), .init("Соседка Нина", 40...75),
    .init("Илья, школа", 35...45), .init("Аптека у моста"), .init("Регистратура"),
    .init("Классный руководитель"),
  ]
  private static let hebrew = [
    Acquaintance("אמא", 60...80), .init("אבא", 60...82), .init("סבא דוד", 82...93),
    .init("סבתא מרים", 80...92),
    .init("דודה רותי", 50...70), .init("יונתן לוי", 25...50), .init("נועה מהעבודה", 28...55),
    .init("השכן משה", 40...75), .init("תמר כהן", 25...60), .init("ד״ר נועם פרץ"),
    .init("בית המרקחת"),
    .init("אחות בית הספר"),
  ]

  fileprivate static func invented(
    _ acquaintance: Acquaintance, by dice: inout Demonstration.Dice, near now: Instant
  ) -> Contact {
    var contact = Contact()
    contact.details.name = acquaintance.name
    if let ages = acquaintance.ages, Int.random(in: 0..<3, using: &dice) > 0 {
      let today = LocalDateTime(now, in: .utc).date
      let age = Int.random(in: ages, using: &dice)
      let day = today.adding(days: .random(in: 0..<365, using: &dice)).monthDay
      contact.details.birthday = day.date(in: today.year - age)
    }
    var phone = CommunicationMethod()
    let groups = [100...199, 10...99, 11...99].map { Int.random(in: $0, using: &dice) }
    phone.value = "+375 29 \(groups[0]) \(groups[1]) \(groups[2])"
    contact.methods = [phone]
    return contact
  }
}
