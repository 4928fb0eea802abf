import PolyclinicCore

/// The pages that list likely duplicates and merge two contacts.
enum MergePages {
  static var routes: [Route] { [.get("merge", showMerge), .post("merge", merge)] }

  /// Shows all likely duplicates, or compares the two contacts that the query names.
  static func showMerge(_ context: Context) throws -> Response {
    let keys = try context.keys
    let query = context.request.query
    if query.contains("one") {
      return try context.database.read { connection in
        .page(try comparison(of: query, context, connection).page)
      }
    }
    let read = try context.database.read { connection in
      let memory = try MergeMemory.find(by: keys, on: connection)
      let likely = try LikelyDuplicates(
        by: keys, on: connection, except: memory.dismissed, limit: DuplicatesPage.mostCounted)
      let finding: MergeMemory.Finding = likely.pairs.isEmpty ? .none : .some
      let groups = DuplicateGroup.groups(of: likely.pairs)
      var contacts: [ID<Contact>: Contact] = [:]
      for id in DuplicatesPage.shown(groups).flatMap(DuplicatesPage.shownMembers) {
        contacts[id] = try Contact.records.find(id, by: keys, on: connection)
      }
      return (
        groups: groups, contacts: contacts,
        look: try MergeMemory.Look(
          hasLikely: finding == .some, isNews: finding != memory.finding, by: keys, on: connection),
        notice: try Contact.records.undoNotice(context, saying: "merge.done", on: connection)
      )
    }
    try read.look.remember(context)
    let page = DuplicatesPage(
      groups: read.groups, contacts: read.contacts, notice: read.notice, context: context)
    return .page(page.page)
  }

  /// Merges two contacts, or marks them as different, as chosen on the comparison page.
  static func merge(_ context: Context) throws -> Response {
    let keys = try context.keys
    let sent = context.request.fields
    return try context.respondingOnce { connection in
      if sent.contains("keep") {
        try keep(sent["keep"], by: keys, on: connection)
        return Response.redirect(to: "/contacts/merge").saying("merge.kept")
      }
      let comparison = try comparison(of: sent, context, connection)
      if sent.contains("distinct") {
        var memory = try MergeMemory.find(by: keys, on: connection)
        memory.dismissed.insert(comparison.pair)
        memory.finding = .outdated
        try memory.store(by: keys, on: connection)
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
      try ContactMerge.store(
        merged, of: comparison.pair, at: context.now, by: keys, on: connection)
      try MergeMemory.outdate(by: keys, on: connection)
      return .redirect(to: "/contacts/merge?deleted=\(comparison.pair.other)")
    }
  }

  /// Marks all contacts of a group as different. Throws ``Refusal/notFound`` unless all belong to the
  /// person.
  private static func keep(
    _ numbers: String, by keys: Keys, on connection: Connection
  ) throws {
    let ids = numbers.prefix(1_000).split(separator: " ").map { ID<Contact>(String($0)) }
    guard (2...DuplicatesPage.mostKept).contains(ids.count) else { throw Refusal.malformed }
    let group = try ids.map { id in
      guard let id, try Contact.records.find(id, by: keys, on: connection) != nil else {
        throw Refusal.notFound
      }
      return id
    }
    var memory = try MergeMemory.find(by: keys, on: connection)
    for (place, one) in group.enumerated() {
      for other in group[(place + 1)...] {
        if let pair = ContactPair(one, other) { memory.dismissed.insert(pair) }
      }
    }
    memory.finding = .outdated
    try memory.store(by: keys, on: connection)
  }

  /// Loads the two contacts that the fields name. Throws ``Refusal/notFound`` unless both belong to the
  /// person.
  private static func comparison(
    of fields: Fields, _ context: Context, _ connection: Connection
  ) throws -> MergeComparison {
    guard let one = ID<Contact>(fields["one"]), let other = ID<Contact>(fields["other"]),
      let pair = ContactPair(one, other),
      let first = try Contact.records.find(pair.one, by: context.keys, on: connection),
      let second = try Contact.records.find(pair.other, by: context.keys, on: connection)
    else { throw Refusal.notFound }
    return MergeComparison(pair: pair, one: first, other: second, context: context)
  }
}

extension MergeChoice {
  /// Reads the choice of each field; a field without a choice takes the first contact's value. Returns
  /// nil for a choice that the page does not offer.
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
