import PolyclinicCore

/// Finds the route of a path: a tree of segments, made once and then only looked up in.
struct Router: Sendable {
  /// What a path leads to.
  enum Match {
    case found(Place, parameters: [String: String])
    /// The path is there, but not for this method.
    case otherMethods([Request.Method])
    case nothing
  }

  /// A route and the module that it belongs to.
  struct Place: Sendable {
    let route: Route
    /// The module's place in ``Installation/enabled``.
    let module: Int
  }

  private struct Node: Sendable {
    var children: [String: Int] = [:]
    var parameter: (name: String, node: Int)?
    var places: [Place] = []
  }

  private var nodes = [Node()]

  /// Throws ``InstallationError`` when two routes answer the same method of the same path.
  init(_ modules: [Installation.Member]) throws {
    for (index, member) in modules.enumerated() {
      for route in member.module.routes {
        try add(route, at: Self.segments(of: route, in: member), module: index)
      }
    }
  }

  func match(_ method: Request.Method?, _ path: String) -> Match {
    guard path.utf8.first == UInt8(ascii: "/") else { return .nothing }
    var node = 0
    var parameters: [String: String] = [:]
    if path.utf8.count > 1 {
      let segments = path.utf8.dropFirst().split(
        separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      for segment in segments {
        let segment = String(Substring(segment))
        if let child = nodes[node].children[segment] {
          node = child
        } else if let (name, child) = nodes[node].parameter, Self.isPlain(segment) {
          parameters[name] = segment
          node = child
        } else {
          return .nothing
        }
      }
    }
    let places = nodes[node].places
    if places.isEmpty { return .nothing }
    if let method, let place = places.first(where: { $0.route.methods.contains(method) }) {
      return .found(place, parameters: parameters)
    }
    return .otherMethods(places.flatMap(\.route.methods))
  }

  private mutating func add(_ route: Route, at segments: [Substring], module: Int) throws {
    var node = 0
    for segment in segments { node = step(from: node, over: segment) }
    for place in nodes[node].places {
      if let method = place.route.methods.first(where: route.methods.contains) {
        throw InstallationError(
          "two routes answer \(method.rawValue) /\(segments.joined(separator: "/"))")
      }
    }
    nodes[node].places.append(Place(route: route, module: module))
  }

  private mutating func step(from node: Int, over segment: Substring) -> Int {
    let isParameter = segment.hasPrefix("{") && segment.hasSuffix("}")
    if isParameter, let parameter = nodes[node].parameter { return parameter.node }
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

  private static func segments(of route: Route, in member: Installation.Member) -> [Substring] {
    let pattern =
      route.pattern.hasPrefix("/")
      ? route.pattern.dropFirst()
      : route.pattern.isEmpty
        ? Substring(member.module.id.rawValue)
        : Substring("\(member.module.id)/\(route.pattern)")
    return pattern.split(separator: "/")
  }

  /// A parameter's segment holds no encoded byte: whoever sends one means something else.
  private static func isPlain(_ segment: String) -> Bool {
    !segment.isEmpty
      && segment.utf8.allSatisfy { $0 != UInt8(ascii: "%") && $0 > 0x20 && $0 < 0x7F }
  }
}
