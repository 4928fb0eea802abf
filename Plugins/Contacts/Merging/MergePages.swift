import PolyclinicCore

extension ContactsModule {
  /// Likely duplicates, and what is made of two of them.
  var mergeRoutes: [Route] { [.get("merge", showMerge), .post("merge", merge)] }

  /// All likely duplicates; or two contacts side by side, where the address names them.
  func showMerge(_ context: Context) throws -> Response {
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
      return (
        likely: likely,
        look: try MergeMemory.Look(
          hasLikely: finding == .some, isNews: finding != memory.finding, by: keys, on: connection),
        notice: try Contact.records.undoNotice(context, saying: "merge.done", on: connection)
      )
    }
    try read.look.remember(context)
    return .page(DuplicatesPage(likely: read.likely, notice: read.notice, context: context).page)
  }

  /// What was chosen on the page of two contacts: one of them, or that they are two.
  func merge(_ context: Context) throws -> Response {
    let keys = try context.keys
    let sent = context.request.fields
    return try context.database.write { connection in
      let comparison = try comparison(of: sent, context, connection)
      if sent.contains("distinct") {
        var memory = try MergeMemory.find(by: keys, on: connection)
        memory.dismissed.insert(comparison.pair)
        memory.finding = .outdated
        try memory.store(by: keys, on: connection)
        return .redirect(to: "merge")
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
      return .redirect(to: "merge?deleted=\(comparison.pair.other)")
    }
  }

  /// The two contacts that the fields name; throws ``Refusal/notFound`` where they are not two of the
  /// person's.
  private func comparison(
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
  /// What was chosen of each field; what was not asked is the first's. Nil for what the page does not
  /// offer.
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
