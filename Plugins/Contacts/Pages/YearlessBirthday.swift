import PolyclinicCore
import PolyclinicFormats

/// The birthday without a year from an imported card, which the field of the form cannot hold.
enum YearlessBirthday {
  /// Returns the day above the form, with the link that removes it; nil for a contact without one.
  @Sendable
  static func about(_ contact: Contact, _ context: Context) throws -> HTML? {
    guard let day = shown(contact, context) else { return nil }
    let remove = context.button(
      "yearless.delete", to: "/contacts/\(try context.id() as ID<Contact>)/birthday/delete",
      style: [.secondary, .small])
    return context.notice(.remark, Text("yearless.about", ["date": day]), action: remove)
  }

  @Sendable
  static func question(_ context: Context) throws -> HTML {
    let contact = try Contact.records.load(context)
    guard let day = shown(contact, context) else { throw Refusal.notFound }
    return """
      <p class="lead"><bdi>\(contact.details.name)</bdi></p>\
      <p>\(context.text("yearless.delete.question", ["date": day]))</p>
      """
  }

  @Sendable
  static func remove(_ context: Context) throws -> Path {
    let id: ID<Contact> = try context.id()
    guard var contact = try Contact.records.find(id, in: context) else {
      throw Refusal.notFound
    }
    contact.card.removeBirthdays()
    try Contact.put(contact, in: id, in: context)
    return "\(id)/edit"
  }

  /// Returns the day in words; nil if the contact has none, or a full birthday beside it.
  private static func shown(_ contact: Contact, _ context: Context) -> String? {
    contact.details.birthday == nil
      ? contact.card.birthday.map { context.formats.monthDay($0) } : nil
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
