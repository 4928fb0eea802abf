import PolyclinicCore

/// One thing that a certificate says, for pages, print and JSON alike.
struct Statement: Sendable, Equatable {
  /// The name in JSON, which is also the key of the label.
  let name: String
  let value: Value
  /// The name of a member that the format's documentation does not list.
  private var otherName: String?

  init(_ name: String, _ value: Value) {
    self.name = name
    self.value = value
  }

  /// A member of a certificate that the format's documentation does not list.
  init(undocumented name: String, _ value: Value) {
    self.init("other", value)
    otherName = name
  }

  var label: Text {
    if let otherName { return Text("statement.other", ["name": otherName]) }
    return Text("statement.\(name)")
  }

  /// A value in a form that can be written in each language.
  enum Value: Sendable, Equatable {
    /// Text as the certificate has it.
    case text(String)
    /// A code of a value set, with its term if the portal knows it.
    case coded(String, Term?)
    /// A country's code of two letters.
    case country(String)
    /// A date or a time as the certificate has it: also a year alone, or a year and a month.
    case date(String)
    case moment(Instant)
    case dose(Int64, of: Int64?)
  }
}

extension Statement.Value {
  /// The value in a language. A code without a term, and a date that is none, stand as they are.
  func words(in formats: Formats) -> String {
    switch self {
    case .text(let text): text
    case .coded(let code, let term): term?.words(in: formats.language) ?? code
    case .country(let code): Countries.name(code, in: formats.language) ?? code
    case .date(let text):
      if let date = CalendarDate(text) {
        formats.date(date)
      } else if let time = ZonedTime(text) {
        formats.dateTime(time.instant)
      } else {
        text
      }
    case .moment(let instant): formats.dateTime(instant)
    case .dose(let number, nil): formats.number(Int(number))
    case .dose(let number, let total?):
      "\(formats.number(Int(number))) / \(formats.number(Int(total)))"
    }
  }

  /// The code to show beside the words; nil where the words are the code already.
  var code: String? {
    switch self {
    case .coded(let code, let term?): term.english.isIdentical(to: code) ? nil : code
    case .country(let code): Countries.name(code, in: .english) == nil ? nil : code
    default: nil
    }
  }

  /// The value for programs: codes with their English term, times as the certificate has them or in UTC.
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

/// The statements of a certificate about one thing: the person, one vaccination, one test.
struct StatementSection: Sendable, Equatable {
  /// The name in JSON, which is also the key of the heading.
  let name: String
  let statements: [Statement]

  /// Leaves out what the certificate does not say.
  init(_ name: String, _ statements: [Statement?]) {
    self.name = name
    self.statements = statements.compactMap(\.self)
  }

  var heading: Text { Text("statement.section.\(name)") }
}

extension Statement {
  /// A statement of text; nil for none.
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
