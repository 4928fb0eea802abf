import PolyclinicCore

/// The paths of the modules' resources, and the OpenAPI document. It is built once and then only
/// read.
package struct APIDirectory: Sendable {
  /// The path that all paths of the API begin with.
  static let root = "/api/v1"

  /// A resource of an enabled module.
  package struct Entry: Sendable {
    let resource: Resource
    let member: InstalledModule
    let path: String
    /// The number of its path among all patterns. The path of a single record has the next number.
    let number: Int
  }

  /// A read-only resource of an enabled module.
  struct ReadOnlyEntry: Sendable {
    let resource: Resource.ReadOnly
    let member: InstalledModule
    let path: String
    let segments: [String]
    /// The number of its path among all patterns.
    let number: Int

    /// Returns the name in a segment such as `{country}`; nil for a literal segment.
    static func parameter(_ segment: String) -> String? {
      segment.hasPrefix("{") ? String(segment.dropFirst().dropLast()) : nil
    }

    /// Returns the values of the pattern's parameters; nil if the path does not match.
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

  /// The target of a path.
  enum Match {
    case description
    case collection(Entry)
    case record(Entry, id: String)
    case readOnly(ReadOnlyEntry, parameters: [String: String])
    case nothing
  }

  private let entries: [String: Entry]
  private let readOnly: [ReadOnlyEntry]
  /// The patterns of its paths, for counting requests by path, in the order of their numbers.
  let patterns: [Router.Pattern]
  /// The OpenAPI document.
  let document: [UInt8]
  /// The number of the document's path.
  let documentNumber: Int

  /// Creates the directory; `first` is the number of its first pattern. Throws
  /// ``InstallationError`` if two resources have the same path.
  init(_ members: [InstalledModule], first: Int) throws {
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
