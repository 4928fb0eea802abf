import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import polyclinic

/// The number of statements of each page, on the data of the demonstration's town.
///
/// A page loads what it shows once, and what it shows of many together. One that loads something for each row runs
/// more statements the more data there is, and fails here.
@Suite struct StatementTests {
  /// The most statements of a page that has no limit of its own, without the statement that finds the session.
  private static let usual = 12

  /// The limits of pages that combine the data of many modules or people, by the role and the path.
  private static let limits: [String: Int] = [:]

  @Test func `no page runs more statements than its limit`() throws {
    let portal = try TestPortal(all: modules)
    try portal.demonstrate()
    var excessive: [String] = []
    for role in ["", "patient", "doctor", "desk", "admin"] {
      let visitor = portal.visitor()
      if !role.isEmpty {
        try #require(visitor.signIn(role, "four kind otters rowing home").status == 303)
      }
      for route in portal.routes where route.methods.contains(.get) {
        for path in Self.paths(of: route.path) {
          // What is stored or logged only once, such as a first look, is not counted.
          guard visitor.get(path).status == 200 else { continue }
          let count = portal.statements { _ = visitor.get(path) }.count
          print("STAT \(role) \(route.path) \(path) \(count)")
          let limit = Self.limits["\(role) \(route.path)"] ?? Self.usual
          if count > limit {
            excessive.append("\(path) of \(role) runs \(count) statements, more than \(limit)")
          }
          break
        }
      }
    }
    #expect(excessive == [])
  }

  /// Returns the path with the numbers of the first records in place of a parameter.
  private static func paths(of route: String) -> [String] {
    guard route.contains("{") else { return [route] }
    return (1...12).map { route.replacing(/\{\w+\}/, with: "\($0)") }
  }
}
