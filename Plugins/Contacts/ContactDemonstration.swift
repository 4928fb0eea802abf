import PolyclinicCore

extension ContactsModule {
  /// Address books for some patients of the fictional town, with birthdays throughout the year.
  public var demonstration: Demonstration? {
    Demonstration { town, portal, connection in
      for patient in town.patients.prefix(40) {
        for _ in 0..<Int.random(in: 3...24, using: &town.dice) {
          let contact = Contact.invented(by: &town.dice, near: portal.now)
          _ = try Contact.records.insert(
            contact, at: portal.now, by: patient.keys, on: connection)
        }
      }
    }
  }
}

extension Contact {
  private static let names = [
    "Aunt Vera", "Dr. Noam Peretz", "Grandmother", "Ilya Sokolov", "Katya", "Lena from school",
    "Maria Lopez", "Neighbour Tom", "Oleg", "Pharmacy at the bridge", "Rachel Adler", "Sasha Novik",
    "School nurse", "Uncle Misha", "Yonatan", "Мама", "Тётя Галя", "Дядя Юра", "אמא", "סבא",
  ]

  fileprivate static func invented(
    by dice: inout Demonstration.Dice, near now: Instant
  ) -> Contact {
    var contact = Contact()
    contact.details.name = names.randomElement(using: &dice) ?? ""
    if Bool.random(using: &dice) {
      let today = LocalDateTime(now, in: .utc).date
      let age = Int.random(in: 2...90, using: &dice)
      let day = today.adding(days: .random(in: 0..<365, using: &dice)).monthDay
      contact.details.birthday = day.date(in: today.year - age)
    }
    var phone = CommunicationMethod()
    phone.value = "+375 29 \(Int.random(in: 100...999, using: &dice)) 00 00"
    contact.methods = [phone]
    return contact
  }
}
