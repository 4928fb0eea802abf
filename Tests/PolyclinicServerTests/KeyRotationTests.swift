import Foundation
import PolyclinicCore
import PolyclinicStore
import PolyclinicTesting
import Testing

@testable import PolyclinicServer

/// A portal whose process has read the key file before, and somebody in it.
@Suite struct KeyRotationTests {
  private let portal: TestPortal
  private let vera: TestVisitor
  private let first: KeyRing.ID

  private struct Killed: Error {}

  init() throws {
    portal = try TestPortal()
    vera = try portal.register(login: "vera")
    first = try portal.ring.newest.id
  }

  private func rotate(
    report: @escaping (KeyRotation.Step) throws -> Void = { _ in }
  ) throws -> KeyRotation.Outcome {
    let rotation = KeyRotation(
      database: portal.database, path: portal.directory + "/master.key", report: report)
    return try rotation.run(at: portal.now)
  }

  /// How many people's keys each master key wraps.
  private func wrapped() throws -> [KeyRing.ID?: Int] {
    let ids = try portal.database.read { connection in
      try connection.rows("SELECT wrapped_key FROM people") { KeyRing.masterKey(of: $0.bytes(0)) }
    }
    return Dictionary(ids.map { ($0, 1) }, uniquingKeysWith: +)
  }

  /// Adds people without accounts.
  private func enter(_ count: Int) throws {
    let vault = try portal.vault
    try portal.database.write { connection in
      for _ in 0..<count {
        _ = try Account.insertPerson(Profile(Newcomer()), at: portal.now, vault, on: connection)
      }
    }
  }

  /// What must hold at every moment, whatever was killed: all opens, people sign in and register.
  private func requireService() throws {
    #expect(vera.get("/account").status == 200)
    #expect(try portal.visitor().signIn("vera").status == 303)
    #expect(try portal.register().get("/account").status == 200)
    #expect(try portal.problems() == [])
  }

  @Test func `a rotation wraps everybody's key by a new one, and keeps the old key`() throws {
    let outcome = try rotate()
    #expect(outcome.manner == .begun && outcome.people == 1 && outcome.unreadable == [])
    let ring = try portal.ring
    #expect(ring.ids == [first, outcome.key.id])
    #expect(try wrapped() == [ring.newest.id: 1])
    #expect(try portal.database.read(Vault.masterKeyID) == ring.newest.id)
    #expect(try KeyRotation.unfinished(ring, portal.database) == nil)
    try requireService()
  }

  @Test func `a process from before the rotation wraps new people's keys by the new key`() throws {
    let stale = try portal.vault
    let outcome = try rotate()
    try portal.database.write { connection in
      _ = try Account.insertPerson(Profile(Newcomer()), at: portal.now, stale, on: connection)
    }
    _ = try portal.register()
    #expect(try wrapped() == [outcome.key.id: 3])
  }

  @Test func `a process from before the rotation that seals accounts leaves the new key in force`()
    throws
  {
    let stale = try portal.vault
    let outcome = try rotate()
    try portal.database.write { try stale.refuseUnsealed(on: $0) }
    #expect(try portal.database.read(Vault.masterKeyID) == outcome.key.id)
    try requireService()
  }

  @Test func `accounts that are not sealed yet stay accepted, sealed ones are still asked for it`()
    throws
  {
    #expect(try !acceptsUnsealed())
    _ = try rotate()
    #expect(try !acceptsUnsealed())
    let vault = try portal.vault
    let unmarked = try portal.ring.wrap(
      vault.lookupKey, binding: Vault.lookupBinding(vault.installation))
    _ = try portal.database.write {
      try $0.run("UPDATE installation SET value = \(unmarked) WHERE name = 'lookup-key'")
    }
    _ = try rotate()
    #expect(try acceptsUnsealed())
  }

  private func acceptsUnsealed() throws -> Bool {
    let vault = try portal.vault
    return try portal.database.read { try vault.acceptsUnsealed(on: $0) }
  }

  @Test func `a second rotation makes a third key, and everything opens`() throws {
    let second = try rotate().key.id
    let third = try rotate().key.id
    #expect(try portal.ring.ids == [first, second, third])
    #expect(try wrapped() == [third: 1])
    try requireService()
  }

  @Test func `a rotation that was killed behind any step goes on with the key that it has made`()
    throws
  {
    try enter(300)
    var steps: [KeyRotation.Step] = []
    _ = try rotate { steps.append($0) }
    #expect(steps.count == 4, "one transaction for each 256 people")
    for survived in 0..<steps.count {
      let before = try portal.ring.ids
      var count = 0
      #expect(throws: Killed.self) {
        try rotate { _ in
          if count == survived { throw Killed() }
          count += 1
        }
      }
      let ids = try portal.ring.ids
      #expect(ids.count == before.count + 1)
      let left = try KeyRotation.unfinished(portal.ring, portal.database)
      #expect((left == nil) == (survived == steps.count - 1))
      try requireService()
      let outcome = try rotate()
      #expect(try portal.ring.newest.id == outcome.key.id)
      #expect(try wrapped().keys.elementsEqual([outcome.key.id]))
      // Killed behind its last step it was complete: the next run is another rotation.
      #expect((outcome.manner == .begun) == (survived == steps.count - 1))
      try requireService()
    }
  }

  @Test func `what a rotation left that was killed while it wrote the key file is no key`() throws {
    let draft = portal.directory + "/master.key.new"
    try TextFile.create("polyclinic key ring 1\n", at: draft, mode: 0o600)
    let outcome = try rotate()
    #expect(try portal.ring.ids == [first, outcome.key.id])
    #expect(!FileManager.default.fileExists(atPath: draft))
  }

  @Test func `of two rotations at once one is told to wait, and changes nothing`() throws {
    var refused = 0
    let outcome = try rotate { _ in
      do { _ = try rotate() } catch KeyRotationError.underWay {
        refused += 1
      }
    }
    #expect(refused == 3)
    #expect(try portal.ring.ids == [first, outcome.key.id])
  }

  @Test func `a key file that cannot be replaced stops a rotation before anything is changed`()
    throws
  {
    let path = portal.directory + "/master.key"
    let before = try Data(contentsOf: URL(filePath: path))
    // A directory stands where the new file is to be written.
    try FileManager.default.createDirectory(
      atPath: path + ".new", withIntermediateDirectories: false)
    #expect(throws: KeyRingError.unwritable(path: path, errno: EEXIST)) { try rotate() }
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
    #expect(try wrapped() == [first: 1])
    #expect(
      KeyRingError.unwritable(path: path, errno: ENOSPC).description.contains("make some"))
    #expect(KeyRingError.unwritable(path: path, errno: EROFS).description.contains("writable"))
  }

  @Test(arguments: ["installation", "people"])
  func `a rotation that the database refuses says so, and goes on with its key later`(
    table: String
  ) throws {
    try portal.database.write { connection in
      try connection.run(
        """
        CREATE TRIGGER refusal BEFORE UPDATE ON \(schemaName: table)
        BEGIN SELECT RAISE(ABORT, 'no room'); END
        """)
    }
    let error = #expect(throws: KeyRotationError.self) { try rotate() }
    #expect(error?.description.contains("Nothing is lost") == true)
    let ring = try portal.ring
    #expect(ring.ids.count == 2)
    #expect(vera.get("/account").status == 200)
    #expect(try portal.problems() == [])
    _ = try portal.database.write { try $0.run("DROP TRIGGER refusal") }
    let outcome = try rotate()
    #expect(outcome.manner == .finished && outcome.key.id == ring.newest.id)
    #expect(try wrapped() == [ring.newest.id: 1])
  }

  @Test func `a key file behind a link is replaced where it is, for its owner alone`() throws {
    let path = portal.directory + "/master.key"
    let other = portal.directory + "/other"
    try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: false)
    try FileManager.default.moveItem(atPath: path, toPath: other + "/real.key")
    try FileManager.default.createSymbolicLink(
      atPath: path, withDestinationPath: other + "/real.key")
    let outcome = try rotate()
    #expect(try KeyRing.load(at: other + "/real.key").newest.id == outcome.key.id)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == other + "/real.key")
    let file = try FileManager.default.attributesOfItem(atPath: other + "/real.key")
    #expect(file[.posixPermissions] as? Int == 0o600)
  }

  @Test func `a person whose key is damaged is named, and keeps nobody else under the old key`()
    throws
  {
    try enter(2)
    let person = try portal.person(of: vera)
    try portal.database.write { connection in
      let wrapped = try connection.row(
        "SELECT wrapped_key FROM people WHERE id_person = \(person)"
      ) { $0.bytes(0) }
      var damaged = try #require(wrapped)
      damaged[damaged.count - 1] ^= 1
      try connection.run(
        "UPDATE people SET wrapped_key = \(damaged) WHERE id_person = \(person)")
    }
    for _ in 0..<2 {
      let outcome = try rotate()
      #expect(outcome.manner == .begun && outcome.people == 2 && outcome.unreadable == [person])
    }
    #expect(try wrapped() == [first: 1, portal.ring.newest.id: 2])
  }

  @Test func `a ring that a sheet could not hold any more gets no further key`() throws {
    var ring = try portal.ring
    while ring.ids.count < KeyRing.capacity { ring = ring.adding(today: .test) }
    try ring.replaceFile()
    #expect(try rotate().manner == .finished)
    #expect(throws: KeyRotationError.self) { try rotate() }
    #expect(try portal.ring.ids == ring.ids)
    let sheet = RecoverySheet.lines(ring, clinic: "", printed: .test).joined(separator: "\n")
    #expect(try RecoverySheet.ring(sheet, path: "").ids == ring.ids)
  }

  @Test func `a file that lacks a key of before is not taken for a rotated one`() throws {
    let live = LiveKeyRing(try portal.ring)
    let other = KeyRing.test()
    try KeyRing(newest: other.newest, older: [], path: live.ring.path).replaceFile()
    #expect(throws: VaultError.unknownMasterKey(other.newest.id, path: live.ring.path)) {
      try live.holding(other.newest.id)
    }
    #expect(live.ring.ids == [first])
  }

  @Test func `administrators read that there is a new master key`() throws {
    _ = try rotate()
    let page = try portal.administrator().get("/admin/audit")
    #expect(page.contains("New master key") && page.contains("Command line"))
    #expect(!page.contains("Somebody who was erased"))
  }
}
