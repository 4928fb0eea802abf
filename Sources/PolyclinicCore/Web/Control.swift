/// What one field shows and accepts, told once for the page, for the browser and for the reader.
public struct Control: Sendable {
  /// What the page, the request and JSON call it.
  public let name: String
  /// How it is entered.
  public var kind: Kind
  /// What stands above it: the text `field.NAME` where nothing else is said.
  public var label: Text
  /// A sentence below the label.
  public var hint: Text?
  /// Whether it may not be left empty.
  public var isRequired = false
  /// Whether the page asks for it as for a required field; see ``Field/expected``.
  var isExpected = false
  /// The most that is taken, in Unicode scalars.
  public var limit = 200
  /// The bounds of a number; nil for other fields.
  var range: ClosedRange<Double>?
  /// What may be chosen, where that never changes; nil for other fields.
  var values: [String]?
  /// The purpose of the field (WCAG 2.2, 1.3.5), such as `family-name`.
  public var autocomplete: StaticString?
  /// Where what a box agrees to can be read; the words are `field.NAME.link`.
  public var link: Path?
  /// What comfort scripts act upon, such as `data-strength`.
  public var comfort: Comfort?

  /// How a field is entered.
  public enum Kind: Sendable {
    /// One line.
    case text
    /// Several lines.
    case lines
    /// One line, with a keyboard for addresses.
    case email
    /// One line, with a keyboard for digits.
    case telephone
    /// A day, with the browser's calendar.
    case date
    /// A time of day, with the browser's clock.
    case time
    /// A day and a time of day, with the browser's calendar and clock.
    case dateTime
    /// One line, with a keyboard for digits and a decimal separator.
    case number
    /// One line, with a keyboard for digits.
    case integer
    /// A file of at most so many bytes; `accept` is what the browser offers (WHATWG HTML, 4.10.5.1.18).
    case file(accept: StaticString, limit: Int)
    /// A hidden field that a script fills in; the page never shows the value again.
    case unseen
    /// Never shown again once it was typed.
    case password
    /// Ticked or not.
    case check
    /// One of several.
    case choice(Options)
    /// Decided on an earlier page: shown in words, and sent along.
    case fixed(Words)
  }

  /// A value as people read it; the value itself may be anything that was sent.
  public typealias Words = @Sendable (String, Context) throws -> String

  /// What may be chosen, in order, in the visitor's language.
  public typealias Options = @Sendable (Context) throws -> [Choice]

  /// What makes a text field more comfortable.
  public enum Comfort: Sendable {
    /// Suggests these as one types; anything else is accepted as well.
    case suggestions(@Sendable (Context) -> [String], script: StaticString, source: StaticString)
    /// Suggests these as one types, without a script; anything else is accepted as well.
    case list(@Sendable (Context) throws -> [String])
    /// Shows how strong a new password is while it is typed.
    case strength
  }

  /// An optional field with the label `field.NAME`.
  public init(_ name: String, _ kind: Kind) {
    self.name = name
    self.kind = kind
    label = Text("field.\(name)")
  }

  /// What the link says.
  var linkLabel: Text {
    var text = Text("field.\(name).link")
    text.module = label.module
    return text
  }

  var isPassword: Bool { if case .password = kind { true } else { false } }
  /// The most bytes of the file that it takes; 0 for other fields.
  var fileLimit: Int { if case .file(_, let limit) = kind { limit } else { 0 } }
  var isUnseen: Bool { if case .unseen = kind { true } else { false } }
  var takesLines: Bool { if case .lines = kind { true } else { false } }
  var isCheck: Bool { if case .check = kind { true } else { false } }
  var isFixed: Bool { if case .fixed = kind { true } else { false } }
  var isChoice: Bool { if case .choice = kind { true } else { false } }
}

/// One thing to choose: what is sent, and what is read.
public struct Choice: Sendable {
  /// What is sent and stored.
  public let value: String
  /// What is read.
  public let label: Label

  /// What stands on the page.
  public enum Label: Sendable {
    /// A sentence of the module's catalog.
    case text(Text)
    /// Already in the visitor's language.
    case verbatim(String)
  }

  /// A choice with what is sent and what is read.
  public init(_ value: String, _ label: Label) {
    self.value = value
    self.label = label
  }
}

/// What is wrong with one field, in words.
public struct Problem: Sendable, Equatable {
  /// The field's name; for a row's field its name, a hyphen and the row's number from 1.
  public let field: String
  /// What is wrong, and what would be right.
  public let text: Text

  /// Tells a field what is wrong with it.
  public init(_ field: String, _ text: Text) {
    self.field = field
    self.text = text
  }
}
