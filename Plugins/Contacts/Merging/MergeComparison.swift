import PolyclinicCore

/// The page that compares two contacts field by field, to merge them or to keep both.
struct MergeComparison: RoutedPage {
  static let address: Address<ContactPair> = "/contacts/merge/{pair}"

  private let pair: ContactPair
  private let one: Contact
  private let other: Contact
  private let context: Context

  /// Loads the two contacts. Throws ``Refusal/notFound`` unless both belong to the person.
  init(_ context: Context) throws {
    self.context = context
    pair = try Self.address.value(in: context)
    let contacts = try Contact.records.find([pair.one, pair.other], in: context)
    guard let one = contacts[pair.one], let other = contacts[pair.other] else {
      throw Refusal.notFound
    }
    (self.one, self.other) = (one, other)
  }

  /// Creates the comparison of a pair from loaded contacts; nil if one of them is missing.
  init?(_ pair: ContactPair, of contacts: [ID<Contact>: Contact], _ context: Context) {
    guard let one = contacts[pair.one], let other = contacts[pair.other] else { return nil }
    self.pair = pair
    (self.one, self.other, self.context) = (one, other, context)
  }

  /// Returns the button that compares the contacts, or merges them at once if there is nothing to
  /// choose. `name` is the contact that only screen readers read.
  func button(of name: String) -> HTML {
    let style: HTML.ButtonStyle = [.secondary, .small]
    return hasChoice
      ? context.button("merge.compare", to: Self.path(pair), style: style, of: name)
      : context.button(
        "merge.do", posts: Self.path(pair), with: ["version": version], style: style, of: name)
  }

  /// Merges the two contacts, or marks them as different, as chosen on the page.
  static func merge(_ context: Context) throws -> Response {
    let sent = context.request.fields
    return try context.respondingOnce { context in
      let comparison = try MergeComparison(context)
      if sent.contains("distinct") {
        try MergeMemory.dismiss([comparison.pair], in: context)
        return .redirect(to: DuplicatesPage.path).saying("merge.kept")
      }
      guard comparison.version == sent["version"] else {
        return .page(comparison.page(because: "merge.changed"), status: 409)
      }
      guard let choice = MergeChoice(sent) else { throw Refusal.malformed }
      let merged = comparison.one.merged(with: comparison.other, choice)
      if let problem = try merged.problem(saying: { context.text($0) }) {
        return .page(comparison.page(because: problem), status: 422)
      }
      try ContactMerge.store(merged, of: comparison.pair, in: context)
      try MergeMemory.outdate(in: context)
      return .redirect(
        to: DuplicatesPage.path.query(["deleted": comparison.pair.other.description]))
    }
  }

  /// The version of the pair. It changes when either contact changes.
  var version: String { "\(one.fingerprint)-\(other.fingerprint)" }

  var page: Page { page(because: nil) }

  /// Returns the page with the reason for which nothing was saved.
  func page(because reason: Text?) -> Page {
    let notice = reason.map { context.notice(.problem, $0) }
    let content: HTML = """
      \(notice)<form class="form" method="post" action="\(Self.path(pair))">\(context.hiddenFields())\
      <input type="hidden" name="version" value="\(version)">\
      <p class="hint">\(context.text(hasChoice ? "merge.choose.about" : "merge.choose.nothing"))</p>\
      \(fields)\(ways)\
      \(actions:
        context.submit("merge.do"),
        context.submit("merge.distinct", name: "distinct", style: .secondary),
        context.button("merge.later", to: DuplicatesPage.path, style: .plain))</form>
      """
    return Page("merge.choose", content, back: DuplicatesPage.path)
  }

  /// The fields of both contacts, in words.
  private var values: [(name: String, one: String, other: String)] {
    var values = Contact.TextField.all.map { (name: $0.name, one: one[$0], other: other[$0]) }
    values.insert(("birthday", date(one.birthday), date(other.birthday)), at: 1)
    return values
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
      MergeChoice.joinable.contains(name)
      ? radio(name, .both, "\(context.text("merge.both"))") : nil
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
