import PolyclinicCore

extension Contact {
  /// The fields of a contact, for the page, for JSON and its schema, and for sealed storage.
  static let form = Form<Contact>(
    Contact(),
    .part(\.details, Details.form),
    .rows(\.methods, "method", limit: 50, of: CommunicationMethod.form))
}

extension Contact.Details {
  // Autocomplete is off, because the browser would suggest the user's own name and address.
  static let form = Form(
    Contact.Details(),
    .text(\.name, "name", required: true, limit: 200, autocomplete: "off"),
    .date(\.birthday, "birthday", autocomplete: "off"),
    .text(\.workplace, "workplace", limit: 200, autocomplete: "off"),
    .lines(\.address, "address", limit: 500, autocomplete: "off"),
    .lines(\.notes, "notes", limit: 5_000))
}

extension CommunicationMethod {
  static let form = Form(
    CommunicationMethod(),
    .choice(\.type, "type"),
    .text(\.value, "value", required: true, limit: 200, autocomplete: "off"))
}
