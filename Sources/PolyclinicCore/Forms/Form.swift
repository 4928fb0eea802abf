/// The fields of a record, declared once for the page, the submitted form, JSON and storage.
public struct Form<Draft: Sendable>: Sendable {
  /// A draft with nothing filled in.
  public let blank: Draft
  package let fields: [Field<Draft>]
  /// All fields and rows in order, with groups flattened.
  let leaves: [Field<Draft>]
  /// The controls of the single fields, for drafts of any type.
  let controls: [Control]
  /// The names of the date and time fields.
  let dateTimes: [String]
  /// The maximum size of all its files together in bytes; 0 for a form without files.
  let fileLimit: Int
  /// The stored parts: single fields and rows, without groups.
  @usableFromInline let stored: [StoredField<Draft>]
  /// The rules across fields and the warnings; those of its groups come first.
  private(set) var checks: Field<Draft>.Checks
  private var ownChecks: Field<Draft>.Checks
  /// The draft's fields from other releases; nil for a form that is never stored.
  @usableFromInline let unknown: (WritableKeyPath<Draft, Sealed.UnknownFields> & Sendable)?

  /// Creates a form that is shown and parsed, but not stored. Two fields of one name stop the
  /// program.
  public init(_ blank: Draft, _ fields: Field<Draft>...) {
    self.init(blank: blank, fields: fields, unknown: nil)
  }

  /// Creates a form whose drafts are also stored. Fields that other releases stored in them are
  /// kept. Two fields of one name stop the program.
  public init(_ blank: Draft, _ fields: Field<Draft>...) where Draft: Resealable {
    self.init(blank: blank, fields: fields, unknown: \Draft.unknown)
  }

  /// Returns this form with further fields after its own.
  package func adding(_ more: [Field<Draft>]) -> Form {
    Form(blank: blank, fields: fields + more, unknown: unknown).adding(ownChecks)
  }

  /// Returns this form with further checks.
  func adding(_ more: Field<Draft>.Checks) -> Form {
    var form = self
    form.ownChecks.append(more)
    form.checks.append(more)
    return form
  }

  private init(
    blank: Draft, fields: [Field<Draft>],
    unknown: (WritableKeyPath<Draft, Sealed.UnknownFields> & Sendable)?
  ) {
    self.blank = blank
    self.fields = fields
    // A closure, because in generic code a key path would be created anew on each access.
    leaves = fields.flatMap { $0.leaves }
    controls = leaves.compactMap {
      if case .single(let single) = $0 { single.control } else { nil }
    }
    dateTimes = controls.filter(\.isDateTime).map(\.name)
    fileLimit = controls.reduce(0) { $0 + $1.fileLimit }
    stored = leaves.compactMap { StoredField($0) }
    ownChecks = []
    checks = Field.group(nil, fields, []).checks(besides: [])
    self.unknown = unknown
    var names: Set<String> = []
    for name in leaves.flatMap(\.names) {
      precondition(
        names.insert(name).inserted, "the form of \(Draft.self) has two fields called \(name)")
    }
  }

  /// Returns this form with a rule across fields, whose error is shown at `field`.
  public func requiring(_ field: String, _ rule: @escaping @Sendable (Draft) -> Text?) -> Form {
    requiring { draft in rule(draft).map { Fields.Problem(field, $0) } }
  }

  /// Returns this form with a rule across fields that names the field of its error itself, such as
  /// one in the second row.
  public func requiring(_ rule: @escaping Field<Draft>.Rule) -> Form {
    adding([rule])
  }

  /// Returns this form, with its checks, as a group in the form of a draft that contains this
  /// form's draft.
  func grouped<Whole: Sendable>(
    under legend: Text?, get: @escaping @Sendable (Whole) -> Draft,
    set: @escaping @Sendable (inout Whole, Draft) -> Void
  ) -> Field<Whole> {
    Field<Draft>.group(legend, fields, ownChecks).within(get: get, set: set)
  }

  /// All single fields in order, with groups flattened.
  var singles: [Field<Draft>.Single] {
    leaves.compactMap { if case .single(let single) = $0 { single } else { nil } }
  }

  /// Returns the fields that a browser would send back for the draft unchanged, without passwords.
  public func fields(of draft: Draft) -> Fields {
    var sent = Fields()
    for leaf in leaves {
      switch leaf {
      case .single(let single):
        let text = single.control.isPassword ? "" : single.text(draft)
        if !single.control.isCheck || !text.isEmpty { sent.append(single.control.name, text) }
      case .rows(let rows):
        for (index, row) in rows.texts(draft).enumerated() {
          sent.append(rows.originName, String(index))
          for (name, text) in zip(rows.fieldNames, row) { sent.append(name, text) }
        }
      case .group: break
      }
    }
    return sent
  }

  /// Returns the sent fields in the shape of ``fields(of:)``: only this form's fields, without
  /// spaces around values and without empty rows.
  ///
  /// Throws ``Refusal/malformed`` if a single field is repeated or the columns of rows differ in
  /// length.
  package func normalized(_ sent: Fields) throws -> Fields {
    var fields = Fields()
    for leaf in leaves {
      switch leaf {
      case .single(let single):
        let control = single.control
        let values = sent.all(control.name)
        guard values.count < 2 else { throw Refusal.malformed }
        let missing = control.isUnasked ? single.text(blank) : ""
        let text = normalizedText(values.first ?? missing, of: control)
        if !control.isCheck || !text.isEmpty { fields.append(control.name, text) }
      case .rows(let rows):
        for row in try rows.typed(in: sent) where !rows.isEmpty(row) {
          fields.append(rows.originName, row.origin.map(String.init) ?? "")
          for (name, text) in zip(rows.fieldNames, row.values) { fields.append(name, text) }
        }
      case .group: break
      }
    }
    return fields
  }

  /// Parses values from another source than a page, such as a line of a file, by the rules of the
  /// page.
  ///
  /// If there are problems, the draft must not be used. Choices are not checked against their
  /// options, because the options depend on the visitor.
  public func draft(from values: Fields) throws -> (draft: Draft, problems: [Fields.Problem]) {
    try read(normalized(values), over: blank)
  }

  /// Parses the normalized fields `sent` over `base`, so that values without a field in the form
  /// stay unchanged.
  ///
  /// If there are problems, the draft must not be used. Rules across fields are then applied only
  /// within the parts of the form whose own fields are valid, so that people see all errors at
  /// once.
  package func read(_ sent: Fields, over base: Draft) throws -> (
    draft: Draft, problems: [Fields.Problem]
  ) {
    var draft = base
    var problems: [Fields.Problem] = []
    for leaf in leaves {
      switch leaf {
      case .single(let single):
        if let text = single.read(&draft, sent[single.control.name]) {
          problems.append(Fields.Problem(single.control.name, text))
        }
      case .rows(let rows): problems += rows.read(&draft, try rows.typed(in: sent))
      case .group: break
      }
    }
    let rules =
      problems.isEmpty
      ? checks.rules : fields.flatMap { $0.checks(besides: problems).rules }
    problems += rules.compactMap { $0(draft) }
    return (draft, problems)
  }

  /// Returns the normalized fields with their rows matched to another stored state than the one
  /// that the user edited. A row that equals a stored row becomes that row; every other row is new.
  func rebased(_ sent: Fields, onto draft: Draft) throws -> Fields {
    var fields = sent
    for case .rows(let rows) in leaves {
      var stored = rows.texts(draft).map(Optional.some)
      let typed = try rows.typed(in: sent)
      fields = fields.without([rows.originName])
      for row in typed {
        let origin = stored.firstIndex(of: row.values)
        if let origin { stored[origin] = nil }
        fields.append(rows.originName, origin.map(String.init) ?? "")
      }
    }
    return fields
  }

  /// Returns the fields without passwords, so that they can be shown again or kept for a while.
  func withoutPasswords(_ sent: Fields) -> Fields {
    sent.without(Set(controls.filter(\.isPassword).map(\.name)))
  }
}

extension Field {
  var leaves: [Field] {
    if case .group(_, let fields, _) = self { fields.flatMap { $0.leaves } } else { [self] }
  }

  /// The names of a field or of rows on the page, in JSON and in storage.
  fileprivate var names: [String] {
    switch self {
    case .single(let single): [single.control.name]
    case .rows(let rows): [rows.name, rows.membersName, rows.originName] + rows.fieldNames
    case .group: []
    }
  }

  /// Returns the checks of the groups in which no field has a problem.
  fileprivate func checks(besides problems: [Fields.Problem]) -> Checks {
    guard case .group(_, let fields, let own) = self else { return [] }
    var checks: Checks = []
    for field in fields { checks.append(field.checks(besides: problems)) }
    let isValid = !leaves.contains { leaf in problems.contains { leaf.isRefused(by: $0) } }
    if isValid { checks.append(own) }
    return checks
  }

  /// True if the problem is that of this field, or of one of these rows.
  private func isRefused(by problem: Fields.Problem) -> Bool {
    switch self {
    case .single(let single): single.control.name == problem.field
    case .rows(let rows):
      rows.name == problem.field || rows.fieldNames.contains { problem.field.hasPrefix($0 + "-") }
    case .group: false
    }
  }
}

extension Field.Rows {
  /// Returns the sent rows. Throws ``Refusal/malformed`` if their columns differ in length.
  func typed(in sent: Fields) throws -> [TypedRow] {
    let values = zip(fieldNames, columns).map { name, column in
      sent.all(name).map { normalizedText($0, of: column) }
    }
    let count = values.first?.count ?? 0
    guard values.allSatisfy({ $0.count == count }) else { throw Refusal.malformed }
    let origins = sent.all(originName)
    return (0..<count).map { index in
      TypedRow(
        values: values.map { $0[index] },
        origin: origins.count == count ? Int(origins[index]) : nil)
    }
  }

  /// Returns true if nothing is typed in the row. Options count only if all columns are choices.
  func isEmpty(_ row: TypedRow) -> Bool {
    let isOfChoices = columns.allSatisfy(\.isChoice)
    return zip(columns, row.values).allSatisfy { $0.isChoice && !isOfChoices || $1.isEmpty }
  }
}

/// Returns the text trimmed and with `\n` for line ends. A password stays unchanged.
private func normalizedText(_ text: String, of control: Control) -> String {
  if control.isPassword { return text }
  var rest = Substring(text.withPlainLineEnds).unicodeScalars
  while let first = rest.first, isBlank(first) { rest.removeFirst() }
  while let last = rest.last, isBlank(last) { rest.removeLast() }
  return String(rest)
}

private func isBlank(_ scalar: Unicode.Scalar) -> Bool {
  // ASCII white space without a Unicode table lookup: tab to carriage return, and space.
  if scalar.isASCII { return scalar == " " || (0x09...0x0D).contains(scalar.value) }
  return scalar.properties.isWhitespace
}
