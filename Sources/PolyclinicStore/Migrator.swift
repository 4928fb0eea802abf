import PolyclinicCore
import PolyclinicCryptography

/// Applies the modules' migrations to the schema, and records them in the table `migrations`.
///
/// A module's migrations run in the order of their names. Applied migrations that only a newer
/// release knows are accepted, if they come after all that this release knows.
public struct Migrator: Sendable {
  /// True from release 1.0.0 on: the migrations of a release never change, and new ones are
  /// appended.
  ///
  /// Until then each module has one migration, and work that changes the schema edits it. A
  /// database with another text of it is refused as that of an earlier program.
  public static let isAppendOnly = false

  /// One migration of one module.
  public struct Step: Sendable, Hashable, CustomStringConvertible {
    public let module: String
    public let name: String

    public var description: String { "\(module) \(name)" }
  }

  /// A migration that was applied to a database.
  public struct Applied: Sendable, Equatable {
    public let module: String
    public let name: String
    /// The digest of its text.
    public let digest: [UInt8]

    /// Creates an applied migration, such as one that a backup records.
    public init(module: String, name: String, digest: [UInt8]) {
      self.module = module
      self.name = name
      self.digest = digest
    }
  }

  private struct Pending {
    let step: Step
    let statements: [SQL]
    let digest: [UInt8]
  }

  private let database: any StoredDatabase
  private let modules: [(module: String, migrations: [Migration])]

  /// Creates a migrator. The modules must be in the order in which they depend on each other's
  /// tables.
  public init(
    _ database: any StoredDatabase, _ modules: [(module: String, migrations: [Migration])]
  ) {
    self.database = database
    self.modules = modules
  }

  /// Returns the migrations that ``migrate(at:)`` would run. Throws ``MigrationError`` if the
  /// applied ones do not fit the modules.
  public func pending() throws -> [Step] {
    try database.read { try remaining(on: $0).map(\.step) }
  }

  /// Returns the migrations that would follow these. Throws ``MigrationError`` if these do not fit
  /// the modules.
  public func pending(after applied: [Applied]) throws -> [Step] {
    try remaining(after: applied).map(\.step)
  }

  /// Runs the pending migrations, each in its own transaction, and returns them.
  ///
  /// Only one process migrates at a time. The others wait and find nothing left to do. Throws
  /// ``MigrationError``; the migrations before the failed one stay applied.
  @discardableResult
  public func migrate(at now: Instant) throws -> [Step] {
    try database.migrating(.untilItEnds) {
      _ = try database.write { connection in
        try connection.run(
          """
          CREATE TABLE IF NOT EXISTS migrations (
            module TEXT NOT NULL,
            name TEXT NOT NULL,
            digest \(.bytes) NOT NULL,
            applied_at \(.integer) NOT NULL,
            PRIMARY KEY (module, name)
          ) \(.strict)
          """)
      }
      let pending = try database.read { try remaining(on: $0) }
      for migration in pending { try apply(migration, at: now) }
      return pending.map(\.step)
    }
  }

  /// Creates the schema of another database, with these migrations, in an empty one.
  ///
  /// Throws ``MigrationError`` if they do not fit the modules. Ignores migrations that only a newer
  /// release knows.
  public func migrate(as applied: [Applied], at now: Instant) throws {
    let later = Set(try pending(after: applied))
    let earlier = modules.map { module, migrations in
      (module, migrations.filter { !later.contains(Step(module: module, name: $0.name)) })
    }
    try Migrator(database, earlier).migrate(at: now)
  }

  /// Returns the applied migrations, the oldest first. Throws ``DatabaseError``, also for a database
  /// without any.
  public static func applied(on connection: Connection) throws -> [Applied] {
    try connection.rows(
      "SELECT module, name, digest FROM migrations ORDER BY applied_at, module, name"
    ) { Applied(module: $0.string(0), name: $0.string(1), digest: $0.bytes(2)) }
  }

  private func apply(_ pending: Pending, at now: Instant) throws {
    let step = pending.step
    do {
      try database.write { connection in
        for statement in pending.statements { try connection.run(statement) }
        try connection.run(
          """
          INSERT INTO migrations (module, name, digest, applied_at)
          VALUES (\(step.module), \(step.name), \(pending.digest), \(now))
          """)
      }
    } catch {
      throw MigrationError(module: step.module, name: step.name, reason: .failed(error))
    }
  }

  private func remaining(on connection: Connection) throws -> [Pending] {
    let count: SQL = """
      SELECT count(*) FROM \(sqlite: "sqlite_schema", postgresql: "pg_tables")
      WHERE \(sqlite: "type = 'table' AND name", postgresql: "schemaname = 'public' AND tablename")
        = 'migrations'
      """
    let hasAny = try connection.integer(count) == 1
    return try remaining(after: hasAny ? Self.applied(on: connection) : [])
  }

  private func remaining(after applied: [Applied]) throws -> [Pending] {
    try verifyNames()
    let applied = Dictionary(grouping: applied, by: \.module)
    return try modules.flatMap { module, migrations in
      let digests = (applied[module] ?? []).map { ($0.name, $0.digest) }
      return try remaining(
        migrations, of: module, applied: Dictionary(digests) { first, _ in first })
    }
  }

  private func remaining(
    _ migrations: [Migration], of module: String, applied: [String: [UInt8]]
  ) throws -> [Pending] {
    if let first = migrations.first, applied[first.name] == nil, let name = applied.keys.min() {
      throw MigrationError(module: module, name: name, reason: .former)
    }
    let known = Set(migrations.map(\.name))
    let removed = applied.keys.filter { !known.contains($0) && $0 < migrations.last?.name ?? "" }
    if let name = removed.min() {
      throw MigrationError(module: module, name: name, reason: .removed)
    }
    var pending: [Pending] = []
    for migration in migrations {
      let digest = digest(of: migration)
      if let before = applied[migration.name] {
        guard before == digest else {
          throw MigrationError(module: module, name: migration.name, reason: .changed)
        }
        continue
      }
      if let last = applied.keys.max(), migration.name < last {
        throw MigrationError(module: module, name: migration.name, reason: .outOfOrder)
      }
      let step = Step(module: module, name: migration.name)
      pending.append(Pending(step: step, statements: migration.statements, digest: digest))
    }
    return pending
  }

  private func verifyNames() throws {
    var seen: Set<String> = []
    for (module, migrations) in modules {
      guard seen.insert(module).inserted else {
        throw MigrationError(module: module, name: "", reason: .duplicate)
      }
      for (one, next) in zip(migrations, migrations.dropFirst()) where one.name >= next.name {
        let reason = one.name == next.name ? MigrationError.Reason.duplicate : .outOfOrder
        throw MigrationError(module: module, name: next.name, reason: reason)
      }
    }
  }

  /// Returns the SHA-256 digest of the migration's SQLite text. The digest is the same on every
  /// engine, so that the history can be moved from one to another.
  private func digest(of migration: Migration) -> [UInt8] {
    var digest = SHA256()
    for statement in migration.statements {
      digest.update(statement.rendered(.sqlite).text.utf8)
      digest.update([0])
    }
    return digest.finish()
  }
}
