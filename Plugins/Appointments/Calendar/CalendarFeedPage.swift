import PolyclinicCore

/// The page of a person's calendar feeds.
struct CalendarFeedPage {
  let addresses: [Portal.SecretAddress]
  let isDoctor: Bool
  /// The secret of the feed that this request created; nil otherwise.
  let made: String?
  let context: Context

  /// The maximum number of feeds, more than anyone's devices need.
  static let most = 10

  var page: Page {
    Page(
      "calendar.title",
      """
      <p class="lead">\(context.text("calendar.about"))</p>\(revoked)\(shownOnce)\(list)\
      <h2>\(context.text("calendar.new"))</h2>\(offers)\
      <p class="muted">\(context.text("calendar.limits"))</p>
      """,
      back: "", assets: made == nil ? [] : [.copy])
  }

  private var revoked: HTML? {
    guard context.request.query["revoked"] == "1" else { return nil }
    return context.notice(.outcome, "calendar.revoked")
  }

  private var shownOnce: HTML? {
    made.map { secret in
      let path: Path = "/appointments/calendar/\(secret).ics"
      return """
        <section class="panel" role="status"><h2>\(context.text("calendar.made"))</h2>\
        <p>\(context.text("calendar.made.hint"))</p>\
        \(actions: CalendarProgram.allCases.map { button($0, following: path) })\
        <p>\(context.text("calendar.made.by-hand"))</p>\
        <p><code class="secret" id="address">\("\(context.portal.origin)\(path)")</code></p>\
        \(actions: context.copyButton("calendar.copy", of: "address", copied: "calendar.copied"))\
        </section>
        """
    }
  }

  /// Returns the link that subscribes to the feed in a calendar program. It leaves the portal only
  /// when it is pressed.
  private func button(_ program: CalendarProgram, following path: Path) -> HTML {
    context.button(
      Text("calendar.add.\(program.rawValue)"),
      to: program.subscription(to: path, of: context.portal.origin),
      style: program == .apple ? [] : .secondary)
  }

  private var list: HTML? {
    if addresses.isEmpty { return nil }
    return "\(rows: addresses, row)"
  }

  private func row(_ address: Portal.SecretAddress) -> HTML {
    let date = context.formats.date(context.formats.day(of: address.createdAt))
    let name = CalendarFeed(purpose: address.purpose).map(title) ?? ""
    let revoke = context.button(
      "calendar.revoke", posts: "/appointments/calendar/\(address.id)/revoke",
      style: [.plain, .danger, .small], of: "\(name), \(date)")
    return .row(
      "\(name)", detail: "\(context.text("calendar.since", ["date": date]))", actions: revoke)
  }

  private func title(_ feed: CalendarFeed) -> String {
    context.text(Text("calendar.\(feed.ownerRole.rawValue).\(feed.detail.rawValue)"))
  }

  private var offers: HTML {
    if addresses.count >= Self.most {
      return "<p>\(context.text("calendar.too-many"))</p>"
    }
    let ownerRole: [CalendarFeed.OwnerRole] = isDoctor ? [.patient, .doctor] : [.patient]
    let feeds = ownerRole.flatMap { [CalendarFeed($0, .full), CalendarFeed($0, .brief)] }
    return "\(rows: feeds, offer)"
  }

  private func offer(_ feed: CalendarFeed) -> HTML {
    let hint = Text("calendar.\(feed.ownerRole.rawValue).\(feed.detail.rawValue).hint")
    let make = context.button(
      "calendar.make", posts: "/appointments/calendar/new",
      with: ["whose": feed.ownerRole.rawValue, "detail": feed.detail.rawValue],
      style: [.secondary, .small], of: title(feed))
    return .row("\(title(feed))", detail: "\(context.text(hint))", actions: make)
  }
}
