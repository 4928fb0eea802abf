/// Functions shared by pages about one record.
extension Records {
  /// Returns the record with the `{id}` of the path.
  ///
  /// Throws ``Refusal/notFound`` if the person has no such record. Throws ``Refusal/conflict(_:)``
  /// if a form was sent for a record that has been deleted in the meantime.
  @Sendable
  public func load(_ context: Context) throws -> Record {
    let id: ID<Record> = try context.id()
    if let record = try find(id, in: context) { return record }
    if context.request.method == .post, try findDeleted(id, in: context) != nil {
      throw Refusal.conflict("form.deleted")
    }
    throw Refusal.notFound
  }

  /// Returns a notice with an undo button, shown above the list right after a record was deleted;
  /// nil at any other time.
  ///
  /// The text is `delete.done`, which the module's catalog can override (see ``named(_:by:)``).
  /// After another action than a deletion, such as a cancellation, `text` names the action.
  public func undoNotice(
    _ context: Context, saying text: Text = "delete.done"
  ) throws -> HTML? {
    guard let id = ID<Record>(context.request.query["deleted"]),
      let record = try findDeleted(id, in: context)
    else { return nil }
    let done = sentence(text.key, of: record)
    return context.notice(
      .outcome, done,
      action: """
        <form method="post" action="/account/deleted/restore">\
        \(context.hiddenFields(naming: id.rawValue, kind: name.description, of: context.module))\
        \(context.submit("delete.undo", style: [.secondary, .small]))</form>
        """)
  }
}

extension Context {
  /// Returns the fields of ``hiddenFields()`` and those that identify an item in "Recently
  /// deleted".
  package func hiddenFields(naming item: Int64, kind: String, of module: ModuleID) -> HTML {
    """
    \(hiddenFields())<input type="hidden" name="module" value="\(module.rawValue)">\
    <input type="hidden" name="kind" value="\(kind)">\
    <input type="hidden" name="item" value="\(item)">
    """
  }
}
