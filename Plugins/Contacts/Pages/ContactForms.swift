import PolyclinicCore
import PolyclinicFormats

/// The form for a new contact.
struct NewContact: RoutedForm {
  static let address: Address<Void> = "/contacts/new"
  static let title: Text = "new.title"
  static let form = Contact.form
  static let cancel = ContactList.path
  static var route: Route { Route(Self.self).saying("contact.saved") }

  init(_ context: Context) {}

  func prepare(_ contact: inout Contact, in context: Context) throws {
    try contact.check(besides: Contact(), on: context.today)
  }

  func save(_ contact: Contact, in context: Context) throws -> Redirect {
    Redirect(to: ContactPage.path(try Contact.records.insert(contact, in: context)))
  }
}

/// The form that changes a contact.
struct EditContact: RoutedForm {
  static let address: Address<ID<Contact>> = "/contacts/{id}/edit"
  static let title: Text = "edit.title"
  static let form = Contact.form
  static let cancel = ContactPage.address.pattern
  static let isVersioned = true
  static var route: Route { Route(Self.self).saying("contact.saved") }

  private let id: ID<Contact>
  private let context: Context
  let start: Contact

  init(_ context: Context) throws {
    self.context = context
    id = try context.id()
    start = try Contact.records.load(context)
  }

  /// The birthday without a year, which the field cannot hold, with a link that removes it.
  var about: HTML? {
    start.yearlessBirthday.map { day in
      context.notice(
        .remark, Text("yearless.about", ["date": context.formats.monthDay(day)]),
        action: context.button(
          "yearless.delete", to: BirthdayRemoval.path(id), style: [.secondary, .small]))
    }
  }

  func prepare(_ contact: inout Contact, in context: Context) throws {
    try contact.check(besides: start, on: context.today)
  }

  func save(_ contact: Contact, in context: Context) throws -> Redirect {
    try Contact.records.replace(Contact.Entry(start, id: id), with: contact, in: context)
    return Redirect(to: ContactPage.path(id))
  }
}

/// The question before the birthday without a year is removed.
struct BirthdayRemoval: RoutedForm {
  static let address: Address<ID<Contact>> = "/contacts/{id}/birthday/delete"
  static let title: Text = "yearless.delete.title"
  static let submit: Text = "delete.yes"
  static let cancel = EditContact.address.pattern
  static let isQuestion = true
  static var route: Route { Route(Self.self).saying("contact.saved") }

  private let id: ID<Contact>
  private let contact: Contact
  private let day: CalendarDate.MonthDay
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    id = try context.id()
    contact = try Contact.records.load(context)
    guard let day = contact.yearlessBirthday else { throw Refusal.notFound }
    self.day = day
  }

  var about: HTML? {
    let question = Text("yearless.delete.question", ["date": context.formats.monthDay(day)])
    return """
      <p class="lead"><bdi>\(contact.name)</bdi></p><p>\(context.text(question))</p>
      """
  }

  func save(_: Void, in context: Context) throws -> Redirect {
    var contact = contact
    contact.card.removeBirthdays()
    try Contact.put(contact, in: id, in: context)
    return Redirect(to: EditContact.path(id))
  }
}

extension Contact {
  /// The birthday without a year from an imported card; nil for a contact with a whole birthday.
  fileprivate var yearlessBirthday: CalendarDate.MonthDay? {
    birthday == nil ? card.birthday : nil
  }

  /// Throws ``Refusal/invalid(_:_:)`` for a birthday in the future and for an e-mail address that
  /// is none, unless the stored contact has them already.
  func check(besides stored: Contact, on today: CalendarDate) throws {
    if let birthday, birthday > today, birthday != stored.birthday {
      throw Refusal.invalid("birthday", "error.future")
    }
    for (place, method) in methods.enumerated() where method.type == .email {
      if stored.methods.contains(where: { $0.value == method.value }) { continue }
      if let problem = Field<CommunicationMethod>.emailProblem(method.value) {
        throw Refusal.invalid("method_value-\(place + 1)", problem)
      }
    }
  }
}

extension ContactCard {
  /// Removes the birthdays without a year.
  fileprivate mutating func removeBirthdays() {
    extras = Self.withoutBirthdays(extras)
    joinedExtras = Self.withoutBirthdays(joinedExtras)
  }

  private static func withoutBirthdays(_ text: String) -> String {
    Self.text(
      lines(text).filter { line in
        if line.name == "BDAY", case .yearless = CardDate(line) { false } else { true }
      })
  }
}
