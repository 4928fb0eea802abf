/// A part of a form: a field, rows of fields, or a group of both.
public indirect enum Field<Draft: Sendable>: Sendable {
  /// One value.
  case single(Single<Draft>)
  /// Fields that repeat.
  case rows(Rows<Draft>)
  /// Fields that belong together, under a legend where there is one, with the rules across them.
  case group(Text?, [Field<Draft>], [Rule])

  /// What is wrong across several fields, if anything.
  public typealias Rule = @Sendable (Draft) -> Problem?

  /// This field, decided on an earlier page: the form shows it in words and sends it along. What
  /// stands alone is meant; rows and groups stay as they are.
  public func fixed(_ words: @escaping Control.Words) -> Field {
    changingControl { $0.kind = .fixed(words) }
  }

  /// This field with another label than `field.NAME`.
  public func labelled(_ label: Text) -> Field {
    changingControl { $0.label = label }
  }

  /// This field, marked as expected: the page asks for it as for a required one, but it may be
  /// empty when a script has filled in another. A rule across fields says when.
  public var expected: Field { changingControl { $0.isExpected = true } }

  private func changingControl(_ change: (inout Control) -> Void) -> Field {
    guard case .single(let single) = self else { return self }
    return .single(single.changingControl(change))
  }

  /// The same part for a draft that holds this one's draft.
  func within<Whole: Sendable>(
    get: @escaping @Sendable (Whole) -> Draft, set: @escaping @Sendable (inout Whole, Draft) -> Void
  ) -> Field<Whole> {
    switch self {
    case .single(let single): .single(single.within(get: get, set: set))
    case .rows(let rows): .rows(rows.within(get: get, set: set))
    case .group(let legend, let fields, let rules):
      .group(
        legend, fields.map { $0.within(get: get, set: set) },
        rules.map { rule in { rule(get($0)) } })
    }
  }
}

/// One field of a draft: how its value is written as text, and read from it.
///
/// An object: a form that is taken looks at each field a dozen times, and need not copy all it holds.
public final class Single<Draft: Sendable>: Sendable {
  let control: Control
  /// The value as it is typed and stored.
  let text: @Sendable (Draft) -> String
  /// Takes what was typed; what is wrong with it, if anything.
  let read: @Sendable (inout Draft, String) -> Text?
  /// Takes what was stored, without a rule; false for what this release does not know.
  let open: @Sendable (inout Draft, String) -> Bool
  let json: @Sendable (Draft) -> JSON

  /// A field whose value is parsed from text: nil from `parse` is not understood, and told by `misread`.
  init<Value>(
    _ control: Control, _ value: WritableKeyPath<Draft, Value> & Sendable,
    print: @escaping @Sendable (Value) -> String,
    parse: @escaping @Sendable (String) -> Value?,
    misread: Text = "error.not-understood",
    json: @escaping @Sendable (Value) -> JSON,
    rule: (@Sendable (Value) -> Text?)? = nil
  ) {
    self.control = control
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

  private init(
    control: Control, text: @escaping @Sendable (Draft) -> String,
    read: @escaping @Sendable (inout Draft, String) -> Text?,
    open: @escaping @Sendable (inout Draft, String) -> Bool,
    json: @escaping @Sendable (Draft) -> JSON
  ) {
    self.control = control
    self.text = text
    self.read = read
    self.open = open
    self.json = json
  }

  func changingControl(_ change: (inout Control) -> Void) -> Single {
    var control = control
    change(&control)
    return Single(control: control, text: text, read: read, open: open, json: json)
  }

  func speaking(for module: ModuleID) -> Single {
    let read = read
    return Single(
      control: control.speaking(for: module), text: text,
      read: { read(&$0, $1)?.spoken(by: module) }, open: open, json: json)
  }

  func within<Whole: Sendable>(
    get: @escaping @Sendable (Whole) -> Draft, set: @escaping @Sendable (inout Whole, Draft) -> Void
  ) -> Single<Whole> {
    let (text, read, open, json) = (text, read, open, json)
    return Single<Whole>(
      control: control,
      text: { text(get($0)) },
      read: { whole, typed in
        var draft = get(whole)
        let problem = read(&draft, typed)
        set(&whole, draft)
        return problem
      },
      open: { whole, stored in
        var draft = get(whole)
        let isKnown = open(&draft, stored)
        set(&whole, draft)
        return isKnown
      },
      json: { json(get($0)) })
  }
}

/// The rules that hold for whatever is typed: required, not too long, no invisible controls.
private func typedProblem(in text: String, for control: Control) -> Text? {
  if text.isEmpty || (control.isRequired && !control.isPassword && isBlank(text)) {
    guard control.isRequired else { return nil }
    return control.isCheck ? "error.must-be-ticked" : "error.required"
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

/// Whether nothing in it is visible: white space and ignorable code points (Unicode,
/// DerivedCoreProperties, Default_Ignorable_Code_Point), and the blank pattern of Braille, which
/// has neither property.
private func isBlank(_ text: String) -> Bool {
  text.unicodeScalars.allSatisfy {
    $0.properties.isWhitespace || $0.properties.isDefaultIgnorableCodePoint || $0 == "\u{2800}"
  }
}

extension Unicode.Scalar {
  /// Whether it is a control character, or one of those that turn the direction of the text behind them
  /// (Unicode, UAX 9): no field takes it, but for the line ends and tabs of one of many lines.
  public var isInvisibleControl: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069, 0xFFF9...0xFFFB: true
    default: false
    }
  }
}
