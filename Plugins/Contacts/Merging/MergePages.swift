import PolyclinicCore

/// The pages that list likely duplicates and merge two contacts.
enum MergePages {
  static var routes: [Route] { [.get("merge", showMerge), .post("merge", merge)] }

  /// Shows all likely duplicates, or compares the two contacts that the query names.
  static func showMerge(_ context: Context) throws -> Response {
    let query = context.request.query
    if query.contains("one") {
      return .page(try comparison(of: query, context).page)
    }
    let memory = try MergeMemory.find(in: context)
    let likely = try LikelyDuplicates(
      in: context, except: memory.dismissed, limit: DuplicatesPage.mostCounted)
    let finding: MergeMemory.Finding = likely.pairs.isEmpty ? .none : .some
    let groups = DuplicateGroup.groups(of: likely.pairs)
    var contacts: [ID<Contact>: Contact] = [:]
    for id in DuplicatesPage.shown(groups).flatMap(DuplicatesPage.shownMembers) {
      contacts[id] = try Contact.records.find(id, in: context)
    }
    let read = (
      groups: groups, contacts: contacts,
      look: try MergeMemory.Look(
        hasLikely: finding == .some, isNews: finding != memory.finding, in: context),
      notice: try Contact.records.undoNotice(context, saying: "merge.done")
    )
    try read.look.remember(context)
    let page = DuplicatesPage(
      groups: read.groups, contacts: read.contacts, notice: read.notice, context: context)
    return .page(page.page)
  }

  /// Merges two contacts, or marks them as different, as chosen on the comparison page.
  static func merge(_ context: Context) throws -> Response {
    let sent = context.request.fields
    return try context.respondingOnce { context in
      if sent.contains("keep") {
        try keep(sent["keep"], in: context)
        return Response.redirect(to: "/contacts/merge").saying("merge.kept")
      }
      let comparison = try comparison(of: sent, context)
      if sent.contains("distinct") {
        var memory = try MergeMemory.find(in: context)
        memory.dismissed.insert(comparison.pair)
        memory.finding = .outdated
        try memory.store(in: context)
        return .redirect(to: "/contacts/merge").saying("merge.kept")
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
      return .redirect(to: "/contacts/merge?deleted=\(comparison.pair.other)")
    }
  }

  /// Marks all contacts of a group as different. Throws ``Refusal/notFound`` unless all belong to
  /// the person.
  private static func keep(
    _ numbers: String, in work: Work
  ) throws {
    let ids = numbers.prefix(1_000).split(separator: " ").map { ID<Contact>(String($0)) }
    guard (2...DuplicatesPage.mostKept).contains(ids.count) else { throw Refusal.malformed }
    let group = try ids.map { id in
      guard let id, try Contact.records.find(id, in: work) != nil else {
        throw Refusal.notFound
      }
      return id
    }
    var memory = try MergeMemory.find(in: work)
    for (place, one) in group.enumerated() {
      for other in group[(place + 1)...] {
        if let pair = ContactPair(one, other) { memory.dismissed.insert(pair) }
      }
    }
    memory.finding = .outdated
    try memory.store(in: work)
  }

  /// Loads the two contacts that the fields name. Throws ``Refusal/notFound`` unless both belong to
  /// the person.
  private static func comparison(
    of fields: Fields, _ context: Context
  ) throws -> MergeComparison {
    guard let one = ID<Contact>(fields["one"]), let other = ID<Contact>(fields["other"]),
      let pair = ContactPair(one, other),
      let first = try Contact.records.find(pair.one, in: context),
      let second = try Contact.records.find(pair.other, in: context)
    else { throw Refusal.notFound }
    return MergeComparison(pair: pair, one: first, other: second, context: context)
  }
}

extension MergeChoice {
  /// Reads the choice of each field; a field without a choice takes the first contact's value.
  /// Returns nil for a choice that the page does not offer.
  init?(_ sent: Fields) {
    func side(_ name: String) -> Side? {
      sent.contains(name) ? Side(rawValue: sent[name]) : .one
    }
    guard let name = side("name"), let birthday = side("birthday"),
      let workplace = side("workplace"), let address = side("address"), let notes = side("notes"),
      ![name, birthday, workplace, address].contains(.both)
    else { return nil }
    self.init(
      name: name, birthday: birthday, workplace: workplace, address: address, notes: notes)
  }
}
