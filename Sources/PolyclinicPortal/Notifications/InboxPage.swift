import PolyclinicCore
import PolyclinicWeb

/// The inbox page. A notice becomes read when the person follows it or marks it as read, not when
/// it is shown. Both actions are buttons, because browsers may prefetch links.
extension NotificationsModule {
  func showInbox(_ context: Context) throws -> Response {
    let server = self.server()
    let inbox = Inbox(keys: try context.keys, connection: context)
    let pagination = Page.Pagination(page: context.request.query.page, total: try inbox.count())
    let (entries, unread) = (try inbox.entries(pagination.range), try inbox.unread())
    let choices: HTML = context.button(
      "inbox.preferences", to: "/notifications/preferences", style: .secondary)
    guard let first = entries.first else {
      return .page(
        Page(
          "notifications.title",
          """
          \(context.browserNoticesInvitation())\(context.emptyState(.bell, "inbox.empty", hint: "inbox.empty.hint"))
          """, actions: choices, assets: [.browserNotices]))
    }
    let rows: [HTML] = entries.map { row($0, server.installation, context) }
    let pages = context.pageLinks(pagination) {
      "/notifications?page=\($0)"
    }
    let markRead: HTML? =
      unread.isEmpty
      ? nil
      : context.submit(
        "inbox.mark-read", name: "until", value: first.id.description, style: .secondary,
        to: "/notifications/read")
    let deleteRead: HTML? =
      entries.contains(where: \.isRead)
      ? context.button(
        "inbox.delete-read", to: "/notifications/delete-read", style: [.plain, .danger]) : nil
    return .page(
      Page(
        "notifications.title",
        """
        \(context.browserNoticesInvitation())<form method="post" action="/notifications/open">\
        \(context.hiddenFields())\
        \(rows: rows, style: " inbox")\
        \(actions: markRead, deleteRead)</form>\(pages)
        """, actions: choices, assets: [.browserNotices]))
  }

  private func row(
    _ entry: Inbox.Entry, _ installation: Installation, _ context: Context
  ) -> HTML {
    let text =
      installation.wording(of: entry.notice.text, in: context.language) ?? entry.notice.wording
    let follow: HTML =
      entry.isRead
      ? "<a href=\"\(entry.notice.path)\">\(text)</a>"
      : "<button class=\"follow\" name=\"notice\" value=\"\(entry.id)\">\(text)</button>"
    let new: HTML? =
      entry.isRead ? nil : "\(context.badge("inbox.new")) "
    let delete = context.submit(
      "inbox.delete", name: "notice", value: entry.id.description,
      style: [.plain, .danger, .small],
      to: "/notifications/delete", of: text)
    return .row(
      content:
        "\(follow)<span class=\"secondary-text\">\(new)\(context.formats.dateTime(entry.createdAt))</span>",
      actions: delete)
  }

  /// Marks a notice as read and redirects to the page that it is about.
  func open(_ context: Context) throws -> Path {
    let inbox = Inbox(keys: try context.keys, connection: context)
    guard let path = try inbox.open(notice(context), at: context.now) else {
      throw Refusal.notFound
    }
    return path
  }

  func markRead(_ context: Context) throws -> Path {
    guard let last = ID<Notice>(context.request.fields["until"]) else { throw Refusal.malformed }
    try Inbox(keys: context.keys, connection: context).markRead(upTo: last, at: context.now)
    return ""
  }

  func delete(_ context: Context) throws -> Path {
    let inbox = Inbox(keys: try context.keys, connection: context)
    guard try inbox.delete(notice(context)) else { throw Refusal.notFound }
    return ""
  }

  private func notice(_ context: Context) throws -> ID<Notice> {
    guard let id = ID<Notice>(context.request.fields["notice"]) else { throw Refusal.malformed }
    return id
  }

  func askToDeleteRead(_ context: Context) -> HTML {
    "<p>\(context.text("delete-read.question"))</p>"
  }

  func deleteRead(_ context: Context) throws -> Path {
    try Inbox(keys: context.keys, connection: context).deleteRead()
    return ""
  }

  /// Answers `notices.js` with the number of unread notices, the newest one that the browser may
  /// announce, and the person's state in the waiting room. The announcement does not say what it is
  /// about, because it appears on locked screens.
  package func poll(_ context: Context) throws -> Response {
    let room = context.portal.find((any Portal.WaitingRoom).self)
    let keys = try context.keys
    let inbox = Inbox(keys: keys, connection: context)
    let (unread, latest, state) = (
      try inbox.unread(), try inbox.latestByBrowser(),
      try room?.state(in: context)
    )
    return .json([
      "unread": .string(unread.isEmpty ? "" : unread.number),
      "label": .string(unread.isEmpty ? "" : context.text(unread.label)),
      "latest": .integer(latest?.rawValue ?? 0),
      "title": .string(context.portal.clinic.name),
      "hint": .string(context.text("browser.hint")),
      "waiting": .boolean(state != nil),
      "turn": Self.turn(state, context),
    ])
  }

  /// Returns the words of the banner that tells of a call; null without one.
  private static func turn(_ state: Portal.WaitingState?, _ context: Context) -> JSON {
    guard case .called(let title, let text, let page) = state else { return .null }
    return [
      "title": .string(context.text(title)), "text": .string(context.text(text)),
      "link": .string(context.text("turn.show")), "page": .string(page.description),
    ]
  }
}
