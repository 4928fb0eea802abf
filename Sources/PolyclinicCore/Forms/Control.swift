/// The description of one form field, shared by the page, the browser and the parser.
package struct Control: Sendable {
  /// The field's name on the page, in the request and in JSON.
  package let name: String
  /// The kind of input.
  package var kind: Kind
  /// The label above the input; by default the text `field.NAME`.
  package var label: Text
  /// A sentence of help below the label.
  package var hint: Text?
  /// True if the field must not be empty.
  package var isRequired = false
  /// True if the page marks the field as required although it may be empty; see ``Field/expected``.
  var isExpected = false
  /// True if a choice must not be empty where it has options; see ``Field/needing(_:)``.
  var isNeeded = false
  /// True if the page does not mark the field as optional; see ``Field/alternative``.
  var isAlternative = false
  /// True if a date after today is refused; see ``Field/untilToday``.
  var isUntilToday = false
  /// True if the page shows the field only with an error; see ``Field/unasked``.
  var isUnasked = false
  /// True if a page for a person in care does not show the field while it is empty.
  var isForOwnPages = false
  /// Returns true if the page shows the field; nil for always. See ``Field/asked(where:)``.
  var isAskedWhere: (@Sendable (Fields) -> Bool)?
  /// The maximum length in Unicode scalars.
  package var limit = 200
  /// The bounds of a number; nil for other fields.
  var range: ClosedRange<Double>?
  /// The values of a choice whose options never change; nil for other fields.
  var values: [String]?
  /// The purpose of the field (WCAG 2.2, 1.3.5), such as `family-name`.
  package var autocomplete: StaticString?
  /// The page with the terms that a check box agrees to; the link text is `field.NAME.link`.
  package var link: Path?
  /// Optional help while typing: suggestions, or a script such as the strength meter
  /// (`data-strength`).
  package var comfort: Comfort?

  /// A kind of input.
  package enum Kind: Sendable {
    /// One line of text.
    case text
    /// Several lines of text.
    case lines
    /// One line of text, with the keyboard for e-mail addresses.
    case email
    /// One line of text, with the keyboard for telephone numbers.
    case telephone
    /// A date, with the browser's calendar.
    case date
    /// A time of day, with the browser's time picker.
    case time
    /// A date and a time of day, with the browser's pickers.
    case dateTime
    /// A number, with a keyboard of digits and a decimal separator.
    case number
    /// A whole number, with a keyboard of digits.
    case integer
    /// A file of at most `limit` bytes. `accept` lists the file types that the browser offers
    /// (WHATWG HTML, 4.10.5.1.18).
    case file(accept: StaticString, limit: Int)
    /// A hidden field that a script fills in; the page never shows the value again.
    case unseen
    /// A password; the page never shows the value again.
    case password
    /// A check box.
    case check
    /// One of several options.
    case choice(Options)
    /// A value chosen on an earlier page. The form sends it in a hidden input, and shows it as text
    /// unless the page shows it elsewhere.
    case fixed(Words, isTold: Bool = false)
  }

  /// Returns the text that shows a value to the user. The value may be any text that a client sent.
  package typealias Words = @Sendable (String, Context) throws -> String

  /// Returns the options, in order, in the visitor's language.
  package typealias Options = @Sendable (Context) throws -> [Choice]

  /// Optional help while the user types into a text field.
  package enum Comfort: Sendable {
    /// Cities to begin with, and a script that loads more; any other text is accepted as well. The
    /// first ones may depend on the other fields of the form.
    case cities(@Sendable (Fields, Context) -> [String])
    /// Suggestions without a script; any other text is accepted as well.
    case list(@Sendable (Context) throws -> [String])
    /// A meter of the strength of a new password.
    case strength
  }

  /// True if a script suggests cities.
  var suggestsCities: Bool { if case .cities = comfort { true } else { false } }

  /// Creates an optional field with the label `field.NAME`.
  package init(_ name: String, _ kind: Kind) {
    self.name = name
    self.kind = kind
    label = Text("field.\(name)")
  }

  /// Returns this control with its hint, as one that must not be empty if it is required.
  func asked(_ isRequired: Bool, _ hint: Text?) -> Control {
    var control = self
    (control.isRequired, control.hint) = (isRequired, hint)
    return control
  }

  /// Returns this control for texts of a maximum length and of a purpose.
  func taking(_ limit: Int, _ autocomplete: StaticString? = nil) -> Control {
    var control = self
    (control.limit, control.autocomplete) = (limit, autocomplete)
    return control
  }

  /// The text of the link beside a check box.
  var linkLabel: Text {
    var text = Text("field.\(name).link")
    text.module = label.module
    return text
  }

  var isPassword: Bool { if case .password = kind { true } else { false } }
  /// The maximum size of the file in bytes; 0 for other fields.
  var fileLimit: Int { if case .file(_, let limit) = kind { limit } else { 0 } }
  /// True for a field whose value is the visitor's own words.
  var isWritten: Bool {
    switch kind {
    case .file, .unseen, .password, .check, .choice, .fixed: false
    default: true
    }
  }
  var isUnseen: Bool { if case .unseen = kind { true } else { false } }
  var takesLines: Bool { if case .lines = kind { true } else { false } }
  var isCheck: Bool { if case .check = kind { true } else { false } }
  var isFixed: Bool { if case .fixed = kind { true } else { false } }
  /// True for a fixed value that the page shows outside the form. The form sends it hidden, and
  /// shows a field only to carry an error.
  var isTold: Bool { if case .fixed(_, isTold: true) = kind { true } else { false } }
  var isChoice: Bool { if case .choice = kind { true } else { false } }
  var isDateTime: Bool { if case .dateTime = kind { true } else { false } }
}

/// One option of a choice.
public struct Choice: Sendable {
  /// The value that is sent and stored.
  public let value: String
  /// The text that the user reads.
  public let label: Label

  /// The text of an option.
  public enum Label: Sendable {
    /// A sentence of the module's catalog.
    case text(Text)
    /// A text that is already in the visitor's language.
    case verbatim(String)
  }

  /// Creates an option with its value and its label.
  public init(_ value: String, _ label: Label) {
    self.value = value
    self.label = label
  }
}

extension Fields {
  /// A validation error of one field.
  public struct Problem: Sendable, Equatable {
    /// The field's name; for a field in a row, its name, a hyphen and the row's number from 1.
    public let field: String
    /// The error message: the mistake and how to correct it.
    public let text: Text

    /// Creates a validation error of a field.
    public init(_ field: String, _ text: Text) {
      self.field = field
      self.text = text
    }
  }
}
