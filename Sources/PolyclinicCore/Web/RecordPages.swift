/// What pages about one record have in common.
extension Records {
  /// The record that the `{id}` of the path names; throws ``Refusal/notFound`` when the person has none,
  /// and ``Refusal/conflict(_:)`` when something is sent about one that was deleted meanwhile.
  @Sendable
  public func load(_ context: Context) throws -> Record {
    try context.database.read { connection in
      let (id, keys) = (try context.id() as ID<Record>, try context.keys)
      if let record = try find(id, by: keys, on: connection) { return record }
      if context.request.method == .post, try findDeleted(id, by: keys, on: connection) != nil {
        throw Refusal.conflict("form.deleted")
      }
      throw Refusal.notFound
    }
  }

  /// What stands above the list right after a record was deleted, with a button that takes it back;
  /// nil at any other time.
  ///
  /// Its words are the shared `delete.done`, unless the module's catalog has that key (see ``named(_:by:)``);
  /// after something else than a deletion, such as a cancellation, `text` says what was done.
  public func undoNotice(
    _ context: Context, saying text: Text = "delete.done", on connection: Connection
  ) throws -> HTML? {
    guard let id = ID<Record>(context.request.query["deleted"]),
      let record = try findDeleted(id, by: context.keys, on: connection)
    else { return nil }
    let done = sentence(text.key, of: record, context)
    return """
      <div class="notice success" role="status">\
      <p>\(context.text(done))</p>\
      <form method="post" action="/account/deleted/restore">\
      \(context.hiddenFields(naming: id.rawValue, kind: name.description, of: context.module))\
      <button class="button secondary small">\(context.text("delete.undo"))</button></form></div>
      """
  }
}

extension Route {
  /// Asks whether the record that `{id}` names is to be deleted. Yes leads to `list`, the module's first
  /// page where nothing else is said, where ``Records/undoNotice(_:on:)`` offers to take it back; No
  /// leads to `cancel`.
  ///
  /// It says `delete.title` and `delete.question`, which a module may say in its own words; see
  /// ``Records/named(_:by:)``.
  public static func delete<Entry>(
    _ path: StaticString, _ records: Records<Entry>, cancel: Path, list: Path = ""
  ) -> Route {
    .confirm(
      path, title: records.key("delete.title"),
      question: { context in
        let question = records.sentence("delete.question", of: try records.load(context), context)
        return """
          <p>\(context.text(question))</p>\
          <p class="hint">\(context.text("delete.hint"))</p>
          """
      },
      yes: "delete.yes", cancel: cancel,
      save: { context, connection in
        let id: ID<Entry.Record> = try context.id()
        try records.delete(id, at: context.now, by: context.keys, on: connection)
        return list.query(["deleted": id.description])
      })
  }
}

extension Context {
  /// As ``hiddenFields()``, for a form about something in "Recently deleted".
  package func hiddenFields(naming item: Int64, kind: String, of module: ModuleID) -> HTML {
    """
    \(hiddenFields())<input type="hidden" name="module" value="\(module.rawValue)">\
    <input type="hidden" name="kind" value="\(kind)">\
    <input type="hidden" name="item" value="\(item)">
    """
  }
}
