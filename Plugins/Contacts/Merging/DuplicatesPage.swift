import PolyclinicCore

/// The page with the groups of likely duplicates.
struct DuplicatesPage {
  let groups: [DuplicateGroup]
  /// The contacts of the groups that are shown.
  let contacts: [ID<Contact>: Contact]
  /// The notice of a merge a moment ago, with an undo button.
  let notice: HTML?
  let context: Context

  /// The most contacts on one page. The next groups appear after the user has decided these.
  static let mostShown = 100
  /// The most pairs that are searched.
  static let mostCounted = 1_000
  /// The largest group that can be kept as a whole, since each of its pairs is stored.
  static let mostKept = 40

  /// Returns the groups that fit on the page.
  static func shown(_ groups: [DuplicateGroup]) -> [DuplicateGroup] {
    var count = 0
    return groups.prefix { group in
      defer { count += group.members.count }
      return count == 0 || count + group.members.count <= mostShown
    }
  }

  /// Returns the contacts of a group that the page lists.
  static func shownMembers(of group: DuplicateGroup) -> ArraySlice<ID<Contact>> {
    group.members.prefix(mostShown)
  }

  var page: Page {
    let content: HTML =
      groups.isEmpty
      ? context.emptyState(
        .check, "merge.none", hint: "merge.none.hint",
        actions: context.button("merge.back", to: "/contacts", style: .secondary))
      : """
      <p class="lead">\(context.text("merge.about"))</p>\
      \(context.resultCount(Text("merge.count", count: groups.count)))\
      \(each: Self.shown(groups), section)
      """
    return Page("merge.title", "\(notice)\(content)", back: "")
  }

  private func section(_ group: DuplicateGroup) -> HTML {
    let members = Self.shownMembers(of: group).compactMap { id in
      contacts[id].map { (id, $0) }
    }
    let keep: HTML? =
      group.members.count <= Self.mostKept
      ? context.button(
        group.members.count == 2 ? "merge.keep-both" : "merge.keep-all", posts: "/contacts/merge",
        with: ["keep": group.members.map(\.description).joined(separator: " ")],
        style: [.secondary, .small], of: members.first?.1.details.name)
      : nil
    return """
      <section><h2 class="day"><bdi>\(members.first?.1.details.name ?? "")</bdi> \
      <small class="muted">\(reasons(of: group))</small></h2>\
      \(rows: members.map { row($0, $1, group.pair(of: $0)) })\(actions: keep)</section>
      """
  }

  private func row(_ id: ID<Contact>, _ contact: Contact, _ pair: ContactPair?) -> HTML {
    let compare = pair.map { pair in
      let path: Path = "/contacts/merge"
      let query: KeyValuePairs = ["one": pair.one.description, "other": pair.other.description]
      return context.button(
        "merge.compare", to: path.query(query), style: [.secondary, .small],
        of: contact.details.name)
    }
    let birthday = contact.details.birthday.map(context.formats.date) ?? ""
    let words = [contact.waysInShort, birthday, contact.details.workplace].filter { !$0.isEmpty }
    return .row(
      "<a href=\"/contacts/\(id)\"><bdi>\(contact.details.name)</bdi></a>",
      detail: words.isEmpty
        ? "\(context.text("merge.no-ways"))"
        : "\(each: words.enumerated(), { "\($0.offset == 0 ? "" : " · ")<bdi>\($0.element)</bdi>" })",
      actions: compare)
  }

  /// The reasons of a group: “Same name · Same phone number”.
  private func reasons(of group: DuplicateGroup) -> String {
    let words: [Text] = ["merge.same-name", "merge.same-phone", "merge.same-email"]
    return group.kinds.map(\.rawValue).sorted().map { context.text(words[$0]) }
      .joined(separator: " · ")
  }
}
