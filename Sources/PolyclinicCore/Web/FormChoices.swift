extension Form {
  /// Choices that were sent and are not offered to this visitor; what the draft holds already may stay.
  ///
  /// Told apart from ``read(_:over:)``, which knows no visitor.
  func choicesNotOffered(
    in sent: Fields, over base: Draft, _ context: Context
  ) throws -> [Problem] {
    var problems: [Problem] = []
    for leaf in leaves {
      switch leaf {
      case .single(let single):
        let control = single.control
        guard control.isChoice else { break }
        let text = sent[control.name]
        if try !control.offers(text, besides: single.text(base), context) {
          problems.append(Problem(control.name, "error.choice"))
        }
      case .rows(let rows): problems += try rows.choicesNotOffered(in: sent, over: base, context)
      case .group: break
      }
    }
    return problems
  }
}

extension Rows {
  fileprivate func choicesNotOffered(
    in sent: Fields, over base: Draft, _ context: Context
  ) throws -> [Problem] {
    let stored = texts(base)
    return try typed(in: sent).enumerated().flatMap { index, row -> [Problem] in
      let before = row.origin.flatMap { stored.indices.contains($0) ? stored[$0] : nil } ?? blank
      return try columns.indices.compactMap { place -> Problem? in
        let column = columns[place]
        if try column.offers(row.values[place], besides: before[place], context) { return nil }
        return Problem("\(fieldName(column))-\(index + 1)", "error.choice")
      }
    }
  }
}

extension Control {
  /// Whether the text may be sent: whatever it is where nothing is chosen from a list.
  fileprivate func offers(_ text: String, besides stored: String, _ context: Context) throws -> Bool
  {
    guard case .choice(let options) = kind, !text.isEmpty, !text.isIdentical(to: stored) else {
      return true
    }
    return try options(context).contains { $0.value.isIdentical(to: text) }
  }
}
