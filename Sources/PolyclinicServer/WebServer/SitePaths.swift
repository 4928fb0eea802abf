import PolyclinicCore
import PolyclinicWeb

/// The paths of an installation's modules that nginx needs. They include disabled modules, because
/// enabling one does not change nginx's configuration.
struct SitePaths: Sendable {
  /// The pages that accept files.
  var uploads: [UploadPath] = []
  /// The paths that end in `export` or in `export.` and a type. They return all data of a person.
  var exports: [String] = []
  /// The path segments that routes declare, sorted.
  var words: [String] = []

  /// nginx reads at most 4096 bytes as one word of its configuration. Segments beyond this limit
  /// are not logged.
  private static let byteLimit = 3_500
  /// The segments of files that nginx serves itself, of the API, and before a person in care.
  private static let ownWords = [
    "api", "apple-touch-icon.png", "assets", "favicon.ico", "for", "openapi.json", "v1",
  ]

  init(exports: [String] = []) { self.exports = exports }

  /// Collects the paths of all modules of an installation.
  init(_ installation: Installation) {
    var words = Set(Self.ownWords)
    for member in installation.members {
      let id = member.module.id
      uploads += member.module.routes.compactMap { UploadPath($0, of: id) }
      let paths =
        member.module.routes.map { Path(checked: $0.pattern).resolved(in: id).description }
        + member.module.resources.map { "\(id)/\($0.path)" }
        + member.module.readOnlyResources.map { "\(id)/\($0.pattern)" }
      exports += paths.filter { path in
        path.split(separator: "/").last.map { $0 == "export" || $0.hasPrefix("export.") } ?? false
      }
      words.formUnion(paths.flatMap { $0.split(separator: "/") }.map(String.init))
    }
    exports = Set(exports.map { $0.drop { $0 == "/" } }.map(String.init)).sorted()
    var room = Self.byteLimit
    self.words = words.filter { !$0.contains("{") }.sorted().filter { word in
      room -= word.utf8.count + 2
      return room >= 0
    }
  }
}

/// A page that accepts files, described for nginx.
struct UploadPath: Sendable, Hashable {
  /// A regular expression for its path, also below that of a person in care. Each `{name}` matches
  /// one segment.
  let expression: String
  /// The largest total size of its files, in bytes.
  let limit: Int

  /// Returns nil for a route that accepts no files.
  init?(_ route: Route, of module: ModuleID) {
    guard route.fileLimit > 0 else { return nil }
    let path = Path(checked: route.pattern).resolved(in: module).description
    let segments = path.split(separator: "/").map { $0.hasPrefix("{") ? "[^/]+" : String($0) }
    expression = "^\(PersonInCare.pattern)/\(segments.joined(separator: "/"))$"
    limit = route.fileLimit
  }
}
