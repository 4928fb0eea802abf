import PolyclinicCore

/// A page that accepts files, described for nginx.
struct UploadPath: Sendable, Hashable {
  /// A regular expression for its path, in which each `{name}` matches one segment.
  let expression: String
  /// The largest total size of its files, in bytes.
  let limit: Int

  /// Returns nil for a route that accepts no files.
  init?(_ route: Route, of module: ModuleID) {
    guard route.fileLimit > 0 else { return nil }
    let path = Path(checked: route.pattern).resolved(in: module).description
    let segments = path.split(separator: "/").map { $0.hasPrefix("{") ? "[^/]+" : String($0) }
    expression = "^/\(segments.joined(separator: "/"))$"
    limit = route.fileLimit
  }
}
