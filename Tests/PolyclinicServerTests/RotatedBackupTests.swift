import Foundation
import PolyclinicCore
import PolyclinicStore
import PolyclinicTesting
import Testing

@testable import PolyclinicServer

/// Backups and sheets of before and behind a rotation.
@Suite struct RotatedBackupTests {
  private let portal: TestPortal
  private let old: KeyRing
  private let oldBackup: String
  private let stale: Vault

  init() throws {
    portal = try TestPortal()
    _ = try portal.register(login: "vera")
    old = try portal.ring
    oldBackup = try portal.backUp("old.backup")
    stale = try portal.vault
    _ = try KeyRotation(database: portal.database, path: old.path).run(at: portal.now)
  }

  private func elsewhere(_ body: (BackupPlace) throws -> Void) throws {
    try Scratch.with { (directory: String) throws in try body(BackupPlace(directory: directory)) }
  }

  private func signsIn(_ place: BackupPlace) throws -> Bool {
    try place.withDatabase { (database: SQLiteDatabase) throws in
      try database.read { connection in
        let vault = try Vault.open(ring: KeyRing.load(at: place.keyPath), on: connection)
        let account = try #require(try Account.find("vera", vault, on: connection))
        return try KeyCabinet(vault).keys(of: account.person, on: connection) != nil
      }
    }
  }

  @Test func `a backup of before the rotation is restored with the ring of now`() throws {
    try elsewhere { place in
      try place.takeKey(of: portal)
      _ = try place.restore(oldBackup)
      #expect(try signsIn(place))
      try place.withDatabase { database in
        let ring = try portal.ring
        #expect(try database.read(Vault.masterKeyID) == ring.newest.id)
        #expect(try KeyRotation.unfinished(ring, database) != nil)
        let outcome = try KeyRotation(database: database, path: place.keyPath).run(at: portal.now)
        #expect(outcome.manner == .finished && outcome.key.id == ring.newest.id)
        #expect(try KeyRotation.unfinished(ring, database) == nil)
      }
    }
  }

  @Test func `an old sheet restores a backup of before, and says that it is old for a later one`()
    throws
  {
    let newBackup = try portal.backUp()
    let lacking = RecoverySheetError.lacking(try portal.ring.newest.id)
    try elsewhere { place in
      let sheet = KeyRing(newest: old.newest, older: [], path: place.keyPath)
      #expect(throws: lacking) { try place.restore(newBackup, sheet: sheet) }
      #expect(try place.files() == [])
      _ = try place.restore(oldBackup, sheet: sheet)
      #expect(try signsIn(place))
    }
    #expect(lacking.description.contains("is old"))
  }

  @Test func `a backup that a process of before the rotation makes is sealed with the new key`()
    throws
  {
    let path = portal.directory + "/stale.backup"
    try Backup(database: portal.database, vault: stale).write(to: path, at: portal.now)
    #expect(try BackupReader(path, ring: portal.ring).header.key == portal.ring.newest.id)
  }

  @Test func `a sheet is the newest, or old, or another portal's`() throws {
    let ring = try portal.ring
    try ring.requireSame(as: ring)
    #expect(throws: RecoverySheetError.lacking(ring.newest.id)) { try old.requireSame(as: ring) }
    #expect(throws: RecoverySheetError.foreign(path: ring.path)) {
      try KeyRing.test().requireSame(as: ring)
    }
  }
}
