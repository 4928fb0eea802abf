import PolyclinicCore

/// Two contacts side by side, field by field, to be made one or left two.
struct MergeComparison {
  let pair: ContactPair
  let one: Contact
  let other: Contact
  let context: Context

  /// Changes with either of the two.
  var version: String { "\(one.fingerprint)-\(other.fingerprint)" }

  var page: Page { page(because: nil) }

  /// The page, with why nothing was done.
  func page(because reason: Text?) -> Page {
    let notice: HTML? = reason.map {
      "<div class=\"notice warning\" role=\"alert\"><p>\(context.text($0))</p></div>"
    }
    let content: HTML = """
      \(notice)<form class="form" method="post" action="/contacts/merge">\(context.hiddenFields())\
      <input type="hidden" name="one" value="\(pair.one)">\
      <input type="hidden" name="other" value="\(pair.other)">\
      <input type="hidden" name="version" value="\(version)">\
      <p class="hint">\(context.text("merge.choose.about"))</p>\(fields)\(ways)\
      <p class="actions"><button class="button">\(context.text("merge.do"))</button> \
      <button class="button secondary" name="distinct" value="yes">\
      \(context.text("merge.distinct"))</button> \
      <a class="button plain" href="/contacts/merge">\(context.text("merge.later"))</a></p></form>
      """
    return Page("merge.choose", content, back: "merge")
  }

  private var fields: [HTML] {
    let (one, other) = (one.details, other.details)
    let texts: [(String, String, String)] = [
      ("name", one.name, other.name),
      ("birthday", date(one.birthday), date(other.birthday)),
      ("workplace", one.workplace, other.workplace), ("address", one.address, other.address),
      ("notes", one.notes, other.notes),
    ]
    return texts.compactMap { name, first, second in
      if first.isEmpty && second.isEmpty { return nil }
      if first == second || first.isEmpty || second.isEmpty {
        return settled(name, first.isEmpty ? second : first)
      }
      return choice(name, first, second)
    }
  }

  private func date(_ date: CalendarDate?) -> String { date.map(context.formats.date) ?? "" }

  /// A field of which there is nothing to choose.
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

  /// The ways of reaching either, all of which are kept.
  private var ways: HTML? {
    if one.methods.isEmpty && other.methods.isEmpty { return nil }
    return """
      <div class="field"><p class="hint">\(context.text("merge.ways"))</p>\
      <div class="fields">\(list(one.methods))\(list(other.methods))</div></div>
      """
  }

  private func list(_ methods: [CommunicationMethod]) -> HTML {
    if methods.isEmpty { return "<p class=\"muted\">\(context.text("merge.no-ways"))</p>" }
    return """
      <ul class="plain">\(each: methods, { method in
        "<li><bdi>\(method.value)</bdi></li>"
      })</ul>
      """
  }
}
