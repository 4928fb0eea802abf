import PolyclinicCore

/// The preview of an imported file: the records of each kind by name, with their number.
struct ImportRowList<Item: Sendable> {
  let rows: [ImportRow<Item>]
  let canTake: Bool
  let context: Context

  private enum Kind: String, CaseIterable {
    case refused = "import.kind.refused"
    case new = "import.kind.new"
    case update = "import.kind.update"
    case duplicate = "import.kind.duplicate"

    /// The most records that are listed. The limit is higher for refused records, because the user
    /// has to correct each of them in the file.
    var shown: Int { self == .refused ? 200 : 20 }
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
    let rest = rows.count - kind.shown
    let more: HTML? =
      rest > 0 ? "<p class=\"hint\">\(context.text("import.more", count: rest))</p>" : nil
    let reason: HTML? =
      kind == .refused ? "<th scope=\"col\">\(context.text("import.reason"))</th>" : nil
    let title = context.text(Text(kind.rawValue))
    // Rows with remarks come first, because a long list is cut off.
    let shown = rows.filter { !$0.remarks.isEmpty } + rows.filter(\.remarks.isEmpty)
    return """
      <h2>\(title) <small class="muted">\(context.formats.number(rows.count))</small></h2>\
      <div class="scroll" tabindex="0" role="region" aria-label="\(title)">\
      <table class="data stack"><thead><tr><th scope="col">\(context.text("import.record"))</th>\(reason)</tr></thead>\
      <tbody>\(each: shown.prefix(kind.shown), row)</tbody></table></div>\(more)
      """
  }

  private func row(_ row: ImportRow<Item>) -> HTML {
    var reason: HTML?
    if case .refused(let text) = row.outcome {
      reason = """
        <td data-label="\(context.text("import.reason"))">\(context.text(text))</td>
        """
    }
    let line = context.text("import.at-line", ["line": context.formats.number(row.line)])
    let detail: HTML? = row.detail.isEmpty ? nil : "<bdi>\(row.detail)</bdi> · "
    let remarks = row.remarks.map { remark -> HTML in
      "<div>\(context.text(remark))</div>"
    }
    return """
      <tr><td><bdi>\(row.title)</bdi><span class="secondary-text">\(detail)\(line)</span>\(remarks)</td>\
      \(reason)</tr>
      """
  }
}
