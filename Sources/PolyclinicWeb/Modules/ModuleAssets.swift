import PolyclinicCore

/// The style sheets and scripts of the enabled modules, and the logo of the clinic. The workers
/// serve them, because nginx has only the files of `www`. As theirs, each path contains a hash of the
/// content.
package struct ModuleAssets: Sendable {
  /// The path of the style of every page, joined from those of the modules; nil if there is none.
  let style: Path?
  /// The clinic's own logo; nil for the portal's mark.
  package let logo: Path?
  private var files: [String: (content: [UInt8], type: StaticString)] = [:]

  init(_ modules: [InstalledModule], of clinic: Portal.Organization? = nil) {
    let picture = clinic.flatMap { $0.logo.isEmpty ? nil : try? ClinicLogo(at: $0.logo) }
    // nginx passes on only paths that begin like this.
    logo = picture.map {
      Assets.path(
        of: $0.isDrawing ? "modules-logo.svg" : "modules-logo.png", below: "/assets",
        hashing: $0.content)
    }
    let styles = modules.flatMap(\.module.assets).filter { $0.scope == .everyPage }
    let joined =
      styles.flatMap { Self.lean($0) + [UInt8(ascii: "\n")] }
      + Array((clinic?.style(logo: logo) ?? "").utf8)
    style =
      joined.isEmpty ? nil : Assets.path(of: "modules.css", below: "/assets", hashing: joined)
    add(joined, "text/css; charset=utf-8", at: style)
    if let picture {
      add(picture.content, picture.isDrawing ? "image/svg+xml" : "image/png", at: logo)
    }
    for member in modules {
      for asset in member.module.assets {
        add(
          asset.isStyle ? Self.lean(asset) : asset.content ?? [],
          asset.isStyle ? "text/css; charset=utf-8" : "text/javascript; charset=utf-8",
          at: member.assetPaths[asset.name])
      }
    }
  }

  /// Returns a style sheet without comments and without white space that has no meaning, because
  /// every page loads it on a slow phone. Quoted text stays as it is.
  private static func lean(_ sheet: Page.Asset) -> [UInt8] {
    Array(
      String(decoding: sheet.content ?? [], as: UTF8.self)
        .replacing(/(?s)\/\*.*?\*\//, with: "")
        .replacing(/("[^"]*")|\s*([{};,])\s*|(:)\s+/) { $0.1 ?? $0.2 ?? $0.3 ?? "" }
        .trimmingPrefix(/\s+/).utf8)
  }

  private mutating func add(_ content: [UInt8], _ type: StaticString, at path: Path?) {
    guard let path = path?.description else { return }
    files[path] = (content, type)
    files[Self.withoutHash(path)] = (content, type)
  }

  /// Returns the response to a request for a file; nil if there is none.
  ///
  /// During a reload a page may have the hash of another release. It gets the present content, which
  /// its browser does not keep.
  package func response(to path: String) -> Response? {
    let current = files[path]
    guard let file = current ?? files[Self.withoutHash(path)] else { return nil }
    let isNamed = current != nil && Self.withoutHash(path) != path
    return Response(200, .bytes(file.content, type: file.type)).adding(
      .init("Cache-Control", isNamed ? "public, max-age=31536000, immutable" : "no-store"))
  }

  private static func withoutHash(_ path: String) -> String {
    path.replacing(/\.[0-9a-f]{10}(\.[a-z]+)$/) { String($0.1) }
  }
}

extension Page.Asset {
  /// The reason why a module cannot declare it; nil if it can.
  var problem: String? {
    guard content != nil, name.wholeMatch(of: /[a-z0-9-]+\.(css|js)/) != nil else {
      return "the asset “\(name)”: its name must be lower-case words and end in .css or .js"
    }
    return scope == .everyPage && !isStyle
      ? "the script “\(name)” for every page: only a style sheet can be" : nil
  }
}
