import PolyclinicCore

/// The modules that were switched for all machines. A switch wins over the configuration files.
package struct ModuleSwitches: Sendable, Equatable {
  private let states: [ModuleID: Bool]
  /// A number that counts up with each switch.
  package let revision: Int

  package static let schema: [SQL] = [
    """
    CREATE TABLE module_switches (
      module TEXT NOT NULL PRIMARY KEY,
      enabled \(.integer) NOT NULL,
      revision \(.integer) NOT NULL
    ) \(.strict)
    """
  ]

  /// No module is switched.
  package static let none = ModuleSwitches(states: [:], revision: 0)

  private init(states: [ModuleID: Bool], revision: Int) {
    self.states = states
    self.revision = revision
  }

  /// Reads the switches.
  package init(on connection: Connection) throws {
    let rows = try connection.rows(
      "SELECT module, enabled, revision FROM module_switches ORDER BY module"
    ) { (ModuleID($0.string(0)), $0.bool(1), $0.int(2)) }
    let known = rows.compactMap { id, isEnabled, _ in id.map { ($0, isEnabled) } }
    states = Dictionary(known) { first, _ in first }
    revision = rows.map(\.2).max() ?? 0
  }

  /// The state of a module; nil if it was never switched.
  package subscript(module: ModuleID) -> Bool? { states[module] }

  /// Switches a module for all machines. Changes nothing if that is its last switch.
  package static func set(
    _ module: ModuleID, enabled: Bool, on connection: Connection
  ) throws {
    let next = try ModuleSwitches(on: connection).revision + 1
    try connection.run(
      """
      INSERT INTO module_switches (module, enabled, revision)
      VALUES (\(module.rawValue), \(enabled), \(next))
      ON CONFLICT (module) DO UPDATE SET enabled = excluded.enabled, revision = excluded.revision
      WHERE module_switches.enabled <> excluded.enabled
      """)
  }
}
