import PolyclinicCore

extension Contact {
  /// The fields of a contact, for the page, for JSON and its schema: the ways of reaching it come
  /// right after its name. Autocomplete is off, because the browser would suggest the user's own
  /// name and address.
  static let form = Form<Contact>(
    Contact(),
    .text(\.details.name, "name", required: true, limit: 200, autocomplete: "off"),
    .rows(\.methods, "method", limit: 50, of: CommunicationMethod.form),
    .date(\.details.birthday, "birthday", autocomplete: "off"),
    .text(\.details.workplace, "workplace", limit: 200, autocomplete: "off"),
    .lines(\.details.address, "address", limit: 500, autocomplete: "off"),
    .lines(\.details.notes, "notes", limit: 5_000))

  /// The content of a contact in the order of its fingerprints, which stored merges have.
  static let content = Form<Contact>(
    Contact(),
    .part(\.details, Details.form),
    .rows(\.methods, "method", limit: 50, of: CommunicationMethod.form))
}

extension Contact.Details {
  /// The fields as they are stored.
  static let form = Form(
    Contact.Details(),
    .text(\.name, "name", required: true, limit: 200), .date(\.birthday, "birthday"),
    .text(\.workplace, "workplace", limit: 200), .lines(\.address, "address", limit: 500),
    .lines(\.notes, "notes", limit: 5_000))
}

extension CommunicationMethod {
  static let form = Form(
    CommunicationMethod(),
    .choice(\.type, "type"),
    .text(\.value, "value", required: true, limit: 200, autocomplete: "off"))
}
