import PolyclinicCore
import PolyclinicSystem
import PolyclinicWeb

/// The files that browsers and other programs request from every site.
extension DashboardModule {
  /// Returns `robots.txt` (RFC 9309). It allows only the modules that an administrator has opened
  /// to everybody, because messengers check it before they show a preview of a link.
  func robots(_ context: Context) throws -> Response {
    let opened = context.server.installation.enabled.filter(\.isOpened)
    let allowed = opened.map { "Allow: /\($0.module.id)\n" }.joined()
    return .text("User-agent: *\nDisallow: /\n\(allowed)")
  }

  /// Returns a style sheet or a script of a module, or the style sheet of all modules.
  func moduleFile(_ context: Context) throws -> Response {
    let path = context.request.path.description
    guard let file = context.server.installation.assets.response(to: path) else {
      throw Refusal.notFound
    }
    return file
  }

  /// Returns the manifest that makes the portal installable (W3C Web Application Manifest).
  func manifest(_ context: Context) throws -> Response {
    let assets = context.server.assets
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

  /// Returns `security.txt`, with the contact for reporting vulnerabilities (RFC 9116).
  func securityText(_ context: Context) throws -> Response {
    let expires = context.formats.day(of: context.now + .days(180))
    let contact = context.portal.clinic.contact
    if contact.isEmpty { throw Refusal.notFound }
    let own = "\(context.server.site.origin)/privacy"
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

/// The static files of kept releases. A page refers to the style sheet and scripts of its own
/// release, but nginx serves only those of the installed release.
///
/// Each worker serves the files of all kept releases, because a page and its files may come from
/// different workers during a reload.
extension DashboardModule {
  /// Returns a file by the name that nginx accepts for the installed release (`server.conf`). A
  /// hash in the name is only for the browser's cache.
  func releaseFile(_ context: Context) throws -> Response {
    let parameters = context.request.parameters
    let (id, folder, name) = (parameters["release"], parameters["folder"], parameters["file"])
    guard let id = id?.wholeMatch(of: /[0-9a-f]{16}/)?.output,
      let folder = folder?.wholeMatch(of: /data|flags|icons|scripts|styles/)?.output,
      let parts = name?.wholeMatch(of: /([A-Za-z0-9_-]+)(?:\.[0-9a-f]{8,64})?\.([a-z0-9]+)/)?
        .output,
      let type = Self.types[String(parts.2)],
      let release = try context.files.releases.release(String(id)),
      let file = try Self.open(FilePath.join(release.www, "\(folder)/\(parts.1).\(parts.2)"))
    else { throw Refusal.notFound }
    return Response(200, .bytes(file, type: type))
      .adding(.init("Cache-Control", "private, max-age=31536000, immutable"))
  }

  /// Returns the file's content; nil if there is no such file.
  private static func open(_ path: String) throws -> [UInt8]? {
    guard FilePath.exists(path) else { return nil }
    return try OpenFile(path, 0).read()
  }

  private static let types: [String: StaticString] = [
    "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml", "png": "image/png", "ico": "image/x-icon",
    "txt": "text/plain; charset=utf-8",
  ]
}
