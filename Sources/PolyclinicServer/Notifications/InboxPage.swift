import PolyclinicCore

/// The inbox. Looking at it changes nothing: a notice is read once it was followed, or when its reader
/// says so, and both are buttons, since programs follow links ahead of people.
extension NotificationsModule {
  func showInbox(_ context: Context) throws -> Response {
    let front = try context.front()
    let (entries, pagination, unread) = try context.database.read { connection in
      let inbox = Inbox(keys: try context.keys, connection: connection)
      let pagination = Pagination(page: context.request.query.page, total: try inbox.count())
      return (
        try inbox.entries(pagination.range), pagination, try inbox.unread()
      )
    }
    let choices: HTML = """
      <a class="button secondary" href="/notifications/preferences">\
      \(context.text("inbox.preferences"))</a>
      """
    guard let first = entries.first else {
      return .page(
        Page(
          "notifications.title",
          """
          \(invitation(context))<section class="empty">\(context.icon(.bell))\
          <h2>\(context.text("inbox.empty"))</h2><p>\(context.text("inbox.empty.hint"))</p></section>
          """, actions: choices))
    }
    let rows: [HTML] = entries.map { row($0, front.installation, context) }
    let pages = context.pageLinks(pagination) {
      "/notifications?page=\($0)"
    }
    let markRead: HTML? =
      unread.isEmpty
      ? nil
      : """
      <button class="button secondary" formaction="/notifications/read" name="until" \
      value="\(first.id)">\(context.text("inbox.mark-read"))</button>
      """
    let deleteRead: HTML? =
      entries.contains(where: \.isRead)
      ? """
      <a class="button plain danger" href="/notifications/delete-read">\
      \(context.text("inbox.delete-read"))</a>
      """ : nil
    return .page(
      Page(
        "notifications.title",
        """
        \(invitation(context))<form method="post" action="/notifications/open">\
        \(context.hiddenFields())<ul class="rows inbox">\(rows)</ul>\
        <div class="actions">\(markRead)\(deleteRead)</div></form>\(pages)
        """, actions: choices))
  }

  private func row(
    _ entry: Inbox.Entry, _ installation: Installation, _ context: Context
  ) -> HTML {
    let text =
      installation.wording(of: entry.letter.text, in: context.language) ?? entry.letter.wording
    let follow: HTML =
      entry.isRead
      ? "<a href=\"\(entry.letter.path)\">\(text)</a>"
      : "<button class=\"follow\" name=\"notice\" value=\"\(entry.id)\">\(text)</button>"
    let new: HTML? =
      entry.isRead ? nil : "<span class=\"badge\">\(context.text("inbox.new"))</span> "
    return """
      <li><div class="item"><span>\(follow)<span class="secondary-text">\(new)\
      \(context.formats.dateTime(entry.createdAt))</span></span>\
      <div class="actions"><button class="button plain danger small" \
      formaction="/notifications/delete" name="notice" value="\(entry.id)">\
      \(context.text("inbox.delete"))<span class="hidden-text"> \(text)</span></button></div></div></li>
      """
  }

  /// Whether the browser may tell of new ones is asked by a script, where the browser can do it.
  func invitation(_ context: Context) -> HTML {
    """
    <div class="notice" id="browser-notices" hidden><p>\(context.text("browser.invitation"))</p>\
    <button class="button secondary small" type="button" \
    data-granted="\(context.text("browser.granted"))" \
    data-denied="\(context.text("browser.denied"))">\(context.text("browser.ask"))</button></div>
    """
  }

  /// Marks a notice as read, and leads to what it is about.
  func open(_ context: Context) throws -> Response {
    let id = try notice(context)
    let path = try context.database.write {
      try Inbox(keys: context.keys, connection: $0).open(id, at: context.now)
    }
    guard let path else { throw Refusal.notFound }
    return .redirect(to: path)
  }

  func markRead(_ context: Context) throws -> Response {
    guard let last = ID<Notice>(context.request.fields["until"]) else { throw Refusal.malformed }
    try context.database.write {
      try Inbox(keys: context.keys, connection: $0).markRead(upTo: last, at: context.now)
    }
    return .redirect(to: "/notifications")
  }

  func delete(_ context: Context) throws -> Response {
    let id = try notice(context)
    let isDeleted = try context.database.write {
      try Inbox(keys: context.keys, connection: $0).delete(id)
    }
    if !isDeleted { throw Refusal.notFound }
    return .redirect(to: "/notifications")
  }

  private func notice(_ context: Context) throws -> ID<Notice> {
    guard let id = ID<Notice>(context.request.fields["notice"]) else { throw Refusal.malformed }
    return id
  }

  func askToDeleteRead(_ context: Context) -> HTML {
    "<p>\(context.text("delete-read.question"))</p>"
  }

  func deleteRead(_ context: Context, _ connection: Connection) throws -> Path {
    try Inbox(keys: context.keys, connection: connection).deleteRead()
    return ""
  }

  /// What `notices.js` asks for: how many are unread, and which of them a browser may speak of. The
  /// sentence says nothing of what they are about: it shows on locked screens.
  func poll(_ context: Context) throws -> Response {
    let (unread, latest) = try context.database.read { connection in
      let inbox = Inbox(keys: try context.keys, connection: connection)
      return (try inbox.unread(), try inbox.latestByBrowser())
    }
    return .json([
      "unread": .string(unread.isEmpty ? "" : unread.number),
      "label": .string(unread.isEmpty ? "" : context.text(unread.label)),
      "latest": .integer(latest?.rawValue ?? 0),
      "title": .string(context.portal.clinic.name),
      "hint": .string(context.text("browser.hint")),
    ])
  }
}
