import PolyclinicCore

/// The pages of the list and of one contact, and the changes that the form makes.
enum ContactPages {
  static func list(_ context: Context) throws -> Response {
    let keys = try context.keys
    let sent = context.request.query
    let query = SearchText.Query(sent["q"])
    let (view, look) = try context.database.read { connection in
      let found =
        query.isEmpty
        ? try Contact.index.page(sent.page, by: keys, on: connection)
        : try Contact.index.search(query, by: keys, on: connection, page: sent.page)
      let words = query.isEmpty ? "" : sent["q"]
      let isWhole = query.isEmpty && found.pagination.page == 1
      let look =
        isWhole
        ? try MergeMemory.offer(of: found.pagination.total, by: keys, on: connection) : nil
      let view = ContactList(
        found: found, words: words, context: context,
        notice: try Contact.records.undoNotice(context, on: connection),
        offersMerging: look?.hasLikely == true)
      return (view, look)
    }
    try look?.remember(context)
    return .page(view.page)
  }

  static func show(_ context: Context) throws -> Response {
    let contact = try Contact.records.load(context)
    return .page(ContactDetails(id: try context.id(), contact: contact, context: context).page)
  }

  /// Throws ``Refusal/invalid(_:_:)`` for a birthday in the future, unless the stored contact already has
  /// it from an import.
  static func checkBirthday(_ contact: inout Contact, _ context: Context) throws {
    guard let birthday = contact.details.birthday, birthday > context.today else { return }
    if context.request.parameters["id"] != nil,
      try Contact.records.load(context).details.birthday == birthday
    {
      return
    }
    throw Refusal.invalid("birthday", "error.future")
  }

  /// Stores a new contact. The caller has validated the draft and rejected repeated submissions.
  static func create(_ contact: Contact, _ context: Context, _ connection: Connection) throws
    -> Path
  {
    "\(try Contact.records.insert(contact, at: context.now, by: context.keys, on: connection))"
  }

  static func update(_ contact: Contact, _ context: Context, _ connection: Connection) throws
    -> Path
  {
    let id: ID<Contact> = try context.id()
    try Contact.records.replace(id, with: contact, by: context.keys, on: connection)
    return "\(id)"
  }
}
