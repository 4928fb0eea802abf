/// The messages above a form that is shown again.
extension FormView {
  /// All validation errors in the order of the page, each linked to its field.
  package var summary: HTML? {
    if problems.isEmpty { return nil }
    return """
      <div class="summary" role="alert" tabindex="-1" autofocus><h2>\(context.text("form.summary", count: problems.count))</h2>\
      <ul>\(each: ordered, link)</ul>\(passwordsAgain)</div>
      """
  }

  /// The validation errors in the order of the fields, because the rules across fields find theirs
  /// after all others.
  private var ordered: [Fields.Problem] {
    problems.enumerated()
      .map { (place: place(of: $0.element.field), number: $0.offset, problem: $0.element) }
      .sorted { ($0.place, $0.number) < ($1.place, $1.number) }
      .map(\.problem)
  }

  /// Returns the place of a field on the page, the rows of a group one after the other.
  private func place(of field: String) -> Place {
    for (index, leaf) in form.leaves.enumerated() {
      switch leaf {
      case .single(let single) where single.control.name == field: return Place(leaf: index)
      case .rows(let rows):
        if rows.name == field { return Place(leaf: index) }
        for (column, name) in rows.fieldNames.enumerated() where field.hasPrefix(name + "-") {
          let row = Int(field.dropFirst(name.utf8.count + 1)) ?? 0
          return Place(leaf: index, row: row, column: column)
        }
      case .single, .group: continue
      }
    }
    return Place(leaf: form.leaves.count)
  }

  /// The reminder that passwords are not kept, if the form has one that was filled in correctly.
  private var passwordsAgain: HTML? {
    let isLost = form.controls.contains { control in
      control.isPassword && control.isRequired && !problems.contains { $0.field == control.name }
    }
    return isLost ? "<p>\(context.text("form.passwords-again"))</p>" : nil
  }

  /// Returns the error with its field's label, because the summary stands apart from the field.
  private func link(_ problem: Fields.Problem) -> HTML {
    let label = label(of: problem.field).map { context.text($0) + ": " } ?? ""
    return "<li><a href=\"#\(problem.field)\">\(label)\(context.text(problem.text))</a></li>"
  }

  private func label(of field: String) -> Text? {
    for leaf in form.leaves {
      switch leaf {
      case .single(let single) where single.control.name == field:
        // The label of a check box is a whole sentence.
        return single.control.isCheck ? nil : single.control.label
      case .rows(let rows):
        if rows.name == field { return rows.text(field) }
        let column = rows.columns.first { field.hasPrefix(rows.fieldName($0) + "-") }
        if let column { return rows.text(rows.fieldName(column)) }
      case .single, .group: continue
      }
    }
    return nil
  }

  package var notice: HTML? { message.map { context.notice(.problem, $0) } }

  /// Returns a table of the fields in which the stored and the typed values differ; nil without a
  /// conflict.
  func comparison() throws -> HTML? {
    guard let other else { return nil }
    let rows: [HTML] = try form.leaves.compactMap { leaf in
      let (label, names) = described(leaf)
      let stored = try shown(other, names, leaf)
      let typed = try shown(fields, names, leaf)
      guard stored != typed else { return nil }
      return """
        <tr class="differs"><th scope="row">\(context.text(label))</th>\
        <td data-label="\(context.text("form.conflict.stored"))">\(stored)</td>\
        <td data-label="\(context.text("form.conflict.yours"))">\(typed)</td></tr>
        """
    }
    return """
      <div class="scroll" tabindex="0" role="region" aria-label="\(context.text("form.conflict.title"))">\
      <table class="compare stack"><thead><tr><th scope="col">\(context.text("form.conflict.field"))</th>\
      <th scope="col">\(context.text("form.conflict.stored"))</th>\
      <th scope="col">\(context.text("form.conflict.yours"))</th></tr></thead>\
      <tbody>\(rows)</tbody></table></div>
      """
  }

  private func described(_ leaf: Field<Draft>) -> (Text, [String]) {
    switch leaf {
    case .single(let single): (single.control.label, [single.control.name])
    case .rows(let rows): (rows.text(rows.name), rows.fieldNames)
    case .group: ("", [])
    }
  }

  /// Returns the values as the user reads them: a choice by its label, rows separated by commas.
  private func shown(_ fields: Fields, _ names: [String], _ leaf: Field<Draft>) throws -> String {
    switch leaf {
    case .single(let single): try shown(fields[names[0]], of: single.control)
    case .rows(let rows):
      try rows.typed(in: fields).map { row in
        try zip(rows.columns, row.values).map { try shown($1, of: $0) }.joined(separator: " ")
      }.joined(separator: ", ")
    case .group: ""
    }
  }

  private func shown(_ value: String, of control: Control) throws -> String {
    try context.shown(value, of: control)
  }
}

/// The place of a field on the page of its form.
private struct Place: Comparable {
  let leaf: Int
  /// The number of the row from 1; 0 for a field that is in no row.
  var row = 0
  var column = 0

  static func < (one: Place, other: Place) -> Bool {
    (one.leaf, one.row, one.column) < (other.leaf, other.row, other.column)
  }
}
