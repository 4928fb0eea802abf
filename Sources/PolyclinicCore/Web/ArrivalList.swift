/// What a file holds, as its person reads it: how much of each kind, and the records by line.
struct ArrivalList<Item: Sendable> {
  let arrivals: [Arrival<Item>]
  let canTake: Bool
  let context: Context

  private enum Kind: String, CaseIterable {
    case refused = "import.kind.refused"
    case new = "import.kind.new"
    case update = "import.kind.update"
    case duplicate = "import.kind.duplicate"

    /// What is refused is to be mended in the file: more of it is shown.
    var shown: Int { self == .refused ? 200 : 20 }
  }

  var summary: HTML {
    let counts: [HTML] = Kind.allCases.compactMap { kind in
      let count = of(kind).count
      if count == 0 { return nil }
      return """
        <div><dt>\(context.text(Text(kind.rawValue)))</dt>\
        <dd>\(context.formats.number(count))</dd></div>
        """
    }
    return """
      <div class="notice\(tone)" role="status"><p>\(context.text(sentence))</p></div>\
      \(counts.isEmpty ? nil : "<dl class=\"details\">\(counts)</dl>")
      """
  }

  /// Takes in what can be; nil where nothing can.
  var takeButton: HTML? {
    canTake
      ? "<button class=\"button\">\(context.text("import.take", count: taken))</button> " : nil
  }

  var groups: HTML { "\(Kind.allCases.compactMap(group))" }

  private var taken: Int { arrivals.count { $0.item != nil } }

  private var tone: HTML { canTake ? "" : " warning" }

  private var sentence: Text {
    if arrivals.isEmpty { return "import.nothing" }
    if canTake { return "import.question" }
    return of(.refused).isEmpty ? "import.nothing-new" : "import.refused"
  }

  private func of(_ kind: Kind) -> [Arrival<Item>] {
    arrivals.filter { arrival in
      switch arrival.fate {
      case .new: kind == .new
      case .update: kind == .update
      case .duplicate: kind == .duplicate
      case .refused: kind == .refused
      }
    }
  }

  private func group(_ kind: Kind) -> HTML? {
    let arrivals = of(kind)
    if arrivals.isEmpty { return nil }
    let rest = arrivals.count - kind.shown
    let more: HTML? =
      rest > 0 ? "<p class=\"hint\">\(context.text("import.more", count: rest))</p>" : nil
    let reason: HTML? =
      kind == .refused ? "<th scope=\"col\">\(context.text("import.reason"))</th>" : nil
    let title = context.text(Text(kind.rawValue))
    return """
      <h2>\(title)</h2><div class="scroll" tabindex="0" role="region" aria-label="\(title)">\
      <table class="data stack"><thead><tr><th scope="col">\(context.text("import.line"))</th>\
      <th scope="col">\(context.text("import.record"))</th>\(reason)</tr></thead>\
      <tbody>\(each: arrivals.prefix(kind.shown), row)</tbody></table></div>\(more)
      """
  }

  private func row(_ arrival: Arrival<Item>) -> HTML {
    var reason: HTML?
    if case .refused(let text) = arrival.fate {
      reason = """
        <td data-label="\(context.text("import.reason"))">\(context.text(text))</td>
        """
    }
    return """
      <tr><th scope="row">\(context.text("import.at-line", ["line": context.formats.number(arrival.line)]))\
      </th><td data-label="\(context.text("import.record"))"><bdi>\(arrival.title)</bdi></td>\(reason)</tr>
      """
  }
}
