/// What stands above a form that is shown again.
extension FormView {
  /// All errors, each a link to its field.
  var summary: HTML? {
    if problems.isEmpty { return nil }
    return """
      <div class="summary" role="alert" tabindex="-1"><p>\(context.text("form.summary"))</p>\
      <ul>\(each: problems, { "<li><a href=\"#\($0.field)\">\(context.text($0.text))</a></li>" })\
      </ul></div>
      """
  }

  var notice: HTML? {
    message.map {
      "<div class=\"notice warning\" role=\"alert\"><p>\(context.text($0))</p></div>"
    }
  }

  /// Field by field, what is stored now and what was typed, where they differ.
  var comparison: HTML? {
    guard let other else { return nil }
    let rows: [HTML] = form.leaves.compactMap { leaf in
      let (label, names) = described(leaf)
      let stored = shown(other, names, leaf)
      let typed = shown(fields, names, leaf)
      guard stored != typed else { return nil }
      return """
        <tr class="differs"><th scope="row">\(context.text(label))</th>\
        <td>\(stored)</td><td>\(typed)</td></tr>
        """
    }
    return """
      <div class="scroll"><table class="compare"><thead><tr><td></td>\
      <th scope="col">\(context.text("form.conflict.stored"))</th>\
      <th scope="col">\(context.text("form.conflict.yours"))</th></tr></thead>\
      <tbody>\(rows)</tbody></table></div>
      """
  }

  private func described(_ leaf: Field<Draft>) -> (Text, [String]) {
    switch leaf {
    case .single(let single): (single.control.label, [single.control.name])
    case .rows(let rows): (Text("field.\(rows.name)"), rows.columns.map(rows.fieldName))
    case .group: ("", [])
    }
  }

  /// The values as they are read: a choice by its label, rows one after another.
  private func shown(_ fields: Fields, _ names: [String], _ leaf: Field<Draft>) -> String {
    if case .single(let single) = leaf { return shown(fields[names[0]], of: single.control) }
    guard case .rows(let rows) = leaf, let typed = try? rows.typed(in: fields) else { return "" }
    return typed.map { row in
      zip(rows.columns, row.values).map { shown($1, of: $0) }.joined(separator: " ")
    }.joined(separator: ", ")
  }

  private func shown(_ value: String, of control: Control) -> String {
    switch control.kind {
    case .password: ""
    case .check: context.text(value.isEmpty ? "form.no" : "form.yes")
    case .choice(let options):
      (try? options(context))?.first { $0.value == value }.map(label) ?? value
    default: value
    }
  }
}
