import PolyclinicCore
import PolyclinicFormats

extension Contact {
  /// A text of a contact, declared once for forms, pages, search, cards and merges. A new one needs
  /// a property in ``Contact``, a place in ``inCard``, and labels `field.NAME`.
  struct TextField: Sendable {
    let value: WritableKeyPath<Contact, String> & Sendable
    /// The name in forms and in storage.
    let name: String
    /// The search also finds texts of one line.
    var shape = TextShape.line
    var limit = 200
    var isRequired = false
    /// True if a merge may keep the texts of both contacts.
    var canKeepBoth = false
    /// The vCard property (RFC 6350, 6).
    let property: String
    /// Reads a line of a card; nil if the text is the line's whole value.
    var read: (@Sendable (ContentLine) -> String)?
    /// Returns the components of a new line.
    var components: @Sendable (String) -> [String] = { [$0] }

    static let fullName = TextField(value: \.name, name: "name", isRequired: true, property: "FN")
    /// The texts besides the name, in the order of a card.
    static let inCard = [
      TextField(
        value: \.address, name: "address", shape: .lines, limit: 500, property: "ADR",
        read: address, components: { ["", "", $0, "", "", "", ""] }),
      TextField(value: \.workplace, name: "workplace", property: "ORG", read: organization),
      TextField(
        value: \.notes, name: "notes", shape: .lines, limit: 5_000, canKeepBoth: true,
        property: "NOTE"),
    ]
    /// The texts besides the name, in the order of a page: those of one line first.
    static let onPage = inCard.filter { $0.shape == .line } + inCard.filter { $0.shape == .lines }
    static let all = [fullName] + onPage
    static let byProperty = Dictionary(uniqueKeysWithValues: all.map { ($0.property, $0) })
  }
}

extension Contact.TextField {
  /// The post-office box, extended address and street, each on its own line; then postcode with
  /// town, region and country.
  private static func address(_ line: ContentLine) -> String {
    let parts = line.components.map { plainText($0, .lines) } + Array(repeating: "", count: 7)
    let town = [parts[5], parts[3]].filter { !$0.isEmpty }.joined(separator: " ")
    return [parts[0], parts[2], parts[1], town, parts[4], parts[6]].filter { !$0.isEmpty }
      .joined(separator: "\n")
  }

  private static func organization(_ line: ContentLine) -> String {
    line.components.map { plainText($0, .line) }.filter { !$0.isEmpty }.joined(separator: ", ")
  }

  fileprivate var field: Field<Contact> {
    switch shape {
    case .line: .text(value, name, required: isRequired, limit: limit, autocomplete: "off")
    case .lines: .lines(value, name, required: isRequired, limit: limit, autocomplete: "off")
    }
  }
}

extension Contact {
  /// The fields of a contact, for the page, for JSON and its schema, and for storage. The ways of
  /// reaching it come right after its name. Autocomplete is off, because the browser would suggest
  /// the user's own name and address.
  static let form = Form(
    Contact(), TextField.fullName.field,
    .rows(\.methods, "method", limit: 50, of: CommunicationMethod.form),
    .date(\.birthday, "birthday", autocomplete: "off"),
    .group(nil, TextField.onPage.map(\.field), []))
}

extension CommunicationMethod {
  static let form = Form(
    CommunicationMethod(), .choice(\.type, "type"),
    .text(\.value, "value", required: true, limit: 200, autocomplete: "off"))
}
