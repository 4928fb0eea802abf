import PolyclinicCore

/// A page that takes files, as the web server has to know it.
struct UploadPath: Sendable, Hashable {
  /// A regular expression for its path: each `{name}` stands for one segment.
  let expression: String
  /// The most bytes that its files may have.
  let limit: Int

  /// Nil for a route that takes no files.
  init?(_ route: Route, of module: ModuleID) {
    guard route.fileLimit > 0 else { return nil }
    let path = Path(checked: route.pattern).resolved(in: module).description
    let segments = path.split(separator: "/").map { $0.hasPrefix("{") ? "[^/]+" : String($0) }
    expression = "^/\(segments.joined(separator: "/"))$"
    limit = route.fileLimit
  }
}
