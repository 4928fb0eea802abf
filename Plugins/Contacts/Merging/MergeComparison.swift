import PolyclinicCore

/// The page that compares two contacts field by field, to merge them or to keep both.
struct MergeComparison {
  let pair: ContactPair
  let one: Contact
  let other: Contact
  let context: Context

  /// The version of the pair. It changes when either contact changes.
  var version: String { "\(one.fingerprint)-\(other.fingerprint)" }

  var page: Page { page(because: nil) }

  /// Returns the page with the reason for which nothing was saved.
  func page(because reason: Text?) -> Page {
    let notice = reason.map { context.notice(.problem, $0) }
    let content: HTML = """
      \(notice)<form class="form" method="post" action="/contacts/merge">\(context.hiddenFields())\
      <input type="hidden" name="one" value="\(pair.one)">\
      <input type="hidden" name="other" value="\(pair.other)">\
      <input type="hidden" name="version" value="\(version)">\
      <p class="hint">\(context.text(hasChoice ? "merge.choose.about" : "merge.choose.nothing"))</p>\
      \(fields)\(ways)\
      \(actions:
        context.submit("merge.do"),
        context.submit("merge.distinct", name: "distinct", style: .secondary),
        context.button("merge.later", to: "/contacts/merge", style: .plain))</form>
      """
    return Page("merge.choose", content, back: "merge")
  }

  /// The fields of both contacts, in words.
  private var values: [(name: String, one: String, other: String)] {
    let (one, other) = (one.details, other.details)
    return [
      ("name", one.name, other.name), ("birthday", date(one.birthday), date(other.birthday)),
      ("workplace", one.workplace, other.workplace), ("address", one.address, other.address),
      ("notes", one.notes, other.notes),
    ]
  }

  private static func differ(_ one: String, _ other: String) -> Bool {
    one != other && !one.isEmpty && !other.isEmpty
  }

  /// True if a field has two values to choose from.
  private var hasChoice: Bool { values.contains { Self.differ($0.one, $0.other) } }

  private var fields: [HTML] {
    values.compactMap { name, first, second in
      if first.isEmpty && second.isEmpty { return nil }
      if Self.differ(first, second) { return choice(name, first, second) }
      return settled(name, first.isEmpty ? second : first)
    }
  }

  private func date(_ date: CalendarDate?) -> String { date.map(context.formats.date) ?? "" }

  /// A field without a choice, because both values are equal or only one is filled.
  private func settled(_ name: String, _ value: String) -> HTML {
    """
    <div class="field"><p class="hint">\(context.text(Text("field.\(name)")))</p>\
    <p class="lines"><bdi>\(value)</bdi></p></div>
    """
  }

  private func choice(_ name: String, _ first: String, _ second: String) -> HTML {
    let both: HTML? =
      name == "notes" ? radio(name, .both, "\(context.text("merge.both"))") : nil
    return """
      <div class="field" role="radiogroup" aria-labelledby="\(name)-label">\
      <p class="hint" id="\(name)-label">\(context.text(Text("field.\(name)")))</p>\
      <div class="fields">\(radio(name, .one, "<bdi>\(first)</bdi>"))\
      \(radio(name, .other, "<bdi>\(second)</bdi>"))\(both)</div></div>
      """
  }

  private func radio(_ name: String, _ side: MergeChoice.Side, _ label: HTML) -> HTML {
    """
    <div class="choice"><input type="radio" id="\(name)-\(side.rawValue)" name="\(name)" \
    value="\(side.rawValue)"\(attribute: " checked", if: side == .one)>\
    <label for="\(name)-\(side.rawValue)" class="lines">\(label)</label></div>
    """
  }

  /// The contact methods of both, all of which are kept; those that both have, once.
  private var ways: HTML? {
    var united = one
    united.unite(with: other.methods)
    if united.methods.isEmpty { return nil }
    return """
      <div class="field"><p class="hint">\(context.text("merge.ways"))</p>\
      <ul class="plain">\(each: united.methods, { method in
        "<li><bdi>\(method.value)</bdi></li>"
      })</ul></div>
      """
  }
}
