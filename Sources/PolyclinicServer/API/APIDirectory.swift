import PolyclinicCore

/// Where the modules' resources stand, and what describes them: made once, then only looked up in.
struct APIDirectory: Sendable {
  /// All of it stands below this path.
  static let root = "/api/v1"

  /// A resource of a module that is on.
  struct Entry: Sendable {
    let resource: Resource
    let member: Installation.Member
    let path: String
    /// The number of its path among all patterns; that of its records' is one higher.
    let number: Int
  }

  /// What a path leads to.
  enum Match {
    case description
    case collection(Entry)
    case record(Entry, id: String)
    case nothing
  }

  private let entries: [String: Entry]
  /// Its paths, for what is counted by path, in the order of their numbers.
  let patterns: [Router.Pattern]
  /// The OpenAPI document.
  let document: [UInt8]
  /// The number of the document's path.
  let documentNumber: Int

  /// `first` is the number of its first pattern. Throws ``InstallationError`` where two resources stand
  /// at one path.
  init(_ members: [Installation.Member], first: Int) throws {
    var entries: [Entry] = []
    var patterns = [Router.Pattern(text: "\(Self.root)/openapi.json", methods: [.get])]
    for member in members {
      for resource in member.module.resources {
        let rest = resource.path.isEmpty ? "" : "/\(resource.path)"
        let path = "\(Self.root)/\(member.module.id)\(rest)"
        guard !entries.contains(where: { $0.path == path }) else {
          throw InstallationError("two resources stand at \(path): call one of them differently")
        }
        entries.append(
          Entry(
            resource: resource, member: member, path: path, number: first + patterns.count))
        patterns.append(Router.Pattern(text: path, methods: [.get, .post]))
        patterns.append(Router.Pattern(text: path + "/{id}", methods: [.get, .put, .delete]))
      }
    }
    self.entries = Dictionary(entries.map { ($0.path, $0) }, uniquingKeysWith: { one, _ in one })
    self.patterns = patterns
    documentNumber = first
    document = OpenAPI(entries: entries).document.encoded
  }

  func match(_ path: String) -> Match {
    if path == "\(Self.root)/openapi.json" { return .description }
    if let entry = entries[path] { return .collection(entry) }
    guard let slash = path.lastIndex(of: "/"), let entry = entries[String(path[..<slash])] else {
      return .nothing
    }
    return .record(entry, id: String(path[slash...].dropFirst()))
  }
}
