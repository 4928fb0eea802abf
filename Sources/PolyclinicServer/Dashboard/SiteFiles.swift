import PolyclinicCore

/// What programs ask a site for.
extension DashboardModule {
  /// Keeps robots out (RFC 9309), but for what an administrator has opened to everybody: messengers that
  /// show a card of a link ask here first.
  func robots(_ context: Context) throws -> Response {
    let opened = try context.front().installation.enabled.filter(\.isOpened)
    let allowed = opened.map { "Allow: /\($0.module.id)\n" }.joined()
    return .text("User-agent: *\nDisallow: /\n\(allowed)")
  }

  /// What makes the portal installable (W3C Web Application Manifest).
  func manifest(_ context: Context) throws -> Response {
    let assets = try context.front().assets
    let name = context.portal.clinic.name
    func icon(
      _ file: String, _ sizes: String, _ type: String, for purpose: String = "any"
    ) -> JSON {
      [
        "src": .string(assets.path(of: file).description), "sizes": .string(sizes),
        "type": .string(type), "purpose": .string(purpose),
      ]
    }
    let manifest: JSON = [
      "id": "/", "name": .string(name), "short_name": .string(name), "start_url": "/",
      "scope": "/", "display": "standalone", "lang": .string(context.language.code),
      "dir": .string(context.language.direction.description),
      "theme_color": .string(Frame.barColour),
      "background_color": .string(Frame.pageColour),
      "icons": [
        icon("icon.svg", "any", "image/svg+xml"), icon("icon-192.png", "192x192", "image/png"),
        icon("icon-512.png", "512x512", "image/png"),
        icon("icon-maskable-512.png", "512x512", "image/png", for: "maskable"),
      ],
    ]
    return Response(200, .bytes(manifest.encoded, type: "application/manifest+json"))
  }

  /// What keeps some pages for times without a network (W3C Service Workers). It stands at the root, since
  /// it serves what lies below its own address.
  func serviceWorker(_ context: Context) throws -> Response {
    guard let script = context.content(ofAsset: "service-worker.js") else { throw Refusal.notFound }
    return Response(200, .bytes(script, type: "text/javascript; charset=utf-8"))
      .adding(.init("Cache-Control", "no-cache"))
  }

  /// The page that browsers show without a network in place of one that is not kept.
  func offline(_ context: Context) -> Response {
    var page = Page(
      "offline.title",
      """
      <section class="empty">\(context.icon(.screen))<h2>\(context.text("offline.reason"))</h2>\
      <p data-kept hidden>\(context.text("offline.kept"))</p><ul data-kept hidden></ul>\
      <p>\(context.text("offline.again"))</p></section>
      """)
    page.keptOffline = ["/offline"]
    return .page(page)
  }

  /// Whom to tell of a weakness (RFC 9116).
  func securityText(_ context: Context) throws -> Response {
    let expires = context.formats.day(of: context.now + .days(180))
    let contact = context.portal.clinic.contact
    if contact.isEmpty { throw Refusal.notFound }
    let own = "\(try context.front().site.origin)/privacy"
    let uri = Self.contactURI(in: contact, else: own)
    return .text("Contact: \(uri)\nExpires: \(expires)T00:00:00Z\n")
  }

  /// The first address that the clinic's words hold, else the page that has the words: RFC 9116, 2.5.3,
  /// asks for a URI.
  static func contactURI(in contact: String, else own: String) -> String {
    let words = contact.split { $0.isWhitespace || ",;<>()".contains($0) }
    for word in words.map({ $0.hasSuffix(".") ? $0.dropLast() : $0 }) {
      if word.hasPrefix("https://") || word.hasPrefix("mailto:") { return String(word) }
      let parts = word.split(separator: "@", omittingEmptySubsequences: false)
      if parts.count == 2, !parts.contains(where: \.isEmpty), !word.contains(":") {
        return "mailto:\(word)"
      }
    }
    return own
  }
}
