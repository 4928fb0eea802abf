import Foundation

/// The engine on which the portals of tests run. The tests are the same for both.
package enum TestEngine: String, Sendable {
  case sqlite, postgresql

  /// The environment variable that names an engine.
  package static let variable = "POLYCLINIC_TEST_DATABASE"

  private static let name = ProcessInfo.processInfo.environment[variable] ?? sqlite.rawValue

  /// The engine that the environment names; SQLite if it names none.
  package static let current = TestEngine(rawValue: name) ?? .sqlite

  /// Throws if the environment names an engine that does not exist.
  static func requireKnown() throws {
    guard TestEngine(rawValue: name) != nil else { throw Unknown() }
  }

  private struct Unknown: Error, CustomStringConvertible {
    var description: String { "\(variable) is \(name): write sqlite or postgresql" }
  }
}
