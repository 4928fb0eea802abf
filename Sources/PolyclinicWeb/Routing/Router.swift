import PolyclinicCore

/// Finds the route of a path. It has a dictionary of literal paths and a tree of segments for paths
/// with parameters, both built once.
package struct Router: Sendable {
  /// The result of looking up a path.
  enum Match {
    case found(Place, parameters: [String: String])
    /// The path exists, but not for this method.
    case otherMethods([Request.Method])
    case nothing
  }

  /// A route and the module that it belongs to.
  ///
  /// It is a class, because each request passes it on, and a route has many fields.
  package final class Place: Sendable {
    package let route: Route
    /// The module's index in ``Installation/enabled``.
    package let module: Int
    /// The route's index in ``Router/patterns``.
    package let number: Int

    fileprivate init(route: Route, module: Int, number: Int) {
      self.route = route
      self.module = module
      self.number = number
    }
  }

  /// The full path of a route as declared, with its methods.
  package struct Pattern: Sendable {
    let text: String
    let methods: [Request.Method?]
  }

  private struct Node: Sendable {
    var children: [String: Int] = [:]
    var parameter: (name: String, node: Int)?
    /// Parameters with a suffix, such as `{name}.ics`, which take precedence over `{name}`.
    var suffixed: [(suffix: String, name: String, node: Int)] = []
    var places: [Place] = []
  }

  private var nodes = [Node()]
  private var fixed: [String: Int] = [:]
  /// All routes, in the order of their modules.
  private(set) var patterns: [Pattern] = []

  /// Throws ``InstallationError`` if two routes answer the same method of a path, or give the same
  /// segment different parameter names.
  package init(_ modules: [InstalledModule]) throws {
    for (index, member) in modules.enumerated() {
      for route in member.module.routes {
        try add(route, at: Self.segments(of: route, in: member), module: index)
      }
    }
  }

  func match(_ method: Request.Method?, _ path: String) -> Match {
    var parameters: [String: String] = [:]
    guard let node = fixed[path] ?? node(of: path, &parameters) else { return .nothing }
    let places = nodes[node].places
    if places.isEmpty { return .nothing }
    if let method, let place = places.first(where: { $0.route.methods.contains(method) }) {
      return .found(place, parameters: parameters)
    }
    return .otherMethods(places.flatMap(\.route.methods))
  }

  /// Returns the first route of a path, whatever its methods.
  func place(at path: String) -> Place? {
    var parameters: [String: String] = [:]
    return (fixed[path] ?? node(of: path, &parameters)).flatMap { nodes[$0].places.first }
  }

  private func node(of path: String, _ parameters: inout [String: String]) -> Int? {
    guard path.utf8.first == UInt8(ascii: "/") else { return nil }
    var node = 0
    if path.utf8.count == 1 { return node }
    var rest = path.utf8.dropFirst()
    while true {
      let end = rest.firstIndex(of: UInt8(ascii: "/"))
      let segment = String(Substring(rest[..<(end ?? rest.endIndex)]))
      if let child = nodes[node].children[segment] {
        node = child
      } else if let (name, child, value) = suffixed(segment, at: node) {
        parameters[name] = value
        node = child
      } else if let (name, child) = nodes[node].parameter, Self.isPlain(segment) {
        parameters[name] = segment
        node = child
      } else {
        return nil
      }
      guard let end else { return node }
      rest = rest[end...].dropFirst()
    }
  }

  private func suffixed(
    _ segment: String, at node: Int
  ) -> (name: String, node: Int, value: String)? {
    for (suffix, name, child) in nodes[node].suffixed where segment.hasSuffix(suffix) {
      let value = String(segment.dropLast(suffix.count))
      if Self.isPlain(value) { return (name, child, value) }
    }
    return nil
  }

  private mutating func add(_ route: Route, at segments: [Substring], module: Int) throws {
    var node = 0
    for segment in segments { node = try step(from: node, over: segment) }
    for place in nodes[node].places {
      if let method = place.route.methods.first(where: route.methods.contains) {
        throw InstallationError(
          "two routes answer \(method.rawValue) /\(segments.joined(separator: "/"))")
      }
    }
    nodes[node].places.append(Place(route: route, module: module, number: patterns.count))
    let path = "/\(segments.joined(separator: "/"))"
    patterns.append(Pattern(text: path, methods: route.methods))
    if !path.contains("{") { fixed[path] = node }
  }

  private mutating func step(from node: Int, over segment: Substring) throws -> Int {
    let isParameter = segment.hasPrefix("{") && segment.hasSuffix("}")
    if segment.hasPrefix("{"), !isParameter, let end = segment.firstIndex(of: "}") {
      let name = String(segment[..<end].dropFirst())
      let suffix = String(segment[segment.index(after: end)...])
      if let known = nodes[node].suffixed.first(where: { $0.suffix == suffix && $0.name == name }) {
        return known.node
      }
      nodes.append(Node())
      nodes[node].suffixed.append((suffix, name, nodes.count - 1))
      return nodes.count - 1
    }
    if isParameter, let parameter = nodes[node].parameter {
      // A handler would not find its parameter under the other name.
      guard segment == "{\(parameter.name)}" else {
        throw InstallationError(
          "one segment is called {\(parameter.name)} and \(segment): give it one name")
      }
      return parameter.node
    }
    if let child = nodes[node].children[String(segment)] { return child }
    nodes.append(Node())
    let child = nodes.count - 1
    if isParameter {
      nodes[node].parameter = (String(segment.dropFirst().dropLast()), child)
    } else {
      nodes[node].children[String(segment)] = child
    }
    return child
  }

  package static func segments(of route: Route, in member: InstalledModule) -> [Substring] {
    let pattern =
      route.pattern.hasPrefix("/")
      ? route.pattern.dropFirst()
      : route.pattern.isEmpty
        ? Substring(member.module.id.rawValue)
        : Substring("\(member.module.id)/\(route.pattern)")
    return pattern.split(separator: "/")
  }

  /// True if the segment can be the value of a parameter. Percent-encoded bytes are refused,
  /// because no valid value needs them.
  private static func isPlain(_ segment: String) -> Bool {
    !segment.isEmpty
      && segment.utf8.allSatisfy { $0 != UInt8(ascii: "%") && $0 > 0x20 && $0 < 0x7F }
  }
}
