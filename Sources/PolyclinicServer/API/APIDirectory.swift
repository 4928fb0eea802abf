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

  /// Values of a module that is on, which no request changes.
  struct ReadOnlyEntry: Sendable {
    let resource: ReadOnlyResource
    let member: Installation.Member
    let path: String
    let segments: [String]
    /// The number of its path among all patterns.
    let number: Int

    /// The name in a segment such as `{country}`; nil for one that is always the same.
    static func parameter(_ segment: String) -> String? {
      segment.hasPrefix("{") ? String(segment.dropFirst().dropLast()) : nil
    }

    /// The values of the pattern's parameters; nil for a path that it does not describe.
    func match(_ others: [Substring]) -> [String: String]? {
      guard others.count == segments.count else { return nil }
      var parameters: [String: String] = [:]
      for (segment, other) in zip(segments, others) {
        if let name = Self.parameter(segment) {
          parameters[name] = String(other)
        } else if !other.utf8.elementsEqual(segment.utf8) {
          return nil
        }
      }
      return parameters
    }
  }

  /// What a path leads to.
  enum Match {
    case description
    case collection(Entry)
    case record(Entry, id: String)
    case readOnly(ReadOnlyEntry, parameters: [String: String])
    case nothing
  }

  private let entries: [String: Entry]
  private let readOnly: [ReadOnlyEntry]
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
    var readOnly: [ReadOnlyEntry] = []
    for member in members {
      for resource in member.module.readOnlyResources {
        let path = "\(Self.root)/\(member.module.id)/\(resource.pattern)"
        readOnly.append(
          ReadOnlyEntry(
            resource: resource, member: member, path: path,
            segments: path.split(separator: "/").map(String.init),
            number: first + patterns.count))
        patterns.append(Router.Pattern(text: path, methods: [.get]))
      }
    }
    self.readOnly = readOnly
    self.entries = Dictionary(entries.map { ($0.path, $0) }, uniquingKeysWith: { one, _ in one })
    self.patterns = patterns
    documentNumber = first
    document = OpenAPI(entries: entries, readOnly: readOnly).document.encoded
  }

  func match(_ path: String) -> Match {
    if path == "\(Self.root)/openapi.json" { return .description }
    if let entry = entries[path] { return .collection(entry) }
    if let slash = path.lastIndex(of: "/"), let entry = entries[String(path[..<slash])] {
      return .record(entry, id: String(path[slash...].dropFirst()))
    }
    let segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    for entry in readOnly {
      if let parameters = entry.match(segments) { return .readOnly(entry, parameters: parameters) }
    }
    return .nothing
  }
}
