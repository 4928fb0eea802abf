import PolyclinicCore

/// The page with the groups of likely duplicates.
struct DuplicatesPage: RoutedPage {
  static let address: Address<Void> = "/contacts/merge"
  static let linkTitle: Text? = "merge.title"

  private let groups: [DuplicateGroup]
  /// The contacts of the groups that are shown.
  private let contacts: [ID<Contact>: Contact]
  /// The notice of a merge a moment ago, with an undo button.
  private let notice: HTML?
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    let memory = try MergeMemory.find(in: context)
    let likely = try LikelyDuplicates(
      in: context, except: memory.dismissed, limit: Self.mostCounted)
    let finding: MergeMemory.Finding = likely.pairs.isEmpty ? .none : .some
    groups = DuplicateGroup.groups(of: likely.pairs)
    contacts = try Contact.records.find(
      Self.shown(groups).flatMap(Self.shownMembers), in: context)
    notice = try Contact.records.undoNotice(context, saying: "merge.done")
    try MergeMemory.Look(
      hasLikely: finding == .some, isNews: finding != memory.finding, in: context
    ).remember(context)
  }

  /// Marks all contacts of a group as different. Throws ``Refusal/notFound`` unless all belong to
  /// the person.
  static func keep(_ context: Context) throws -> Response {
    let numbers = context.request.fields["keep"].prefix(1_000).split(separator: " ")
    let group = numbers.compactMap { ID<Contact>(String($0)) }
    guard (2...mostKept).contains(numbers.count), group.count == numbers.count else {
      throw Refusal.malformed
    }
    return try context.respondingOnce { context in
      guard try Contact.records.find(group, in: context).count == group.count else {
        throw Refusal.notFound
      }
      let pairs = group.enumerated().flatMap { place, one in
        group[(place + 1)...].compactMap { ContactPair(one, $0) }
      }
      try MergeMemory.dismiss(pairs, in: context)
      return .redirect(to: path).saying("merge.kept")
    }
  }

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
        actions: context.button("merge.back", to: ContactList.path, style: .secondary))
      : """
      <p class="lead">\(context.text("merge.about"))</p>\
      \(context.resultCount(Text("merge.count", count: groups.count)))\
      \(each: Self.shown(groups), section)
      """
    return Page(
      "merge.title", "\(notice)\(content)", back: ContactList.path, assets: [.addressBook])
  }

  private func section(_ group: DuplicateGroup) -> HTML {
    let members = Self.shownMembers(of: group).compactMap { id in
      contacts[id].map { (id, $0) }
    }
    let keep: HTML? =
      group.members.count <= Self.mostKept
      ? context.button(
        group.members.count == 2 ? "merge.keep-both" : "merge.keep-all", posts: Self.path,
        with: ["keep": group.members.map(\.description).joined(separator: " ")],
        style: [.secondary, .small], of: members.first?.1.name)
      : nil
    return """
      <section><h2 class="day"><bdi>\(members.first?.1.name ?? "")</bdi> \
      <small class="muted">\(reasons(of: group))</small></h2>\
      \(rows: members.map { row($0, $1, group.pair(of: $0)) })\(actions: keep)</section>
      """
  }

  private func row(_ id: ID<Contact>, _ contact: Contact, _ pair: ContactPair?) -> HTML {
    let merge = pair.flatMap { MergeComparison($0, of: contacts, context) }?
      .button(of: contact.name)
    let birthday = contact.birthday.map(context.formats.date) ?? ""
    let words = [contact.waysInShort, birthday, contact.workplace].filter { !$0.isEmpty }
    return .row(
      "<a href=\"\(ContactPage.path(id))\"><bdi>\(contact.name)</bdi></a>",
      detail: words.isEmpty
        ? "\(context.text("merge.no-ways"))"
        : "\(each: words.enumerated(), { "\($0.offset == 0 ? "" : " · ")<bdi>\($0.element)</bdi>" })",
      actions: merge)
  }

  /// The reasons of a group: “Same name · Same phone number”.
  private func reasons(of group: DuplicateGroup) -> String {
    let words: [Text] = ["merge.same-name", "merge.same-phone", "merge.same-email"]
    return group.kinds.map(\.rawValue).sorted().map { context.text(words[$0]) }
      .joined(separator: " · ")
  }
}

extension Page.Asset {
  /// The style of the list, of one contact and of duplicates.
  static let addressBook = Page.Asset("address-book.css", PackageResources.address_book_css)
}
