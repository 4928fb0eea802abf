import PolyclinicCore
import PolyclinicWeb

/// The files that browsers and other programs request from every site.
extension DashboardModule {
  /// Returns `robots.txt` (RFC 9309). It allows only the modules that an administrator has opened
  /// to everybody, because messengers check it before they show a preview of a link.
  func robots(_ context: Context) throws -> Response {
    let opened = server().installation.enabled.filter(\.isOpened)
    let allowed = opened.map { "Allow: /\($0.module.id)\n" }.joined()
    return .text("User-agent: *\nDisallow: /\n\(allowed)")
  }

  /// Returns a style sheet or a script of a module, or the style sheet of all modules.
  func moduleFile(_ context: Context) throws -> Response {
    let path = context.request.path.description
    guard let file = server().installation.assets.response(to: path) else {
      throw Refusal.notFound
    }
    return file
  }

  /// Returns the manifest that makes the portal installable (W3C Web Application Manifest).
  package func manifest(_ context: Context) throws -> Response {
    let assets = server().assets
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
        icon("icons/icon.svg", "any", "image/svg+xml"),
        icon("icons/icon-192.png", "192x192", "image/png"),
        icon("icons/icon-512.png", "512x512", "image/png"),
        icon("icons/icon-maskable-512.png", "512x512", "image/png", for: "maskable"),
      ],
    ]
    return Response(200, .bytes(manifest.encoded, type: "application/manifest+json"))
  }

  /// Returns the script that keeps some pages for offline use (W3C Service Workers). It is at the
  /// root because it controls only pages below its own address.
  func serviceWorker(_ context: Context) throws -> Response {
    guard let script = context.content(ofAsset: "scripts/service-worker.js") else {
      throw Refusal.notFound
    }
    return Response(200, .bytes(script, type: "text/javascript; charset=utf-8"))
      .adding(.init("Cache-Control", "no-cache"))
  }

  /// The page that browsers show without a network in place of a page that they have not kept.
  func offline(_ context: Context) -> Response {
    var page = Page(
      "offline.title",
      """
      \(context.emptyState(.screen, "offline.reason", content: """
        <div class="own-kept">\
        \(actions: context.button("offline.own.open", to: "/account/offline"))</div>\
        <p data-kept hidden>\(context.text("offline.kept"))</p><ul data-kept hidden></ul>\
        <p>\(context.text("offline.again"))</p>
        """))
      """)
    page.keptOffline = ["/offline"]
    return .page(page)
  }

  /// Returns `security.txt`, with the contact for reporting vulnerabilities (RFC 9116).
  func securityText(_ context: Context) throws -> Response {
    let expires = context.formats.day(of: context.now + .days(180))
    let contact = context.portal.clinic.contact
    if contact.isEmpty { throw Refusal.notFound }
    let own = "\(server().site.origin)/privacy"
    let uri = Self.contactURI(in: contact, else: own)
    return .text("Contact: \(uri)\nExpires: \(expires)T00:00:00Z\n")
  }

  /// Returns the first address in the clinic's contact text, or else the page with that text. RFC
  /// 9116, 2.5.3, requires a URI.
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
