import PolyclinicCore

extension ContactsModule {
  func list(_ context: Context) throws -> Response {
    let keys = try context.keys
    let sent = context.request.query
    let query = SearchQuery(sent["q"])
    return try context.database.read { connection in
      let found =
        query.isEmpty
        ? try Contact.index.page(sent.page, by: keys, on: connection)
        : try Contact.index.filter(by: keys, on: connection, page: sent.page) {
          $0.isMeant(by: query)
        }
      let words = query.isEmpty ? "" : sent["q"]
      var view = ContactList(found: found, words: words, context: context)
      if let id = ID<Contact>(sent["deleted"]),
        let name = try Contact.nameOfDeleted(id, by: keys, on: connection)
      {
        view.deleted = (id, name)
      }
      return .page(view.page)
    }
  }

  func show(_ context: Context) throws -> Response {
    let view = ContactDetails(id: try context.id(), contact: try load(context), context: context)
    return .page(view.page)
  }

  func load(_ context: Context) throws -> Contact {
    let contact = try context.database.read {
      try Contact.find(context.id(), by: context.keys, on: $0)
    }
    guard let contact else { throw Refusal.notFound }
    return contact
  }

  /// A draft with errors never gets here, nor does the same form sent twice.
  func create(_ contact: Contact, _ context: Context, _ connection: Connection) throws -> Path {
    "\(try contact.insert(at: context.now, by: context.keys, on: connection))"
  }

  func update(_ contact: Contact, _ context: Context, _ connection: Connection) throws -> Path {
    let id: ID<Contact> = try context.id()
    try contact.replace(id, by: context.keys, on: connection)
    return "\(id)"
  }

  func question(_ context: Context) throws -> HTML {
    let name = try load(context).details.name
    return """
      <p>\(context.text("delete.question", ["name": name]))</p>\
      <p class="hint">\(context.text("delete.hint"))</p>
      """
  }

  func delete(_ context: Context, _ connection: Connection) throws -> Path {
    let id: ID<Contact> = try context.id()
    try Contact.delete(id, at: context.now, by: context.keys, on: connection)
    return "/contacts?deleted=\(id)"
  }
}
