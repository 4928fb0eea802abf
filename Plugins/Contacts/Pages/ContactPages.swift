import PolyclinicCore

/// The pages of the list and of one contact, and the changes that the form makes.
enum ContactPages {
  static func list(_ context: Context) throws -> Response {
    let sent = context.request.query
    if let letter = sent["letter"].first { return try jump(to: String(letter), context) }
    let query = SearchText.Query(sent["q"])
    let found =
      query.isEmpty
      ? try Contact.index.page(sent.page, in: context)
      : try search(query, page: sent.page, in: context)
    let words = query.isEmpty ? "" : sent["q"]
    let isWhole = query.isEmpty && found.pagination.page == 1
    let look =
      isWhole
      ? try MergeMemory.offer(of: found.pagination.total, in: context) : nil
    let view = ContactList(
      found: found, words: words, context: context,
      notice: try Contact.records.undoNotice(context),
      offersMerging: look?.hasLikely == true)
    try look?.remember(context)
    return .page(view.page)
  }

  /// The largest address book whose notes are searched, because each of its contacts is opened for
  /// that.
  private static let smallBook = 300

  /// Returns the contacts with these words in name, workplace or e-mail addresses, or with these
  /// digits in a telephone number; in a small address book also those with the words in their
  /// notes.
  private static func search(
    _ query: SearchText.Query, page: Int, in work: Work
  ) throws -> SealedIndex<Contact.Entry>.Slice {
    let total = try Contact.index.page(1, in: work).pagination.total
    let noted =
      total <= smallBook ? try Contact.noted(query, in: work) : []
    if noted.isEmpty {
      return try Contact.index.search(query, in: work, page: page)
    }
    return try Contact.index.page(page, in: work) {
      noted.contains($0.id) || $0.isMeant(by: query)
    }
  }

  /// Leads to the page of the list with the first name from this letter on.
  private static func jump(to letter: String, _ context: Context) throws -> Response {
    let letter = SearchText(letter)
    var (place, found) = (0, 0)
    var first: ID<Contact>?
    try Contact.index.forEach(in: context) { entry in
      if first == nil, !(entry.name < letter) { (first, found) = (entry.id, place) }
      place += 1
    }
    let last = first == nil ? max(0, place - 1) : found
    let (list, page): (Path, String) = ("/contacts", String(last / Page.Pagination.size + 1))
    guard let first else { return .redirect(to: list.query(["page": page])) }
    let path = list.query(["page": page, "at": first.description])
    return .redirect(to: "\(path)#at")
  }

  static func show(_ context: Context) throws -> Response {
    let contact = try Contact.records.load(context)
    return .page(ContactPage(id: try context.id(), contact: contact, context: context).page)
  }

  /// Throws ``Refusal/invalid(_:_:)`` for a birthday in the future and for an e-mail address that
  /// is none, unless the stored contact has them already.
  @Sendable
  static func check(_ contact: inout Contact, _ context: Context) throws {
    guard let problem = problem(of: contact, besides: Contact(), context) else { return }
    // Only now, because hardly any contact has a problem.
    guard context.request.parameters["id"] != nil else { throw problem }
    let stored = try Contact.records.load(context)
    if let problem = self.problem(of: contact, besides: stored, context) { throw problem }
  }

  private static func problem(
    of contact: Contact, besides stored: Contact, _ context: Context
  ) -> Refusal? {
    if let birthday = contact.details.birthday, birthday > context.today,
      birthday != stored.details.birthday
    {
      return .invalid("birthday", "error.future")
    }
    for (place, method) in contact.methods.enumerated() where method.type == .email {
      if stored.methods.contains(where: { $0.value == method.value }) { continue }
      if let problem = Field<CommunicationMethod>.emailProblem(method.value) {
        return .invalid("method_value-\(place + 1)", problem)
      }
    }
    return nil
  }

  /// Stores a new contact. The caller has validated the draft and rejected repeated submissions.
  static func create(_ contact: Contact, _ context: Context) throws
    -> Path
  {
    "\(try Contact.records.insert(contact, in: context))"
  }
}
