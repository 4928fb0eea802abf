import PolyclinicCore

/// The page of the feeds that somebody has given to other calendars.
struct FeedsPage {
  let addresses: [SecretAddress]
  let isDoctor: Bool
  /// The secret of one that was made a moment ago.
  let made: String?
  let context: Context

  /// More than anybody's devices need.
  static let most = 10

  var page: Page {
    Page(
      "calendar.title",
      """
      <p class="lead">\(context.text("calendar.about"))</p>\(revoked)\(shownOnce)\(list)\
      <h2>\(context.text("calendar.new"))</h2>\(offers)\
      <p class="muted">\(context.text("calendar.limits"))</p>
      """,
      back: "", scripts: made == nil ? [] : ["copy.js"])
  }

  private var revoked: HTML? {
    guard context.request.query["revoked"] == "1" else { return nil }
    return """
      <div class="notice success" role="status"><p>\(context.text("calendar.revoked"))</p></div>
      """
  }

  private var shownOnce: HTML? {
    made.map { secret in
      let path: Path = "/appointments/calendar/\(secret).ics"
      return """
        <section class="panel" role="status"><h2>\(context.text("calendar.made"))</h2>\
        <p>\(context.text("calendar.made.hint"))</p>\
        <p><code class="secret" id="address">\("\(context.portal.origin)\(path)")</code></p>\
        <p class="actions"><button type="button" class="button secondary" data-copy="address" \
        data-copied="\(context.text("calendar.copied"))" hidden>\
        \(context.text("calendar.copy"))</button></p></section>
        """
    }
  }

  private var list: HTML? {
    if addresses.isEmpty { return nil }
    return "<ul class=\"rows\">\(each: addresses, row)</ul>"
  }

  private func row(_ address: SecretAddress) -> HTML {
    let date = context.formats.date(context.formats.day(of: address.createdAt))
    let name = CalendarFeed(purpose: address.purpose).map(title) ?? ""
    let revoke: HTML = """
      <form method="post" action="/appointments/calendar/\(address.id)/revoke" class="inline">\
      \(context.hiddenFields())<button class="button plain danger small">\
      \(context.text("calendar.revoke"))<span class="hidden-text"> \(name), \(date)</span>\
      </button></form>
      """
    return """
      <li><div class="item"><span><strong>\(name)</strong><span class="secondary-text">\
      \(context.text("calendar.since", ["date": date]))</span></span>\
      <div class="actions">\(revoke)</div></div></li>
      """
  }

  private func title(_ feed: CalendarFeed) -> String {
    context.text(Text("calendar.\(feed.whose.rawValue).\(feed.detail.rawValue)"))
  }

  private var offers: HTML {
    if addresses.count >= Self.most {
      return "<p>\(context.text("calendar.too-many"))</p>"
    }
    let whose: [CalendarFeed.Whose] = isDoctor ? [.patient, .doctor] : [.patient]
    let feeds = whose.flatMap { [CalendarFeed($0, .full), CalendarFeed($0, .brief)] }
    return "<ul class=\"rows\">\(each: feeds, offer)</ul>"
  }

  private func offer(_ feed: CalendarFeed) -> HTML {
    let hint = Text("calendar.\(feed.whose.rawValue).\(feed.detail.rawValue).hint")
    return """
      <li><div class="item"><span><strong>\(title(feed))</strong><span class="secondary-text">\
      \(context.text(hint))</span></span><div class="actions">\
      <form method="post" action="/appointments/calendar/new" class="inline">\
      \(context.hiddenFields())<input type="hidden" name="whose" value="\(feed.whose.rawValue)">\
      <input type="hidden" name="detail" value="\(feed.detail.rawValue)">\
      <button class="button secondary small">\(context.text("calendar.make"))\
      <span class="hidden-text"> \(title(feed))</span></button></form></div></div></li>
      """
  }
}
