import PolyclinicCore

/// What programs ask a site for.
extension DashboardModule {
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
