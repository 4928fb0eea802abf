/// The fields of a record, declared once: for the page, for what a browser sends back, for JSON, and
/// for what is sealed.
public struct Form<Draft: Sendable>: Sendable {
  /// A draft in which nothing is filled in.
  public let blank: Draft
  let fields: [Field<Draft>]
  /// All fields and rows, groups opened, in order.
  let leaves: [Field<Draft>]
  /// The fields among them that stand alone, whatever draft they belong to.
  let controls: [Control]
  /// The names of those that are moments.
  let dateTimes: [String]
  /// The most bytes that all its files may have; 0 for a form without any.
  let fileLimit: Int
  /// What is stored of them.
  @usableFromInline let stored: [StoredField<Draft>]
  /// The rules across fields, those of its groups first.
  private(set) var rules: [Field<Draft>.Rule]
  private var ownRules: [Field<Draft>.Rule]
  /// What the page asks about once; see ``doubting(_:_:)``.
  var doubts: [Field<Draft>.Rule] = []
  /// Where what other releases stored is kept; nil for a form that is never stored.
  @usableFromInline let unknown: (WritableKeyPath<Draft, UnknownFields> & Sendable)?

  /// A form that is shown and read, but not stored.
  public init(_ blank: Draft, _ fields: Field<Draft>...) {
    self.init(blank: blank, fields: fields, rules: [], unknown: nil)
  }

  /// A form whose drafts are stored as well: what other releases stored in them is carried along.
  public init(_ blank: Draft, _ fields: Field<Draft>...) where Draft: Resealable {
    self.init(blank: blank, fields: fields, rules: [], unknown: \Draft.unknown)
  }

  /// This form with further fields behind its own.
  package func adding(_ more: [Field<Draft>]) -> Form {
    var form = Form(blank: blank, fields: fields + more, rules: ownRules, unknown: unknown)
    form.doubts = doubts
    return form
  }

  private init(
    blank: Draft, fields: [Field<Draft>], rules: [Field<Draft>.Rule],
    unknown: (WritableKeyPath<Draft, UnknownFields> & Sendable)?
  ) {
    self.blank = blank
    self.fields = fields
    // Not by key path: in generic code it would be made anew each time.
    leaves = fields.flatMap { $0.leaves }
    controls = leaves.compactMap {
      if case .single(let single) = $0 { single.control } else { nil }
    }
    dateTimes = controls.filter(\.isDateTime).map(\.name)
    fileLimit = controls.reduce(0) { $0 + $1.fileLimit }
    stored = leaves.compactMap { StoredField($0) }
    ownRules = rules
    self.rules = fields.flatMap { $0.rules } + rules
    self.unknown = unknown
  }

  /// This form with a rule across fields; what is wrong is told at `field`.
  public func requiring(_ field: String, _ rule: @escaping @Sendable (Draft) -> Text?) -> Form {
    requiring { draft in rule(draft).map { Problem(field, $0) } }
  }

  /// This form with a rule across fields that says itself where something is wrong, such as in the
  /// second row.
  public func requiring(_ rule: @escaping Field<Draft>.Rule) -> Form {
    var form = self
    form.ownRules.append(rule)
    form.rules.append(rule)
    return form
  }

  /// This form, with its rules, as a group of one whose draft holds this one's.
  func grouped<Whole: Sendable>(
    under legend: Text?, get: @escaping @Sendable (Whole) -> Draft,
    set: @escaping @Sendable (inout Whole, Draft) -> Void
  ) -> Field<Whole> {
    Field<Draft>.group(legend, fields, ownRules).within(get: get, set: set)
  }

  /// All fields that stand alone, groups opened, in order.
  var singles: [Single<Draft>] {
    leaves.compactMap { if case .single(let single) = $0 { single } else { nil } }
  }

  /// What a browser would send back of this draft, untouched; passwords are left out.
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

  /// What was sent, in the shape of ``fields(of:)``: this form's fields alone, spaces around them
  /// and empty rows dropped.
  ///
  /// Throws ``Refusal/malformed`` when a field that stands alone is repeated, or rows are ragged.
  func normalized(_ sent: Fields) throws -> Fields {
    var fields = Fields()
    for leaf in leaves {
      switch leaf {
      case .single(let single):
        let control = single.control
        let values = sent.all(control.name)
        guard values.count < 2 else { throw Refusal.malformed }
        let text = normalizedText(values.first ?? "", of: control)
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

  /// Reads values from elsewhere than a page, such as a line of a file, by the rules of the page.
  ///
  /// With problems, the draft is not to be used. What a page offers to choose from depends on who
  /// asks, and is not checked.
  public func draft(from values: Fields) throws -> (draft: Draft, problems: [Problem]) {
    try read(normalized(values), over: blank)
  }

  /// Reads what was sent over `base`, so that what the form does not show stays as it was.
  ///
  /// `sent` is normalized. With problems, the draft is not to be used.
  func read(_ sent: Fields, over base: Draft) throws -> (draft: Draft, problems: [Problem]) {
    var draft = base
    var problems: [Problem] = []
    for leaf in leaves {
      switch leaf {
      case .single(let single):
        if let text = single.read(&draft, sent[single.control.name]) {
          problems.append(Problem(single.control.name, text))
        }
      case .rows(let rows): problems += rows.read(&draft, try rows.typed(in: sent))
      case .group: break
      }
    }
    if problems.isEmpty { problems = rules.compactMap { $0(draft) } }
    return (draft, problems)
  }

  /// What was sent, normalized, for another stored state than it was typed over: a row comes from
  /// the stored row that is equal to it, if there is one, and else is new.
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

  /// What was sent without its passwords: fit to be shown again or kept for a while.
  func withoutPasswords(_ sent: Fields) -> Fields {
    sent.without(Set(controls.filter(\.isPassword).map(\.name)))
  }
}

extension Field {
  fileprivate var leaves: [Field] {
    if case .group(_, let fields, _) = self { fields.flatMap { $0.leaves } } else { [self] }
  }

  fileprivate var rules: [Rule] {
    if case .group(_, let fields, let rules) = self {
      fields.flatMap { $0.rules } + rules
    } else {
      []
    }
  }
}

extension Rows {
  /// The rows that were sent; throws ``Refusal/malformed`` when their columns differ in length.
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

  /// Whether nothing is typed in the row; what is merely chosen does not count.
  func isEmpty(_ row: TypedRow) -> Bool {
    zip(columns, row.values).allSatisfy { $0.isChoice || $1.isEmpty }
  }
}

/// What was typed, without spaces around it, with `\n` for a line's end; a password as it is.
private func normalizedText(_ text: String, of control: Control) -> String {
  if control.isPassword { return text }
  var rest = Substring(text.withPlainLineEnds).unicodeScalars
  while let first = rest.first, isBlank(first) { rest.removeFirst() }
  while let last = rest.last, isBlank(last) { rest.removeLast() }
  return String(rest)
}

private func isBlank(_ scalar: Unicode.Scalar) -> Bool {
  // ASCII's without a look into Unicode's tables: tab to carriage return, and the space.
  if scalar.isASCII { return scalar == " " || (0x09...0x0D).contains(scalar.value) }
  return scalar.properties.isWhitespace
}
