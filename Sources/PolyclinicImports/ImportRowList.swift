import PolyclinicCore

/// The preview of an imported file: the records of each kind by name, with their number.
struct ImportRowList<Item: Sendable> {
  let rows: [ImportRow<Item>]
  let canTake: Bool
  let context: Context
  /// The choice of records so far; nil if the file is imported as a whole.
  var selection: ImportSelection?

  /// The ID of the form to which the check boxes of the records belong.
  static var form: StaticString { "import" }

  private enum Kind: String, CaseIterable {
    case refused = "import.kind.refused"
    case new = "import.kind.new"
    case update = "import.kind.update"
    case duplicate = "import.kind.duplicate"

    var isTaken: Bool { self == .new || self == .update }
  }

  /// Returns the most records of a kind that are listed. The limit is higher for refused records,
  /// because the user has to correct each of them in the file, and for those with a choice.
  private func limit(of kind: Kind) -> Int {
    kind == .refused || kind.isTaken && selection != nil ? 200 : 20
  }

  var summary: HTML {
    let rest: HTML? =
      isRefused && of(.refused).count < rows.count
      ? "<p>\(context.text("import.refused.rest"))</p>" : nil
    return context.notice(
      .outcome, sentence, as: canTake ? .information : .warning, action: rest)
  }

  /// The button that imports the valid records; nil if no record can be imported.
  var takeButton: HTML? {
    canTake ? context.submit(Text("import.take", count: taken)) : nil
  }

  var groups: HTML { "\(Kind.allCases.compactMap(group))" }

  private var taken: Int { rows.count { $0.item != nil } }

  private var sentence: Text {
    if rows.isEmpty { return "import.nothing" }
    if canTake { return "import.question" }
    return isRefused ? Text("import.refused", count: of(.refused).count) : "import.nothing-new"
  }

  /// True if wrong lines refuse the whole file.
  private var isRefused: Bool { !canTake && !of(.refused).isEmpty }

  private func of(_ kind: Kind) -> [ImportRow<Item>] {
    rows.filter { row in
      switch row.outcome {
      case .new: kind == .new
      case .update: kind == .update
      case .duplicate: kind == .duplicate
      case .refused: kind == .refused
      }
    }
  }

  private func group(_ kind: Kind) -> HTML? {
    let rows = of(kind)
    if rows.isEmpty { return nil }
    let rest = rows.count - limit(of: kind)
    let more: HTML? =
      rest > 0 ? "<p class=\"hint\">\(context.text("import.more", count: rest))</p>" : nil
    let reason: HTML? =
      kind == .refused ? "<th scope=\"col\">\(context.text("import.reason"))</th>" : nil
    let title = context.text(Text(kind.rawValue))
    // Rows with remarks or a choice come first, because a long list is cut off.
    let isFirst = { (row: ImportRow<Item>) in !row.remarks.isEmpty || row.alternative != nil }
    let shown = rows.filter(isFirst) + rows.filter { !isFirst($0) }
    return """
      <h2>\(title) <small class="muted">\(context.formats.number(rows.count))</small></h2>\
      <div class="scroll" tabindex="0" role="region" aria-label="\(title)">\
      <table class="data stack"><thead><tr><th scope="col">\(context.text("import.record"))</th>\(reason)</tr></thead>\
      <tbody>\(each: shown.prefix(limit(of: kind)), row)</tbody></table></div>\(more)
      """
  }

  private func row(_ row: ImportRow<Item>) -> HTML {
    var reason: HTML?
    if case .refused(let text) = row.outcome {
      reason = """
        <td data-label="\(context.text("import.reason"))">\(context.text(text))</td>
        """
    }
    // The place in the file helps only to correct it.
    let line: HTML? =
      reason == nil
      ? nil
      : "\(context.text("import.at-line", ["line": context.formats.number(row.line)]))"
    let detail: HTML? = row.detail.isEmpty ? nil : "<bdi>\(row.detail)</bdi>"
    let isBoth = detail != nil && line != nil
    let about: HTML? =
      detail == nil && line == nil
      ? nil
      : "<span class=\"secondary-text\">\(detail)\(isBoth ? " · " as HTML : nil)\(line)</span>"
    let remarks = row.remarks.map { remark -> HTML in
      "<div>\(context.text(remark))</div>"
    }
    return """
      <tr><td><bdi>\(row.title)</bdi>\(about)\(remarks)\(choices(of: row))</td>\
      \(reason)</tr>
      """
  }

  /// The check boxes of a record that is imported: to merge it, and to leave it out.
  private func choices(of row: ImportRow<Item>) -> HTML? {
    guard canTake, let selection, row.item != nil else { return nil }
    let alternative = row.alternative.flatMap { alternative in
      ImportSelection.value(of: row).map { value in
        box(
          ImportSelection.alternative, value, alternative.label, of: row,
          isOn: selection.takesAlternative(of: row))
      }
    }
    let omission = box(
      ImportSelection.omission, String(row.line), "import.leave", of: row,
      isOn: selection.omits(row))
    return "\(alternative)\(omission)"
  }

  private func box(
    _ name: StaticString, _ value: String, _ label: Text, of row: ImportRow<Item>, isOn: Bool
  ) -> HTML {
    """
    <div class="choice"><input type="checkbox" form="\(Self.form)" id="\(name)-\(value)" \
    name="\(name)" value="\(value)"\(attribute: " checked", if: isOn)>\
    <label for="\(name)-\(value)">\(context.text(label))\
    <span class="hidden-text">: <bdi>\(row.title)</bdi></span></label></div>
    """
  }
}
