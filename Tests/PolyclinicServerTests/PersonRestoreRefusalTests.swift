import Foundation
import PolyclinicCore
import PolyclinicStore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@testable import PolyclinicPortal
@testable import PolyclinicServer
@testable import PolyclinicVault
@testable import PolyclinicWeb

/// Refused restores of one person's records.
@Suite struct PersonRestoreRefusalTests: PersonRestoreSuite {
  let portal: TestPortal
  let anna: TestVisitor
  let keys: Keys

  init() throws {
    portal = try TestPortal(MemosModule())
    anna = try portal.register(login: "anna")
    keys = try portal.keys(of: anna)
  }

  @Test func `unknown and former logins are refused with different errors`() throws {
    let backup = try portal.backUp()
    try requireUntouched {
      for login in ["nobody", "anna@example.org"] {
        #expect(throws: PersonRestoreError.unknownLogin) {
          try restore(login: login, from: backup)
        }
      }
    }
    let vault = try portal.vault
    try portal.write { connection in
      var profile = try #require(try Profile.find(in: connection.with(keys)))
      profile.login = "anna2"
      try Account.rename(keys.person, to: profile, vault, on: connection)
    }
    #expect(throws: PersonRestoreError.renamed(keys.person)) { try restore(from: backup) }
    #expect(try restore(login: "anna2", from: backup) == count())
  }

  @Test func `a person registered after the backup is refused as not in it`() throws {
    let backup = try portal.backUp()
    _ = try portal.register(login: "vera")
    try requireUntouched {
      #expect(throws: PersonRestoreError.notInBackup(at: portal.now)) {
        try restore(login: "vera", from: backup)
      }
    }
  }

  @Test func `an erased person is refused, even if another person has the login`() throws {
    try add("to be forgotten")
    let backup = try portal.backUp()
    var administrator = Administrator(
      vault: try portal.vault, author: .commandLine, now: portal.now)
    let installation = try ScratchInstallation(of: portal).localInstallation(
      MemosModule()
    )
    .builder().installation()
    try portal.write { connection in
      let id = try connection.row(
        "SELECT erasure_id FROM people WHERE id_person = \(keys.person)"
      ) { $0.bytes(0) }
      _ = try administrator.repeatErasure(
        try #require(id), asOf: portal.now, in: installation, on: connection)
    }
    #expect(throws: PersonRestoreError.erased) { try restore(from: backup) }
    _ = try portal.register(login: "anna")
    #expect(throws: PersonRestoreError.notInBackup(at: portal.now)) { try restore(from: backup) }
  }

  @Test func `a person in the erasure log is refused, even if still in the database`() throws {
    let backup = try portal.backUp()
    let id = try portal.read { connection in
      try connection.row("SELECT erasure_id FROM people WHERE id_person = \(keys.person)") {
        $0.bytes(0)
      }
    }
    try ErasureLog(directory: portal.directory).append([try #require(id)])
    #expect(throws: PersonRestoreError.erased) { try restore(from: backup) }
  }

  @Test func `a damaged backup is refused and restores nothing`() throws {
    try purge(try add("lost"))
    let path = try portal.backUp()
    let good = try Data(contentsOf: URL(filePath: path))
    var changed = good
    changed[good.count / 2] ^= 1
    for bytes in [good.dropLast(), changed, good + [0], Data("hello".utf8)] {
      try bytes.write(to: URL(filePath: path))
      try requireUntouched {
        #expect(throws: BackupError.self) { try restore(from: path) }
      }
    }
  }

  @Test func `a backup of another portal is refused, even with a shared key`() throws {
    let other = try TestPortal(MemosModule())
    _ = try other.register(login: "anna")
    let backup = try other.backUp()
    let id = try other.ring.newest.id
    try requireUntouched {
      #expect(
        throws: PersonRestoreError.unknownKey(
          id, path: backup, ring: portal.directory + "/master.key")
      ) { try restore(from: backup) }
    }
    let shared = KeyRing(
      newest: try portal.ring.newest, older: [try other.ring.newest],
      path: portal.directory + "/master.key")
    try shared.replaceFile()
    try requireUntouched {
      #expect(throws: PersonRestoreError.anotherPortal(path: backup)) { try restore(from: backup) }
    }
  }

  @Test func `a backup of a later release is refused with advice to update`() throws {
    let path = try portal.backUp()
    var forged = try ForgedBackup(path, ring: portal.ring)
    forged.manifest.migrations.append(.init(module: "memos", name: "0003-later", digest: "00"))
    try forged.write(to: path, ring: portal.ring)
    try requireUntouched {
      let error = #expect(throws: PersonRestoreError.self) { try restore(from: path) }
      #expect(error == .newerRelease(migration: "memos 0003-later"))
      #expect(error?.description.contains("Update the program first") == true)
    }
  }

  @Test func `a database or backup with the schema of an earlier program is refused`() throws {
    try rename("0001-memos", to: "0000-former")
    let former = try portal.backUp("former.backup")
    try requireRefusal(from: former)
    try rename("0000-former", to: "0001-memos")
    try requireUntouched { try requireRefusal(from: former) }
  }

  private func rename(_ migration: String, to name: String) throws {
    _ = try portal.write {
      try $0.run(
        "UPDATE migrations SET name = \(name) WHERE module = 'memos' AND name = \(migration)")
    }
  }

  private func requireRefusal(from backup: String) throws {
    let error = #expect(throws: MigrationError.self) { try restore(from: backup) }
    #expect(error?.description.contains("/account/export") == true)
  }

  @Test func `a restore is refused while another command holds the key lock`() throws {
    let backup = try portal.backUp()
    try KeyRing.whileLocked(at: portal.directory + "/master.key") {
      _ = #expect(throws: PersonRestoreError.underWay) { try restore(from: backup) }
    }
  }
}
