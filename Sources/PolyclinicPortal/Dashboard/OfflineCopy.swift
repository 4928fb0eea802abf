import PolyclinicCore
import PolyclinicWeb

/// The page that a browser keeps for reading without a network. It shows the cards that modules
/// offer for it.
///
/// The service worker `www/service-worker.js` fetches and encrypts this page each time a browser
/// that keeps a copy shows a page. It shows the copy only while the portal cannot be reached.
extension DashboardModule {
  /// Returns the page. Answers 404 if nobody is signed in or this browser must not keep a copy. The
  /// service worker then deletes its copy.
  func offlineCopy(_ context: Context) throws -> Response {
    guard let visitor = context.visitor else { return Response(404) }
    let server = self.server()
    var effects = Effects()
    guard let browser = try context.offlineBrowser() else {
      effects.cookies = [Effects.Cookie(RememberedBrowsers.offline.cookie, nil)]
      return Response(404).with(effects)
    }
    if browser.rememberedAt + .days(1) <= context.now {
      effects = try context.write {
        try server.extend(
          context.request.client, among: .offline, for: context.keys, at: context.now, on: $0)
      }
    }
    let cards = server.installation.offlineCards(for: visitor).compactMap {
      $0.html(of: $1, context, server)
    }
    let page = Page(
      "offline.own.title",
      "\(owner(visitor, context))\(cards.isEmpty ? nothing(context) : HTML())\(cards)",
      width: .copy)
    return Response.page(page).with(effects)
  }

  /// The person's name, the time of the copy and its last day.
  private func owner(_ visitor: Visitor, _ context: Context) -> HTML {
    let end = context.formats.day(of: context.now + RememberedBrowsers.offline.lifetime)
    let times = [
      "time": context.formats.dateTime(context.now), "date": context.formats.date(end),
    ]
    return """
      <p class="lead"><bdi>\(visitor.name)</bdi></p>\
      \(context.notice(.remark, Text("offline.own.times", times)))
      """
  }

  private func nothing(_ context: Context) -> HTML {
    context.emptyState(.document, "offline.own.empty")
  }
}

extension Context {
  /// Returns this browser if it may keep a copy for the visitor.
  func offlineBrowser() throws -> RememberedBrowser? {
    guard let token = request.client.token(of: .offline) else { return nil }
    return try RememberedBrowsers.offline.find(token, by: keys, at: now, on: self)
  }
}
