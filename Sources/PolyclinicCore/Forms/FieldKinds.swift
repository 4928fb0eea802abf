extension Field {
  /// Returns a field for one line of text. Spaces around the text are removed. `rule` returns the
  /// error of a typed text.
  public static func text(
    _ value: WritableKeyPath<Draft, String> & Sendable, _ name: String, required: Bool = false,
    limit: Int = 200, autocomplete: StaticString? = nil, hint: Text? = nil,
    rule: (@Sendable (String) -> Text?)? = nil
  ) -> Field {
    let control = Control(name, .text).asked(required, hint)
    return string(value, control.taking(limit, autocomplete), rule)
  }

  /// Returns a field for several lines of text.
  public static func lines(
    _ value: WritableKeyPath<Draft, String> & Sendable, _ name: String, required: Bool = false,
    limit: Int = 5_000, autocomplete: StaticString? = nil, hint: Text? = nil
  ) -> Field {
    string(value, Control(name, .lines).asked(required, hint).taking(limit, autocomplete))
  }

  /// Returns a field for an e-mail address: a local part, an `@` and a domain (WHATWG HTML, valid
  /// e-mail address, loosely).
  public static func email(
    _ value: WritableKeyPath<Draft, String> & Sendable, _ name: String, required: Bool = false,
    autocomplete: StaticString = "email", hint: Text? = nil
  ) -> Field {
    let control = Control(name, .email).asked(required, hint)
    return string(value, control.taking(254, autocomplete), emailProblem)
  }

  /// Returns the error of a text that is not an e-mail address; nil for an address.
  @Sendable
  public static func emailProblem(_ address: String) -> Text? {
    let parts = address.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, parts[1].utf8.count > 2,
      !address.contains(where: \.isWhitespace), !parts[1].hasPrefix("."), !parts[1].hasSuffix("."),
      !parts[1].contains("..")
    else { return "error.email" }
    return nil
  }

  /// Returns a field for a telephone number as people write it: at least three digits, with
  /// `+ ( ) - . /` and spaces.
  public static func telephone(
    _ value: WritableKeyPath<Draft, String> & Sendable, _ name: String, required: Bool = false,
    autocomplete: StaticString = "tel", hint: Text? = nil
  ) -> Field {
    let control = Control(name, .telephone).asked(required, hint)
    return string(value, control.taking(40, autocomplete)) { number in
      let isWritten = number.allSatisfy { $0.isNumber || " +()-./".contains($0) }
      return isWritten && number.filter(\.isNumber).count >= 3 ? nil : "error.telephone"
    }
  }

  /// Returns a field for a password. The value is taken unchanged, including spaces around it, and
  /// never sent back to the browser.
  package static func password(
    _ value: WritableKeyPath<Draft, String> & Sendable, _ name: String, required: Bool = true,
    autocomplete: StaticString, hint: Text? = nil
  ) -> Field {
    string(value, Control(name, .password).asked(required, hint).taking(1_024, autocomplete))
  }

  /// Returns a field for a date, `YYYY-MM-DD`. `rule` returns the error of a date that exists.
  public static func date(
    _ value: WritableKeyPath<Draft, CalendarDate?> & Sendable, _ name: String,
    required: Bool = false, autocomplete: StaticString? = nil, hint: Text? = nil,
    rule: (@Sendable (CalendarDate) -> Text?)? = nil
  ) -> Field {
    // The limit is long enough for a date in words, so that the error shows the format of a date
    // instead of a length limit.
    .single(
      Single(
        Control(name, .date).asked(required, hint).taking(40, autocomplete), value,
        print: { $0?.description ?? "" },
        parse: { $0.isEmpty ? .some(nil) : CalendarDate($0).map(Optional.some) },
        misread: "error.date",
        json: { $0.map { .string($0.description) } ?? .null },
        coding: .date, rule: { date in date.flatMap { rule?($0) } }))
  }

  /// Returns a choice among the cases of an enumeration, each labelled `NAME.case`.
  public static func choice<Value: RawRepresentable<String> & CaseIterable & Sendable>(
    _ value: WritableKeyPath<Draft, Value> & Sendable, _ name: String, hint: Text? = nil
  ) -> Field {
    let values = Value.allCases.map(\.rawValue)
    var control = Control(
      name, .choice { _ in values.map { Choice($0, .text(Text("\(name).\($0)"))) } })
    control.values = values
    return .single(
      Single(
        control.asked(true, hint), value, print: \.rawValue, parse: Value.init(rawValue:),
        misread: "error.choice",
        json: { .string($0.rawValue) }))
  }

  /// Returns a choice among the options that `options` returns at the time of the request. The
  /// value is empty if the user chose nothing.
  package static func choice(
    _ value: WritableKeyPath<Draft, String> & Sendable, _ name: String, required: Bool = false,
    autocomplete: StaticString? = nil, hint: Text? = nil, options: @escaping Control.Options
  ) -> Field {
    let control = Control(name, .choice(options)).asked(required, hint)
    return string(value, control.taking(100, autocomplete))
  }

  /// Returns a check box; a required one must be ticked.
  public static func check(
    _ value: WritableKeyPath<Draft, Bool> & Sendable, _ name: String, required: Bool = false,
    hint: Text? = nil, link: Path? = nil
  ) -> Field {
    var control = Control(name, .check).asked(required, hint)
    control.link = link
    return .single(
      Single(
        control, value, print: { $0 ? "yes" : "" }, parse: { !$0.isEmpty },
        json: { .boolean($0) }))
  }

  /// Returns the fields of a form for a part of the draft.
  public static func part<Part: Sendable>(
    _ part: WritableKeyPath<Draft, Part> & Sendable, _ form: Form<Part>
  ) -> Field {
    form.grouped(under: nil, get: { $0[keyPath: part] }, set: { $0[keyPath: part] = $1 })
  }

  /// Returns a group of fields that belong together, under a heading.
  public static func section(_ legend: Text, _ fields: Field...) -> Field {
    .group(legend, fields, [])
  }

  private static func string(
    _ value: WritableKeyPath<Draft, String> & Sendable, _ control: Control,
    _ rule: (@Sendable (String) -> Text?)? = nil
  ) -> Field {
    .single(
      Single(control, value, print: { $0 }, parse: { $0 }, json: { .string($0) }, rule: rule))
  }
}
