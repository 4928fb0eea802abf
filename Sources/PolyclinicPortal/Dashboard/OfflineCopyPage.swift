import PolyclinicCore
import PolyclinicWeb

/// The page on which people let their own browsers keep an offline copy.
struct OfflineCopyPage: RoutedPage {
  static let address: Address<Void> = "/account/offline"
  static let keeping: Address<Void> = "/account/offline/keep"
  static let forgetting: Address<ID<RememberedBrowser>> = "/account/offline/{id}/forget"

  /// The titles of the cards in the copy.
  private let titles: [String]
  /// This browser, if it keeps a copy.
  private let this: RememberedBrowser?
  /// The browsers of the person that keep a copy.
  private let browsers: [RememberedBrowser]
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    let cards = try context.server.installation.offlineCards(for: context.signedIn())
    titles = cards.map { card, member in
      member.phrasebook.string(card.title, in: context.language)
    }
    this = try context.offlineBrowser()
    browsers = try RememberedBrowsers.offline.all(by: context.keys, at: context.now, on: context)
  }

  var page: Page {
    var points: [Text] = [
      "offline.own.encrypted", "offline.own.forgotten", "offline.own.shown",
    ]
    if !context.peopleInCare.isEmpty { points.append("offline.own.guardians") }
    var page = Page(
      "offline.own.link",
      """
      <p class="lead">\(context.text("offline.own.lead"))</p>\(list(titles))\
      <h2>\(context.text("offline.own.how"))</h2>\(list(points.map { context.text($0) }))\
      <noscript>\(context.notice(.remark, "offline.own.script", as: .warning))</noscript>\
      \(this == nil ? offer : outcome)\(failure)\(browsers.isEmpty ? nil : browserList)
      """,
      back: "/account", assets: [Page.Asset(www: "scripts/own-copy.js")])
    // In a browser that keeps a copy, the page `/offline` links to the copy.
    page.keptOffline = [OfflinePage.path]
    return page
  }

  private func list(_ sentences: [String]) -> HTML {
    "<ul>\(each: sentences, { "<li>\($0)</li>" })</ul>"
  }

  /// The button to keep a copy, hidden until a script has found that the browser supports it.
  private var offer: HTML {
    """
    <div data-own-copy="possible" hidden><p>\(context.text("offline.own.yours"))</p>\
    \(actions: context.button("offline.own.keep", posts: Self.keeping.path))</div>
    """
  }

  private var outcome: HTML {
    .notice(
      .outcome, "<p>\(context.text("offline.own.kept"))</p>", style: "",
      attributes: " data-own-copy=\"kept\" hidden")
  }

  private var failure: HTML {
    .notice(
      .outcome, "<p>\(context.text("offline.own.failed"))</p>", as: .warning, style: "",
      attributes: " data-own-copy=\"failed\" hidden")
  }

  private var browserList: HTML {
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
        posts: Self.forgetting.path(browser.id), context)
    })
    """
  }

  static func keep(_ context: Context) throws -> Response {
    let keys = try context.keys
    return try context.redirecting { context in
      let effects = try context.server.remember(
        context.request.client, among: .offline, in: context)
      return Redirect(to: path, effects).logging(SecurityEvent(.offlineCopyKept, of: keys.person))
    }
  }

  /// Forgets a browser. This browser deletes its copy at once; any other does so with its next
  /// page.
  static func forget(_ context: Context) throws -> Response {
    let id = try forgetting.value(in: context)
    let person = try context.keys.person
    let isThis = try context.offlineBrowser()?.id == id
    return try context.redirecting { context in
      guard try RememberedBrowsers.offline.forget(id, of: person, on: context) else {
        throw Refusal.notFound
      }
      var effects = Effects()
      effects.clearsSiteData = isThis
      effects.events = [SecurityEvent(.offlineCopyForgotten, of: person)]
      return Redirect(to: path, effects)
    }
  }
}

/// The page that a browser keeps for reading without a network. It shows the cards that modules
/// offer for it.
///
/// The service worker `www/service-worker.js` fetches and encrypts this page each time a browser
/// that keeps a copy shows a page. It shows the copy only while the portal cannot be reached.
struct OfflineCopy {
  private let visitor: Visitor
  private let cards: [HTML]
  private let context: Context

  /// Answers with the copy, or with 404 if nobody is signed in or this browser must not keep one.
  /// The service worker then deletes its copy.
  static func answer(_ context: Context) throws -> Response {
    guard let visitor = context.visitor else { return Response(404) }
    let server = context.server
    var effects = Effects()
    guard let browser = try context.offlineBrowser() else {
      effects.cookies = [Effects.Cookie(RememberedBrowsers.offline.cookie, nil)]
      return Response(404).with(effects)
    }
    if browser.rememberedAt + .days(1) <= context.now {
      effects = try context.write {
        try server.extend(context.request.client, among: .offline, in: $0)
      }
    }
    let cards = server.installation.offlineCards(for: visitor).compactMap {
      $0.html(of: $1, context)
    }
    let copy = OfflineCopy(visitor: visitor, cards: cards, context: context)
    return .page(copy.page).with(effects)
  }

  private var page: Page {
    let nothing: HTML? = cards.isEmpty ? context.emptyState(.devices, "offline.own.empty") : nil
    return Page("offline.own.title", "\(owner)\(nothing)\(cards)", width: .copy)
  }

  /// The person's name, the time of the copy and its last day.
  private var owner: HTML {
    let end = context.formats.day(of: context.now + RememberedBrowsers.offline.lifetime)
    let times = [
      "time": context.formats.dateTime(context.now), "date": context.formats.date(end),
    ]
    return """
      <p class="lead"><bdi>\(visitor.name)</bdi></p>\
      \(context.notice(.remark, Text("offline.own.times", times)))
      """
  }
}

/// The page that browsers show without a network in place of a page that they have not kept.
struct OfflinePage: RoutedPage {
  static let address: Address<Void> = "/offline"
  static let access = Access.everyone

  private let context: Context

  init(_ context: Context) { self.context = context }

  var page: Page {
    var page = Page(
      "offline.title",
      """
      \(context.emptyState(.devices, "offline.reason", content: """
        <div class="own-kept">\
        \(actions: context.button("offline.own.open", to: OfflineCopyPage.path))</div>\
        <p data-kept hidden>\(context.text("offline.kept"))</p><ul data-kept hidden></ul>\
        <p>\(context.text("offline.again"))</p>
        """))
      """)
    page.keptOffline = [Self.path]
    return page
  }
}

extension Context {
  /// Returns this browser if it may keep a copy for the visitor.
  fileprivate func offlineBrowser() throws -> RememberedBrowser? {
    guard let token = request.client.token(of: .offline) else { return nil }
    return try RememberedBrowsers.offline.find(token, in: self)
  }
}
