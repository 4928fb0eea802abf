import PolyclinicCore

/// The preview of an imported file: the number of records of each kind, and the records by line.
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
    let counts: [HTML.Fact] = Kind.allCases.compactMap { kind in
      let count = of(kind).count
      if count == 0 { return nil }
      return HTML.Fact(Text(kind.rawValue), "\(context.formats.number(count))")
    }
    let rest: HTML? =
      isRefused && of(.refused).count < rows.count
      ? "<p>\(context.text("import.refused.rest"))</p>" : nil
    let notice = context.notice(
      .outcome, sentence, as: canTake ? .information : .warning, action: rest)
    return """
      \(notice)\
      \(counts.isEmpty ? nil : context.facts(counts))
      """
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
      <h2>\(title)</h2><div class="scroll" tabindex="0" role="region" aria-label="\(title)">\
      <table class="data stack"><thead><tr><th scope="col">\(context.text("import.line"))</th>\
      <th scope="col">\(context.text("import.record"))</th>\(reason)</tr></thead>\
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
    let detail: HTML? =
      row.detail.isEmpty
      ? nil : "<span class=\"secondary-text\"><bdi>\(row.detail)</bdi></span>"
    let remarks = row.remarks.map { remark -> HTML in
      "<div>\(context.text(remark))</div>"
    }
    return """
      <tr><th scope="row">\(context.text("import.at-line", ["line": context.formats.number(row.line)]))\
      </th><td data-label="\(context.text("import.record"))"><bdi>\(row.title)</bdi>\(detail)\(remarks)</td>\(reason)</tr>
      """
  }
}
