import Foundation
import PolyclinicCore
import PolyclinicStore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@testable import PolyclinicServer
@testable import PolyclinicVault

/// A scratch directory of an installation, with a configuration that names every file in it.
struct ScratchInstallation {
  let directory: String
  var databaseURL = "sqlite:polyclinic.sqlite"
  var databasePath: String { directory + "/polyclinic.sqlite" }
  var keyPath: String { directory + "/master.key" }

  init(directory: String) { self.directory = directory }

  /// Creates the installation of a portal.
  init(of portal: TestPortal) {
    directory = portal.directory
    databaseURL = portal.databaseURL
  }

  /// Returns the portal's installation with these modules, as the commands see it.
  func localInstallation(_ plugins: any Module...) throws -> LocalInstallation {
    let text =
      Sample.least
        + """
        server: { listen: "unix:run/p.sock", data: "." }
        database: { url: "\(databaseURL)" }
        vault: { key_file: "master.key" }
        """
    return LocalInstallation(
      try Configuration.parse(
        text, path: directory + "/polyclinic.yaml", modules: LocalInstallation.known(plugins),
        environment: [:]),
      plugins: plugins)
  }

  func restore(
    _ backup: String, _ manner: Restore.Manner = .intoEmptyPlace, sheet: KeyRing? = nil,
    _ plugins: any Module..., at now: Instant = TestPortal.start
  ) throws -> Restore.Outcome {
    let text = try localInstallation().configuration
    let local = LocalInstallation(text, plugins: plugins)
    return try local.restore(backup, manner).run(sheet: sheet, at: now)
  }

  /// Returns the relative paths of all files, sorted.
  func files() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: directory).sorted()
  }

  /// Opens the database for `body` and closes it afterwards.
  func withDatabase<Value>(_ body: (SQLiteDatabase) throws -> Value) throws -> Value {
    let database = try SQLiteDatabase.open(databasePath)
    defer { database.close() }
    return try body(database)
  }

  func takeKey(of portal: TestPortal) throws {
    try FileManager.default.copyItem(atPath: portal.directory + "/master.key", toPath: keyPath)
  }
}

extension TestPortal {
  /// Writes a backup to a new file in this portal's directory and returns its path.
  func backUp(_ name: String = "a.backup") throws -> String {
    let path = directory + "/" + name
    try Backup(database: database, vault: try vault).write(to: path, at: now)
    return path
  }

  /// Makes the database larger than three chunks of a backup, by a table that no migration makes.
  func addBallast() throws {
    try database.write { connection in
      try connection.run("CREATE TABLE ballast (bytes \(.bytes) NOT NULL) \(.strict)")
      for _ in 0..<4 {
        try connection.run("INSERT INTO ballast (bytes) VALUES (\([UInt8].random(1_000_000)))")
      }
    }
  }
}

/// A backup with an arbitrary manifest and rows, sealed as the portal seals its own.
struct ForgedBackup {
  var manifest: BackupManifest
  var rows: [UInt8]

  init(_ path: String, ring: KeyRing) throws {
    let reader = try BackupReader(path, ring: ring)
    manifest = try reader.manifest()
    var rows: [UInt8] = []
    try reader.read { rows += $0 }
    self.rows = rows
  }

  /// Replaces a value, wherever it is, by another one of the same length.
  mutating func replace(_ value: [UInt8], by other: [UInt8]) throws {
    try #require(value.count == other.count)
    var data = Data(rows)
    while let range = data.range(of: Data(value)) { data.replaceSubrange(range, with: other) }
    try #require(data != Data(rows))
    rows = Array(data)
  }

  func write(to path: String, ring: KeyRing) throws {
    unlink(path)
    let writer = try BackupWriter(path, ring.newest, at: Instant(manifest.time))
    try writer.write(manifest)
    try writer.write(rows)
    try writer.complete()
  }
}
