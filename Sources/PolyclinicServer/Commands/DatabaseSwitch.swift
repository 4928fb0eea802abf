import PolyclinicCore
import PolyclinicPortal
import PolyclinicServing
import PolyclinicStore

/// Switches a module on all machines that share a database. Each of them notices the switch within
/// seconds, and reloads itself.
struct DatabaseSwitch: ModuleSwitch {
  /// Opens the database.
  let open: @Sendable () throws -> any StoredDatabase

  /// Stores the switch. Throws `DatabaseError`.
  func set(_ module: ModuleID, enabled: Bool) throws -> ModuleSwitching {
    let database = try open()
    defer { database.close() }
    return try Self.set(module, enabled: enabled, in: database)
  }

  /// As ``set(_:enabled:)`` in an open database.
  static func set(
    _ module: ModuleID, enabled: Bool, in database: any Database
  ) throws -> ModuleSwitching {
    let isServing = try database.write { connection in
      try ModuleSwitches.set(module, enabled: enabled, on: connection)
      return try !Machine.all(on: connection).live.isEmpty
    }
    return isServing ? .reloading : .written
  }
}

extension Configuration.Database {
  /// True if a server keeps the database, so that several machines may share it.
  var isShared: Bool { file == nil }
}

extension LocalInstallation {
  /// The switch for modules on all machines; nil if the database belongs to this machine alone.
  var sharedSwitch: DatabaseSwitch? {
    guard configuration.database.isShared else { return nil }
    return DatabaseSwitch { try configuration.database.open() }
  }

  /// Returns the modules' switches in a database; none in one that belongs to this machine alone.
  func switches(in database: any StoredDatabase) throws -> ModuleSwitches {
    guard configuration.database.isShared else { return .none }
    return try database.read { try ModuleSwitches(on: $0) }
  }

  /// As ``switches(in:)`` of the database that it opens.
  func storedSwitches() throws -> ModuleSwitches {
    guard configuration.database.isShared else { return .none }
    let database = try configuration.database.open()
    defer { database.close() }
    return try switches(in: database)
  }

  /// Opens the database, and returns the machines that share it.
  func machines() throws -> [Machine] {
    guard configuration.database.isShared else { return [] }
    let database = try configuration.database.open()
    defer { database.close() }
    return try database.read { try Machine.all(on: $0) }
  }

  /// Notes the revision of the switches for ``MachineDuties``, before processes start that read
  /// them. So no switch goes unnoticed that happens meanwhile.
  func noteSwitches(of database: any StoredDatabase) throws {
    guard configuration.database.isShared else { return }
    let revision = try switches(in: database).revision
    try Counters.open(runDirectory.countersFile)?.shards[0].note(.switches, revision)
  }
}
