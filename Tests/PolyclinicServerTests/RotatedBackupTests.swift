import Foundation
import PolyclinicCore
import PolyclinicStore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@testable import PolyclinicServer
@testable import PolyclinicVault
@testable import PolyclinicWeb

/// Backups and recovery sheets from before and after a key rotation.
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

  private func elsewhere(_ body: (ScratchInstallation) throws -> Void) throws {
    try Scratch.with { (directory: String) throws in
      try body(ScratchInstallation(directory: directory))
    }
  }

  private func signsIn(_ target: ScratchInstallation) throws -> Bool {
    try target.withDatabase { (database: SQLiteDatabase) throws in
      try database.read { connection in
        let vault = try Vault.open(ring: KeyRing.load(at: target.keyPath), on: connection)
        let account = try #require(try Account.find("vera", vault, on: connection))
        return try KeyStore(vault).unloggedKeys(of: account.person, on: connection) != nil
      }
    }
  }

  @Test func `a backup from before the rotation is restored with the current keys`() throws {
    try elsewhere { target in
      try target.takeKey(of: portal)
      _ = try target.restore(oldBackup)
      #expect(try signsIn(target))
      try target.withDatabase { database in
        let ring = try portal.ring
        #expect(try database.read(Vault.masterKeyID) == ring.newest.id)
        #expect(try KeyRotation.unfinished(ring, database) != nil)
        let outcome = try KeyRotation(database: database, path: target.keyPath).run(at: portal.now)
        #expect(outcome.manner == .finished && outcome.key.id == ring.newest.id)
        #expect(try KeyRotation.unfinished(ring, database) == nil)
      }
    }
  }

  @Test func `an old sheet restores an old backup and is refused for a newer one`() throws {
    let newBackup = try portal.backUp()
    let lacking = RecoverySheetError.lacking(try portal.ring.newest.id)
    try elsewhere { target in
      let sheet = KeyRing(newest: old.newest, older: [], path: target.keyPath)
      #expect(throws: lacking) { try target.restore(newBackup, sheet: sheet) }
      #expect(try target.files() == [])
      _ = try target.restore(oldBackup, sheet: sheet)
      #expect(try signsIn(target))
    }
    #expect(lacking.description.contains("is old"))
  }

  @Test func `a process from before the rotation seals its backup with the new key`() throws {
    let path = portal.directory + "/stale.backup"
    try Backup(database: portal.database, vault: stale).write(to: path, at: portal.now)
    #expect(try BackupReader(path, ring: portal.ring).header.key == portal.ring.newest.id)
  }

  @Test func `a sheet is recognised as current, outdated or another portal's`() throws {
    let ring = try portal.ring
    try ring.requireSame(as: ring)
    #expect(throws: RecoverySheetError.lacking(ring.newest.id)) { try old.requireSame(as: ring) }
    #expect(throws: RecoverySheetError.foreign(path: ring.path)) {
      try KeyRing.test().requireSame(as: ring)
    }
  }
}
