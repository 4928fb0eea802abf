/// A part of a form: a field, rows of fields, or a group of both.
public indirect enum Field<Draft: Sendable>: Sendable {
  /// A field with one value.
  case single(Single)
  /// Rows of fields that repeat.
  case rows(Rows)
  /// Fields that belong together, with an optional legend and the checks across them.
  case group(Text?, [Field<Draft>], Checks)

  /// Returns the error of a draft that breaks a rule across several fields; nil if it is valid.
  public typealias Rule = @Sendable (Draft) -> Fields.Problem?

  /// The checks of a form beyond those of its single fields.
  public struct Checks: Sendable, ExpressibleByArrayLiteral {
    /// Returns a warning about a valid but unusual draft; nil if there is none. The context is nil
    /// for imports; then other records are not consulted.
    typealias Doubt = @Sendable (Draft, Context?) throws -> Fields.Problem?

    var rules: [Rule]
    var doubts: [Doubt]

    init(rules: [Rule] = [], doubts: [Doubt] = []) {
      self.rules = rules
      self.doubts = doubts
    }

    /// Creates checks of rules alone.
    public init(arrayLiteral rules: Rule...) { self.init(rules: rules) }

    mutating func append(_ more: Checks) {
      rules += more.rules
      doubts += more.doubts
    }

    /// Returns the same checks for a draft that contains this draft.
    func within<Whole: Sendable>(_ get: @escaping @Sendable (Whole) -> Draft) -> Field<Whole>.Checks
    {
      .init(
        rules: rules.map { rule in { rule(get($0)) } },
        doubts: doubts.map { doubt in { try doubt(get($0), $1) } })
    }
  }

  /// Returns this field as one that was chosen on an earlier page. The form shows its value as text
  /// and sends it along. Rows and groups are returned unchanged.
  package func fixed(_ words: @escaping Control.Words) -> Field {
    changingControl { $0.kind = .fixed(words) }
  }

  /// Returns this field as one that was chosen on an earlier page and that this page shows outside
  /// the form. The form sends it in a hidden input, and shows it as text only with an error.
  package func told(_ words: @escaping Control.Words) -> Field {
    changingControl { $0.kind = .fixed(words, isTold: true) }
  }

  /// Returns this field with another label than `field.NAME`.
  public func labelled(_ label: Text) -> Field {
    changingControl { $0.label = label }
  }

  /// Returns this field with help while the user types.
  package func helped(by comfort: Control.Comfort) -> Field {
    changingControl { $0.comfort = comfort }
  }

  /// This field, marked as expected: the page shows it as required, but it may be empty if a script
  /// has filled in another field. A rule across fields checks the combination.
  public var expected: Field { changingControl { $0.isExpected = true } }

  /// Returns this field as one that the page shows only where the other fields have certain values.
  package func asked(where condition: @escaping @Sendable (Fields) -> Bool) -> Field {
    changingControl { $0.isAskedWhere = condition }
  }

  /// This field as one that only the visitor's own pages show. A page for a person in care shows it
  /// if it has a value already.
  public var ownPagesOnly: Field { changingControl { $0.isForOwnPages = true } }

  /// This field as one of several, at least one of which must be filled in. The page does not call
  /// it optional; a hint or a legend says what is needed.
  public var alternative: Field { changingControl { $0.isAlternative = true } }

  /// This date, which a page refuses if it is after today. Other channels than a page check it on
  /// their own.
  public var untilToday: Field { changingControl { $0.isUntilToday = true } }

  /// Returns this part with the choices of these names as needed: they must not be empty. A needed
  /// choice without any option is neither shown nor missed, so that it keeps nobody out.
  package func needing(_ names: Set<String>) -> Field {
    if case .group(let legend, let fields, let checks) = self {
      return .group(legend, fields.map { $0.needing(names) }, checks)
    }
    return changingControl { $0.isNeeded = $0.isChoice && names.contains($0.name) }
  }

  /// This part as one that the form accepts but does not show, needed choices excepted. It sends a
  /// value other than the default in a hidden input. It is shown only with an error; rows are
  /// always shown.
  package var unasked: Field {
    if case .group(let legend, let fields, let checks) = self {
      return .group(legend, fields.map(\.unasked), checks)
    }
    return changingControl { $0.isUnasked = !$0.isNeeded }
  }

  private func changingControl(_ change: (inout Control) -> Void) -> Field {
    guard case .single(let single) = self else { return self }
    return .single(single.changingControl(change))
  }

  /// Returns the same part for a draft that contains this part's draft.
  func within<Whole: Sendable>(
    get: @escaping @Sendable (Whole) -> Draft, set: @escaping @Sendable (inout Whole, Draft) -> Void
  ) -> Field<Whole> {
    switch self {
    case .single(let single): .single(Field<Whole>.Single(single, get: get, set: set))
    case .rows(let rows): .rows(rows.within(get: get, set: set))
    case .group(let legend, let fields, let checks):
      .group(legend, fields.map { $0.within(get: get, set: set) }, checks.within(get))
    }
  }
}

extension Field {
  /// One field of a draft, with the functions that format and parse its value.
  ///
  /// A class, because handling one submission accesses each field a dozen times. A reference avoids
  /// copying all stored closures each time.
  public final class Single: Sendable {
    let control: Control
    /// Returns the value as text, as it is typed and stored.
    let text: @Sendable (Draft) -> String
    /// Parses typed text into the draft and applies the rule. Returns the error; nil if the text is
    /// valid.
    let read: @Sendable (inout Draft, String) -> Text?
    /// Parses stored text into the draft without applying the rule. Returns false if this release
    /// does not know the value.
    let open: @Sendable (inout Draft, String) -> Bool
    let json: @Sendable (Draft) -> JSON
    /// The field in the excerpts of records; nil for a field of a part of the draft.
    let excerpted: ExcerptField<Draft>?

    /// Creates a field whose value is parsed from text. If `parse` returns nil, the error is
    /// `misread`. `coding` is the value's encoding in excerpts, by default that of its text.
    init<Value>(
      _ control: Control, _ value: WritableKeyPath<Draft, Value> & Sendable,
      print: @escaping @Sendable (Value) -> String,
      parse: @escaping @Sendable (String) -> Value?,
      misread: Text = "error.not-understood",
      json: @escaping @Sendable (Value) -> JSON,
      coding: ExcerptCoding<Value>? = nil,
      rule: (@Sendable (Value) -> Text?)? = nil
    ) {
      self.control = control
      excerpted = ExcerptField(value, coding ?? .text(print, parse))
      self.text = { print($0[keyPath: value]) }
      self.json = { json($0[keyPath: value]) }
      let open: @Sendable (inout Draft, String) -> Bool = { draft, text in
        guard let parsed = parse(text) else { return false }
        draft[keyPath: value] = parsed
        return true
      }
      self.open = open
      self.read = { draft, text in
        if let problem = typedProblem(in: text, for: control) { return problem }
        guard open(&draft, text) else { return misread }
        return text.isEmpty ? nil : rule?(draft[keyPath: value])
      }
    }

    /// Creates a field that differs from another one in its control and, if given, its errors.
    private init(
      _ other: Single, control: Control, read: (@Sendable (inout Draft, String) -> Text?)? = nil
    ) {
      self.control = control
      self.read = read ?? other.read
      (text, open, json, excerpted) = (other.text, other.open, other.json, other.excerpted)
    }

    /// Creates the same field for a draft that contains the field's draft.
    fileprivate init<Part: Sendable>(
      _ part: Field<Part>.Single, get: @escaping @Sendable (Draft) -> Part,
      set: @escaping @Sendable (inout Draft, Part) -> Void
    ) {
      let (text, read, open, json) = (part.text, part.read, part.open, part.json)
      control = part.control
      self.text = { text(get($0)) }
      self.read = { whole, typed in
        var draft = get(whole)
        let problem = read(&draft, typed)
        set(&whole, draft)
        return problem
      }
      self.open = { whole, stored in
        var draft = get(whole)
        let isKnown = open(&draft, stored)
        set(&whole, draft)
        return isKnown
      }
      self.json = { json(get($0)) }
      excerpted = nil
    }

    func changingControl(_ change: (inout Control) -> Void) -> Single {
      var control = control
      change(&control)
      return Single(self, control: control)
    }

    func speaking(for module: ModuleID) -> Single {
      let read = read
      return Single(self, control: control.speaking(for: module)) {
        read(&$0, $1)?.spoken(by: module)
      }
    }
  }
}

/// Returns the error of a violated general rule: required, maximum length, no invisible control
/// characters.
private func typedProblem(in text: String, for control: Control) -> Text? {
  if text.isEmpty || (control.isRequired && !control.isPassword && isBlank(text)) {
    guard control.isRequired, control.isCheck else {
      return control.isRequired ? "error.required" : nil
    }
    return control.link == nil ? "error.must-be-ticked" : "error.must-agree"
  }
  guard IncomingText.isStreamSafe(text) else { return "error.combining-marks" }
  var length = 0
  for scalar in text.unicodeScalars {
    length += 1
    if scalar.isInvisibleControl, !(control.takesLines && (scalar == "\n" || scalar == "\t")) {
      return "error.control-characters"
    }
  }
  return length > control.limit
    ? Text("error.too-long", ["limit": String(control.limit)]) : nil
}

/// Returns true if no character of the text is visible.
///
/// Invisible are white space, ignorable code points (Unicode, DerivedCoreProperties,
/// Default_Ignorable_Code_Point) and the blank Braille pattern, which has neither property.
private func isBlank(_ text: String) -> Bool {
  text.unicodeScalars.allSatisfy {
    $0.properties.isWhitespace || $0.properties.isDefaultIgnorableCodePoint || $0 == "\u{2800}"
  }
}

extension Unicode.Scalar {
  /// True if the scalar is a control character or one that changes the direction of the text after
  /// it (Unicode, UAX 9). No field accepts them, except line ends and tabs in a field of several
  /// lines.
  public var isInvisibleControl: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069, 0xFFF9...0xFFFB: true
    default: false
    }
  }
}
