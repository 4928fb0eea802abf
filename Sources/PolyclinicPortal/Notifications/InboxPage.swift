import PolyclinicCore
import PolyclinicWeb

/// The inbox page. A notice becomes read when the person follows it or marks it as read, not when
/// it is shown. Both actions are buttons, because browsers may prefetch links.
struct InboxPage: RoutedPage {
  static let address: Address<Void> = "/notifications"
  static let opening: Address<Void> = "/notifications/open"
  static let reading: Address<Void> = "/notifications/read"
  static let deletion: Address<Void> = "/notifications/delete"
  static let linkTitle: Text? = "notifications.title"

  private let pagination: Page.Pagination
  private let entries: [Inbox.Entry]
  private let unread: UnreadCount
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    let inbox = try Inbox(context)
    pagination = Page.Pagination(page: context.request.query.page, total: try inbox.count())
    entries = try inbox.entries(pagination.range)
    unread = try inbox.unread()
  }

  var page: Page {
    Page(
      "notifications.title", "\(list)\(context.browserNoticesInvitation())",
      actions: context.button("inbox.preferences", to: PreferencesPage.path, style: .secondary),
      assets: [.browserNotices])
  }

  private var list: HTML {
    guard let first = entries.first else {
      return context.emptyState(.bell, "inbox.empty", hint: "inbox.empty.hint", ghosts: 2)
    }
    let today = entries.filter(isOfToday)
    let earlier = entries.filter { !isOfToday($0) }
    let markRead: HTML? =
      unread.isEmpty
      ? nil
      : context.submit(
        "inbox.mark-read", name: "until", value: first.id.description, style: .secondary,
        to: Self.reading.path)
    let deleteRead: HTML? =
      entries.contains(where: \.isRead)
      ? context.button(
        "inbox.delete-read", to: ReadNoticesDeletion.path, style: [.plain, .danger]) : nil
    return """
      <form method="post" action="\(Self.opening.path)">\(context.hiddenFields())\
      \(group("inbox.today", today))\(group("inbox.earlier", earlier))\
      \(actions: markRead, deleteRead)</form>\
      \(context.pageLinks(pagination) { Self.path.query(["page": String($0)]) })
      """
  }

  private func isOfToday(_ entry: Inbox.Entry) -> Bool {
    context.formats.day(of: entry.createdAt) == context.today
  }

  private func group(_ title: Text, _ entries: [Inbox.Entry]) -> HTML? {
    if entries.isEmpty { return nil }
    return """
      <h2 class="day">\(context.text(title))</h2>\(rows: entries.map(row), style: " inbox")
      """
  }

  /// Returns a notice with the icon of its module. Its link or button covers the whole row. The
  /// words that open the deletion stand in the last line, so that nothing above them moves.
  private func row(_ entry: Inbox.Entry) -> HTML {
    let text = entry.notice.shown(context.server.installation, in: context.language)
    let follow: HTML =
      entry.isRead
      ? "<a href=\"\(entry.notice.path)\">\(text)</a>"
      : "<button class=\"follow\" name=\"notice\" value=\"\(entry.id)\">\(text)</button>"
    let new: HTML? =
      entry.isRead
      ? nil
      : """
      <i class="unread" aria-hidden="true"></i>\
      <span class="hidden-text">\(context.text("inbox.new")) </span>
      """
    let delete = context.submit(
      "inbox.delete", name: "notice", value: entry.id.description, style: [.plain, .small],
      to: Self.deletion.path, of: text)
    let kind = context.server.installation.kind(of: entry.notice)
    return .row(
      content: """
        <div class="with-initial">\
        <span class="initial\(kind?.style)">\(context.icon(kind?.icon ?? .bell))</span>\
        <div\(attribute: " class=\"muted\"", if: entry.isOutOfDate)>\(follow)\
        <div class="secondary-text"><span>\(new)\(day(of: entry))</span>\
        <details><summary><span aria-hidden="true">⋯</span><span class="hidden-text">\
        \(context.text("inbox.more")): \(text)</span></summary>\(delete)</details></div></div></div>
        """)
  }

  /// Returns the time of a notice of today, the day of an older one, and that it is out of date.
  private func day(of entry: Inbox.Entry) -> HTML {
    let (formats, day) = (context.formats, context.formats.day(of: entry.createdAt))
    let older = day.year == context.today.year ? formats.monthDay(day.monthDay) : formats.date(day)
    let written = day == context.today ? formats.time(entry.createdAt) : older
    return entry.isOutOfDate ? "\(written) · \(context.text("inbox.out-of-date"))" : "\(written)"
  }

  /// Marks a notice as read and redirects to the page that it is about.
  static func open(_ context: Context) throws -> Path {
    guard let path = try Inbox(context).open(notice(context)) else {
      throw Refusal.notFound
    }
    return path
  }

  static func markRead(_ context: Context) throws -> Path {
    guard let last = ID<Notice>(context.request.fields["until"]) else { throw Refusal.malformed }
    try Inbox(context).markRead(upTo: last)
    return path
  }

  static func delete(_ context: Context) throws -> Path {
    guard try Inbox(context).delete(notice(context)) else { throw Refusal.notFound }
    return path
  }

  private static func notice(_ context: Context) throws -> ID<Notice> {
    guard let id = ID<Notice>(context.request.fields["notice"]) else { throw Refusal.malformed }
    return id
  }

  /// Answers `notices.js` with the number of unread notices, the newest one that the browser may
  /// announce, and the person's state in the waiting room. The announcement does not say what it is
  /// about, because it appears on locked screens.
  static func poll(_ context: Context) throws -> Response {
    let inbox = try Inbox(context)
    let (unread, latest) = (try inbox.unread(), try inbox.latestByBrowser())
    let state = try context.portal.find((any Portal.WaitingRoom).self)?.state(in: context)
    return .json([
      "unread": .string(unread.isEmpty ? "" : unread.number),
      "label": .string(unread.isEmpty ? "" : context.text(unread.label)),
      "latest": .integer(latest?.rawValue ?? 0),
      "title": .string(context.portal.clinic.name),
      "hint": .string(context.text("browser.hint")),
      "waiting": .boolean(state != nil),
      "turn": turn(state, context),
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

/// The question before all notices that were read are deleted.
struct ReadNoticesDeletion: RoutedForm {
  static let address: Address<Void> = "/notifications/delete-read"
  static let title: Text = "delete-read.title"
  static let submit: Text = "delete-read.yes"
  static let cancel = InboxPage.path
  static let isQuestion = true

  let about: HTML?

  init(_ context: Context) { about = "<p>\(context.text("delete-read.question"))</p>" }

  func save(_: Void, in context: Context) throws -> Redirect {
    try Inbox(context).deleteRead()
    return Redirect(to: InboxPage.path)
  }
}

extension Installation {
  /// Returns the kind of data of the module that sent the notice; nil if it has none.
  fileprivate func kind(of notice: StoredNotice) -> Icon.Kind? {
    let module = notice.kind.prefix { $0 != "/" }
    return members.first { $0.module.id.description == module }?.module.kind
  }
}

extension Inbox {
  /// Creates the visitor's inbox.
  fileprivate init(_ context: Context) throws {
    self.init(keys: try context.keys, work: context)
  }
}
