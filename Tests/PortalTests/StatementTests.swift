import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import polyclinic

/// The number of statements of each page, on the data of the demonstration's town.
@Suite struct StatementTests {
  @Test func `no page runs more statements than its limit`() throws {
    let portal = try TestPortal(all: modules)
    try portal.demonstrate()
    for role in ["", "patient", "doctor", "desk", "admin"] {
      let visitor = portal.visitor()
      if !role.isEmpty {
        try #require(visitor.signIn(role, "four kind otters rowing home").status == 303)
      }
      for route in portal.routes where route.methods.contains(.get) && !route.path.contains("{") {
        _ = visitor.get(route.path)
        var status = 0
        let statements = portal.statements { status = visitor.get(route.path).status }
        if status == 200 {
          print("STAT \(role) \(route.path) \(statements.count)")
          for s in statements { print("  S \(s.replacing("\n", with: " ").prefix(230))") }
        }
      }
    }
  }
}
