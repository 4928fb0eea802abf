import PolyclinicCore
import PolyclinicPlaces

/// One statement of a certificate, for pages, print and JSON.
struct Statement: Sendable, Equatable {
  /// The name in JSON, and the key of the label.
  let name: String
  let value: Value
  /// The name of a member that the format's documentation does not list.
  private let otherName: String?

  init(_ name: String, _ value: Value, undocumented otherName: String? = nil) {
    self.name = name
    self.value = value
    self.otherName = otherName
  }

  var label: Text {
    otherName.map { Text("statement.other", ["name": $0]) } ?? Text("statement.\(name)")
  }

  /// A value that can be formatted in each language.
  enum Value: Sendable, Equatable {
    /// Text as it is in the certificate.
    case text(String)
    /// A code of a value set, with its term if the portal has one.
    case coded(String, Term?)
    /// A country code of two letters.
    case country(String)
    /// A date or time as it is in the certificate. It can be a year, or a year and a month.
    case date(String)
    case moment(Instant)
    case dose(Int64, of: Int64?)
  }
}

extension Statement.Value {
  /// Returns the value in a language. Leaves unchanged a code without a term and text that is not a
  /// date. A date stays the one that is written, in every time zone.
  func words(in formats: Formats) -> String {
    switch self {
    case .text(let text): text
    case .coded(let code, let term): term?.words(in: formats.language) ?? code
    case .country(let code): Countries.name(code, in: formats.language) ?? code
    case .date(let text): WrittenDate(text)?.words(in: formats) ?? text
    case .moment(let instant): formats.dateTime(instant)
    case .dose(let number, nil): formats.number(Int(number))
    case .dose(let number, let total?):
      "\(formats.number(Int(number))) / \(formats.number(Int(total)))"
    }
  }

  /// The code to show beside the words; nil if the words are the code.
  var code: String? {
    switch self {
    case .coded(let code, let term?): term.english.isIdentical(to: code) ? nil : code
    case .country(let code): Countries.name(code, in: .english) == nil ? nil : code
    default: nil
    }
  }

  /// The value for the API: codes with their English terms, and times as in the certificate or in
  /// UTC.
  var json: JSON {
    switch self {
    case .text(let text), .date(let text), .country(let text): .string(text)
    case .coded(let code, nil): ["code": .string(code)]
    case .coded(let code, let term?): ["code": .string(code), "display": .string(term.english)]
    case .moment(let instant): .string(ZonedTime(instant, in: .utc).description)
    case .dose(let number, nil): ["number": .integer(number)]
    case .dose(let number, let total?): ["number": .integer(number), "of": .integer(total)]
    }
  }
}

/// The statements of a certificate about one subject: the person, a vaccination or a test.
struct StatementSection: Sendable, Equatable {
  /// The name in JSON, and the key of the heading.
  let name: String
  let statements: [Statement]

  /// Creates a section without the statements that are nil.
  init(_ name: String, _ statements: [Statement?]) {
    self.name = name
    self.statements = statements.compactMap(\.self)
  }

  var heading: Text { Text("statement.section.\(name)") }
}

extension Statement {
  /// Returns a statement of text; nil if the text is nil or empty.
  static func text(_ name: String, _ text: String?) -> Statement? {
    made(name, text, Value.text)
  }

  static func date(_ name: String, _ text: String?) -> Statement? { made(name, text, Value.date) }

  static func country(_ name: String, _ code: String?) -> Statement? {
    made(name, code, Value.country)
  }

  static func coded(_ name: String, _ code: String?, _ terms: [String: Term]) -> Statement? {
    made(name, code) { .coded($0, terms[$0]) }
  }

  private static func made(
    _ name: String, _ text: String?, _ value: (String) -> Value
  ) -> Statement? {
    guard let text, !text.isEmpty else { return nil }
    return Statement(name, value(text))
  }
}
