extension Form {
  /// Returns an error for each choice that was sent but is not offered to this visitor. A value
  /// that the draft already holds is accepted.
  ///
  /// Separate from ``read(_:over:)``, which has no visitor.
  func choicesNotOffered(
    in sent: Fields, over base: Draft, _ context: Context
  ) throws -> [Fields.Problem] {
    var problems: [Fields.Problem] = []
    for leaf in leaves {
      switch leaf {
      case .single(let single):
        let control = single.control
        guard control.isChoice else { break }
        let text = sent[control.name]
        if try !control.offers(text, besides: single.text(base), context) {
          problems.append(Fields.Problem(control.name, "error.choice"))
        }
      case .rows(let rows): problems += try rows.choicesNotOffered(in: sent, over: base, context)
      case .group: break
      }
    }
    return problems
  }
}

extension Form {
  /// Returns an error for each empty choice that is needed and has options.
  func choicesMissing(in sent: Fields, _ context: Context) throws -> [Fields.Problem] {
    try controls.filter { try $0.isNeeded && sent[$0.name].isEmpty && $0.hasOptions(context) }
      .map { Fields.Problem($0.name, "error.required") }
  }

  /// Returns an error for each date after today in a field that is ``Field/untilToday`` and has no
  /// error yet.
  func datesAhead(
    in sent: Fields, besides problems: [Fields.Problem], _ context: Context
  ) -> [Fields.Problem] {
    controls.compactMap { control in
      guard control.isUntilToday, let date = CalendarDate(sent[control.name]),
        date > context.today, !problems.contains(where: { $0.field == control.name })
      else { return nil }
      return Fields.Problem(control.name, "error.future")
    }
  }
}

extension Field.Rows {
  fileprivate func choicesNotOffered(
    in sent: Fields, over base: Draft, _ context: Context
  ) throws -> [Fields.Problem] {
    let stored = texts(base)
    return try typed(in: sent).enumerated().flatMap { index, row -> [Fields.Problem] in
      let before = row.origin.flatMap { stored.indices.contains($0) ? stored[$0] : nil } ?? blank
      return try columns.indices.compactMap { place -> Fields.Problem? in
        let column = columns[place]
        if try column.offers(row.values[place], besides: before[place], context) { return nil }
        return Fields.Problem("\(fieldName(column))-\(index + 1)", "error.choice")
      }
    }
  }
}

extension Context {
  /// Returns the value of a field as the user reads it: a choice by its label, and no password.
  func shown(_ value: String, of control: Control) throws -> String {
    switch control.kind {
    case .password: ""
    case .check: text(value.isEmpty ? "form.no" : "form.yes")
    case .choice(let options):
      try options(self).first { $0.value == value }.map { label(of: $0) } ?? value
    case .fixed(let words, _): try words(value, self)
    case .dateTime: ZonedTime(value).map { formats.dateTime($0.instant) } ?? value
    default: value
    }
  }

  /// Returns the label of an option in the visitor's language.
  func label(of option: Choice) -> String {
    switch option.label {
    case .text(let text): self.text(text)
    case .verbatim(let text): text
    }
  }
}

extension Control {
  /// True for a choice with options besides an empty one.
  func hasOptions(_ context: Context) throws -> Bool {
    guard case .choice(let options) = kind else { return false }
    return try options(context).contains { !$0.value.isEmpty }
  }

  /// Returns true if the text is one of the options, is the stored value, or is empty. Fields other
  /// than choices accept any text.
  fileprivate func offers(_ text: String, besides stored: String, _ context: Context) throws -> Bool
  {
    guard case .choice(let options) = kind, !text.isEmpty, !text.isIdentical(to: stored) else {
      return true
    }
    return try options(context).contains { $0.value.isIdentical(to: text) }
  }
}
