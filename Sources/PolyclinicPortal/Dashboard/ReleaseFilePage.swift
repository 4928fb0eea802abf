import PolyclinicCore
import PolyclinicSystem

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
      let release = try files.releases.release(String(id)),
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
