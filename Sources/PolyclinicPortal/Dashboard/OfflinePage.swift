import PolyclinicCore
import PolyclinicWeb

/// The page on which people let their own browsers keep an offline copy.
extension DashboardModule {
  var offlineRoutes: [Route] {
    [
      .get("/account/offline", showOffline),
      .post("/account/offline/keep", keepOffline),
      .post("/account/offline/{id}/forget", forgetOffline),
      .get("/account/offline/copy", access: .everyone, offlineCopy),
    ]
  }

  private func showOffline(_ context: Context) throws -> Response {
    let cards = try server().installation.offlineCards(for: context.signedIn())
    let titles = cards.map { card, member in
      member.phrasebook.string(card.title, in: context.language)
    }
    let this = try context.offlineBrowser()
    let all = try RememberedBrowsers.offline.all(by: context.keys, at: context.now, on: context)
    let points: [Text] = [
      "offline.own.encrypted", "offline.own.forgotten", "offline.own.shown",
    ]
    var page = Page(
      "offline.own.link",
      """
      <p class="lead">\(context.text("offline.own.lead"))</p>\(list(titles))\
      <h2>\(context.text("offline.own.how"))</h2>\(list(points.map { context.text($0) }))\
      <noscript>\(context.notice(.remark, "offline.own.script", as: .warning))</noscript>\
      \(this == nil ? offer(context) : outcome(context))\(failure(context))\
      \(all.isEmpty ? nil : list(all, this, context))
      """,
      back: "/account", assets: [Page.Asset(www: "scripts/own-copy.js")])
    // In a browser that keeps a copy, the page `/offline` links to the copy.
    page.keptOffline = ["/offline"]
    return .page(page)
  }

  private func list(_ sentences: [String]) -> HTML {
    "<ul>\(each: sentences, { "<li>\($0)</li>" })</ul>"
  }

  /// The button to keep a copy, hidden until a script has found that the browser supports it.
  private func offer(_ context: Context) -> HTML {
    """
    <div data-own-copy="possible" hidden><p>\(context.text("offline.own.yours"))</p>\
    \(actions: context.button("offline.own.keep", posts: "/account/offline/keep"))</div>
    """
  }

  private func outcome(_ context: Context) -> HTML {
    .notice(
      .outcome, "<p>\(context.text("offline.own.kept"))</p>", style: "",
      attributes: " data-own-copy=\"kept\" hidden")
  }

  private func failure(_ context: Context) -> HTML {
    .notice(
      .outcome, "<p>\(context.text("offline.own.failed"))</p>", as: .warning, style: "",
      attributes: " data-own-copy=\"failed\" hidden")
  }

  private func list(
    _ browsers: [RememberedBrowser], _ this: RememberedBrowser?, _ context: Context
  ) -> HTML {
    """
    <h2>\(context.text("offline.own.browsers"))</h2>\
    <p class="muted">\(context.text("offline.own.browsers.about"))</p>\
    \(rows: browsers, { browser in
      let date = context.formats.date(context.formats.day(of: browser.rememberedAt))
      let mark: HTML? =
        browser.id == this?.id
        ? context.badge("browser.this", .good) : nil
      return browser.row(
        context.text("offline.own.since", ["date": date]), mark: mark, "offline.own.forget",
        posts: "/account/offline/\(browser.id)/forget", context)
    })
    """
  }

  private func keepOffline(_ context: Context) throws -> Response {
    let keys = try context.keys
    return try context.redirecting { context in
      let effects = try server().remember(
        context.request.client, among: .offline, for: keys, at: context.now, on: context)
      return Redirect(to: "/account/offline", effects)
        .logging(SecurityEvent(.offlineCopyKept, of: keys.person))
    }
  }

  /// Forgets a browser. This browser deletes its copy at once; any other does so with its next
  /// page.
  private func forgetOffline(_ context: Context) throws -> Response {
    let id: ID<RememberedBrowser> = try context.id()
    let person = try context.keys.person
    let isThis = try context.offlineBrowser()?.id == id
    return try context.redirecting { context in
      guard try RememberedBrowsers.offline.forget(id, of: person, on: context) else {
        throw Refusal.notFound
      }
      var effects = Effects()
      effects.clearsSiteData = isThis
      effects.events = [SecurityEvent(.offlineCopyForgotten, of: person)]
      return Redirect(to: "/account/offline", effects)
    }
  }
}
