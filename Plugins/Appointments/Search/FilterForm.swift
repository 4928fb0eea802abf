import PolyclinicCore

/// The search form of a public list: a field for words, and filters. Its address is that of the
/// list.
struct FilterForm {
  let path: Path
  let label: Text
  let words: String
  /// The number of set filters.
  let count: Int
  /// The label of the button below the filters, such as “Show doctors”.
  let show: Text
  /// Examples of words; nil without any.
  var hint: Text?
  let context: Context

  /// Returns the form with the filters behind one button, so that a phone shows the first results.
  /// A button below the filters applies them, because the one beside the words is off the screen
  /// by then.
  func html(_ filters: HTML) -> HTML {
    let folded: HTML = """
      <details class="folded"><summary>\(button)</summary><div class="filters">\(filters)\
      \(context.submit(show))</div></details>
      """
    return context.searchForm(
      at: path, label, words: words, submit: "clinics.search", hint: hint, filters: folded,
      isLive: true)
  }

  /// “Filters”, with the number of set ones.
  private var button: String {
    count == 0
      ? context.text("find.filters")
      : context.text("find.filters.set", ["count": context.formats.number(count)])
  }

  /// Returns the set filters as links to the list without each of them; nil without any.
  static func links(
    without filters: [(name: String, without: Path)], _ context: Context
  ) -> HTML? {
    if filters.isEmpty { return nil }
    let links = filters.map { name, path in
      context.button(
        showing: """
          <span><span class="hidden-text">\(context.text("find.filter.remove")) </span><bdi>\(name)</bdi>\
          <span aria-hidden="true"> ×</span></span>
          """, to: path, style: .secondary)
    }
    return "\(actions: links)"
  }

  /// Returns a labelled list of choices, sorted by name below the choice of all.
  func select(
    _ label: Text, _ name: StaticString, any: Text, _ choices: [(value: String, name: String)],
    chosen: String?
  ) -> HTML {
    let sorted = choices.map { (choice: $0, order: (SearchText($0.name), $0.value)) }
      .sorted { $0.order < $1.order }.map(\.choice)
    return select(label, name, [("", context.text(any))] + sorted, chosen: chosen)
  }

  /// Returns a labelled list of choices in this order.
  func select(
    _ label: Text, _ name: StaticString, _ choices: [(value: String, name: String)], chosen: String?
  ) -> HTML {
    context.field(
      label, id: name.description,
      """
      <select id="\(name)" name="\(name)">\(each: choices, { choice in
        "<option value=\"\(choice.value)\"\(attribute: " selected", if: choice.value == chosen)>\(choice.name)</option>"
      })</select>
      """)
  }

  /// Returns the list of specializations.
  func specializations(
    _ label: Text, any: Text, _ offered: some Sequence<Specialization>, chosen: Specialization?
  ) -> HTML {
    select(
      label, "specialization", any: any,
      offered.map { ($0.rawValue, context.text($0.title)) }, chosen: chosen?.rawValue)
  }

  /// The maximum number of corrections of a search.
  static let mostCorrections = 3

  /// Returns links to the searches for corrections of words that find nothing; nil without any.
  static func links(to corrections: [String], at path: Path, _ context: Context) -> HTML? {
    if corrections.isEmpty { return nil }
    let links = corrections.map { words in
      context.button(
        showing: "<bdi>\(words)</bdi>", to: path.query(["q": words]), style: .secondary)
    }
    return """
      <section class="panel"><h2>\(context.text("find.similar"))</h2>\(actions: links)</section>
      """
  }
}
