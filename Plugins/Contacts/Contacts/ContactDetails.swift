import PolyclinicCore

extension Contact {
  /// The details of a contact, without the contact methods.
  struct Details: Resealable, Equatable {
    var name = ""
    var birthday: CalendarDate?
    var workplace = ""
    var address = ""
    var notes = ""
    var unknown = Sealed.UnknownFields()

    subscript(field: TextField) -> String {
      get { self[keyPath: field.value] }
      set { self[keyPath: field.value] = newValue }
    }
  }

  /// A text of the details, declared once for forms, the page and the search. A new one
  /// needs a property in ``Details``, a place in ``onPage``, and labels `field.NAME`.
  struct TextField: Sendable {
    let value: WritableKeyPath<Details, String> & Sendable
    /// The name in forms and in storage.
    let name: String
    /// The search also finds texts of one line.
    var shape = TextShape.line
    var limit = 200
    var isRequired = false

    static let fullName = TextField(value: \.name, name: "name", isRequired: true)
    /// The texts besides the name.
    static let onPage = [
      TextField(value: \.workplace, name: "workplace"),
      TextField(value: \.address, name: "address", shape: .lines, limit: 500),
      TextField(value: \.notes, name: "notes", shape: .lines, limit: 5_000),
    ]
  }
}

extension Contact.TextField {
  fileprivate var field: Field<Contact.Details> {
    switch shape {
    case .line: .text(value, name, required: isRequired, limit: limit, autocomplete: "off")
    case .lines: .lines(value, name, required: isRequired, limit: limit, autocomplete: "off")
    }
  }
}

extension Contact {
  /// The fields of a contact, for the page, for JSON and its schema: the ways of reaching it come
  /// right after its name. Autocomplete is off, because the browser would suggest the user's own
  /// name and address.
  static let form = Form(
    Contact(), .part(\.details, Form(Details(), Details.first)),
    .rows(\.methods, "method", limit: 50, of: CommunicationMethod.form),
    .part(\.details, Form(Details(), Details.rest)))

  /// The content of a contact in the order of its fingerprints, which stored merges have.
  static let content = Form<Contact>(
    Contact(),
    .part(\.details, Details.form),
    .rows(\.methods, "method", limit: 50, of: CommunicationMethod.form))
}

extension Contact.Details {
  /// The fields as they are stored.
  static let form = Form(Self(), first, rest)
  fileprivate static let first = Contact.TextField.fullName.field
  private static let birthday = Field.date(\Self.birthday, "birthday", autocomplete: "off")
  fileprivate static let rest = Field.group(
    nil, [birthday] + Contact.TextField.onPage.map(\.field), [])
}

extension CommunicationMethod {
  static let form = Form(
    CommunicationMethod(), .choice(\.type, "type"),
    .text(\.value, "value", required: true, limit: 200, autocomplete: "off"))
}
