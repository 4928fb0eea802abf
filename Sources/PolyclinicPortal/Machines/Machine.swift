import PolyclinicCore

/// A machine that serves the portal beside others, from one database. It reports to the table
/// `machines` every few seconds. A machine with a database of its own has no row.
package struct Machine: Sendable, Equatable {
  /// The release, settings and keys with which the processes of a machine run. All machines should
  /// have the same.
  package struct Setup: Sendable, Equatable {
    package let version: String
    /// The digest of the settings that machines share.
    package let configuration: String
    /// The digest of the ids of all master keys.
    package let keyRing: String

    package init(version: String, configuration: String, keyRing: String) {
      self.version = version
      self.configuration = configuration
      self.keyRing = keyRing
    }
  }

  /// The last good backup that the machine has made.
  package struct Backup: Sendable, Equatable {
    /// The start of the copy.
    package let time: Instant
    package let duration: Seconds
    /// The length of the file in bytes.
    package let size: Int

    package init(time: Instant, duration: Seconds, size: Int) {
      self.time = time
      self.duration = duration
      self.size = size
    }
  }

  package let name: String
  package let setup: Setup
  /// The time since which the machine has its setup.
  package let changed: Instant
  /// The time of its last report, by the database's clock.
  package let seen: Instant
  /// True if the last report is so recent that the machine runs.
  package let isLive: Bool
  package let backup: Backup?

  package static let schema: [SQL] = [
    """
    CREATE TABLE machines (
      name TEXT NOT NULL PRIMARY KEY,
      process \(.integer) NOT NULL,
      version TEXT NOT NULL,
      configuration TEXT NOT NULL,
      key_ring TEXT NOT NULL,
      changed_at \(.integer) NOT NULL,
      seen_at \(.integer) NOT NULL,
      backup_at \(.integer),
      backup_seconds \(.integer),
      backup_bytes \(.integer)
    ) \(.strict)
    """
  ]

  /// The time without a report after which a machine counts as gone.
  package static let longestSilence = Seconds.seconds(30)
  /// The time after which a machine that is gone is forgotten.
  private static let kept = Seconds.days(30)

  /// Returns all machines that have reported in the last thirty days, by their names.
  package static func all(
    at now: Instant? = nil, on connection: Connection
  ) throws -> [Machine] {
    try connection.rows(
      """
      SELECT name, version, configuration, key_ring, changed_at, seen_at,
        \(.databaseTime(now)) - seen_at, backup_at, backup_seconds, backup_bytes
      FROM machines ORDER BY name
      """
    ) { row in
      Machine(
        name: row.string(0),
        setup: Setup(
          version: row.string(1), configuration: row.string(2), keyRing: row.string(3)),
        changed: row.instant(4), seen: row.instant(5),
        isLive: row.int(6) <= longestSilence.count,
        backup: row.isNull(7)
          ? nil
          : Backup(
            time: row.instant(7), duration: .seconds(row.int(8)), size: row.int(9)))
    }
  }

  /// Reports that the machine runs. `process` is a number that the calling process has drawn.
  ///
  /// Returns false if another process has reported under this name since the last call.
  package static func report(
    _ name: String, _ setup: Setup, by process: Int64, at now: Instant? = nil,
    on connection: Connection
  ) throws -> Bool {
    let now = SQL.databaseTime(now)
    let isSame =
      try connection.integer(
        "SELECT 1 FROM machines WHERE name = \(name) AND process = \(process)") != nil
    try connection.run(
      """
      INSERT INTO machines
        (name, process, version, configuration, key_ring, changed_at, seen_at)
      VALUES (\(name), \(process), \(setup.version), \(setup.configuration), \(setup.keyRing),
        \(now), \(now))
      ON CONFLICT (name) DO UPDATE SET process = excluded.process, version = excluded.version,
        configuration = excluded.configuration, key_ring = excluded.key_ring,
        changed_at = CASE WHEN machines.version = excluded.version
          AND machines.configuration = excluded.configuration
          AND machines.key_ring = excluded.key_ring
          THEN machines.changed_at ELSE excluded.changed_at END,
        seen_at = excluded.seen_at
      """)
    return isSame
  }

  /// Forgets the machines that have been gone for thirty days.
  package static func forgetGone(at now: Instant? = nil, on connection: Connection) throws {
    try connection.run(
      "DELETE FROM machines WHERE seen_at < \(.databaseTime(now)) - \(kept.count)")
  }

  /// Records a backup that a machine has made. Changes nothing for a machine without a row.
  package static func record(
    _ backup: Backup, of name: String, on connection: Connection
  ) throws {
    try connection.run(
      """
      UPDATE machines SET backup_at = \(backup.time), backup_seconds = \(backup.duration.count),
        backup_bytes = \(backup.size)
      WHERE name = \(name)
      """)
  }
}

extension Machine {
  /// A part of the setup in which machines differ.
  package enum Difference: String, Sendable, CaseIterable {
    case version, configuration, keyRing
  }
}

extension [Machine] {
  /// The machines that run.
  package var live: [Machine] { filter(\.isLive) }

  /// Returns what a machine that runs has other than the machine whose setup changed last: it lags
  /// behind that one. A machine that is gone lags in nothing.
  package func differences(of machine: Machine) -> [Machine.Difference] {
    guard machine.isLive,
      let latest = live.max(by: { ($0.changed, $1.name) < ($1.changed, $0.name) })?.setup
    else { return [] }
    let own = machine.setup
    return Machine.Difference.allCases.filter {
      switch $0 {
      case .version: own.version != latest.version
      case .configuration: own.configuration != latest.configuration
      case .keyRing: own.keyRing != latest.keyRing
      }
    }
  }

  /// The names of the running machines without this key ring.
  package func lacking(keyRing digest: String) -> [String] {
    live.filter { $0.setup.keyRing != digest }.map(\.name)
  }

  /// Returns the time of the last backup that machines other than this one have made.
  package func lastBackup(besides name: String) -> Instant? {
    filter { $0.name != name }.compactMap(\.backup?.time).max()
  }
}
