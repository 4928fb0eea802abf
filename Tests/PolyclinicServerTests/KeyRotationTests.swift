import Foundation
import PolyclinicCore
import PolyclinicStore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@testable import PolyclinicServer
@testable import PolyclinicSystem
@testable import PolyclinicVault
@testable import PolyclinicWeb

/// Master key rotation in a running portal with one registered person.
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

  /// Counts the people's keys that each master key wraps.
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
        _ = try Account.insertPerson(
          Profile(Portal.Newcomer()), vault, in: Work(at: portal.now, on: connection))
      }
    }
  }

  /// Checks that people can use the portal, sign in and register, and that no data is damaged.
  private func requireService() throws {
    #expect(vera.get("/account").status == 200)
    #expect(try portal.visitor().signIn("vera").status == 303)
    #expect(try portal.register().get("/account").status == 200)
    #expect(try portal.problems() == [])
  }

  @Test func `a rotation wraps all people's keys with a new key and keeps the old key`() throws {
    let outcome = try rotate()
    #expect(outcome.manner == .begun && outcome.people == 1 && outcome.unreadable == [])
    let ring = try portal.ring
    #expect(ring.ids == [first, outcome.key.id])
    #expect(try wrapped() == [ring.newest.id: 1])
    #expect(try portal.read(Vault.masterKeyID) == ring.newest.id)
    #expect(try KeyRotation.unfinished(ring, portal.database) == nil)
    try requireService()
  }

  @Test func `with other machines, keys are wrapped once all of them have the new key`() throws {
    func rotate(lacking: [String]) throws -> KeyRotation.Outcome {
      let rotation = KeyRotation(
        database: portal.database, path: portal.directory + "/master.key", lacking: { _ in lacking }
      )
      return try rotation.run(at: portal.now)
    }
    let begun = try rotate(lacking: ["b"])
    #expect(begun.manner == .distributing(["b"]))
    #expect(try portal.ring.ids == [first, begun.key.id] && wrapped() == [first: 1])
    try requireService()
    let refusal = #expect(throws: KeyRotationError.self) { try rotate(lacking: ["b", "c"]) }
    #expect(refusal?.description.contains("b, c") == true)
    #expect(try portal.ring.ids == [first, begun.key.id])
    #expect(try portal.read(Vault.masterKeyID) == first)
    let finished = try rotate(lacking: [])
    #expect(finished.manner == .finished && finished.key.id == begun.key.id)
    #expect(try portal.read(Vault.masterKeyID) == begun.key.id)
    try requireService()
  }

  @Test func `a process started before the rotation uses the new key for new people`() throws {
    let stale = try portal.vault
    let outcome = try rotate()
    try portal.database.write { connection in
      _ = try Account.insertPerson(
        Profile(Portal.Newcomer()), stale, in: Work(at: portal.now, on: connection))
    }
    _ = try portal.register()
    #expect(try wrapped() == [outcome.key.id: 3])
  }

  @Test func `a second rotation adds a third key, and all data decrypts`() throws {
    let second = try rotate().key.id
    let third = try rotate().key.id
    #expect(try portal.ring.ids == [first, second, third])
    #expect(try wrapped() == [third: 1])
    try requireService()
  }

  @Test func `a rotation killed after any step continues with the key it created`() throws {
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
      // After its last step a rotation is complete, so the next run starts a new one.
      #expect((outcome.manner == .begun) == (survived == steps.count - 1))
      try requireService()
    }
  }

  @Test func `a draft key file left by a killed rotation is ignored and deleted`() throws {
    let draft = portal.directory + "/master.key.new"
    try TextFile.create("polyclinic key ring 1\n", at: draft, mode: 0o600)
    let outcome = try rotate()
    #expect(try portal.ring.ids == [first, outcome.key.id])
    #expect(!FileManager.default.fileExists(atPath: draft))
  }

  @Test func `a rotation that runs during another one is refused and changes nothing`() throws {
    var refused = 0
    let outcome = try rotate { _ in
      do { _ = try rotate() } catch KeyRotationError.underWay {
        refused += 1
      }
    }
    #expect(refused == 3)
    #expect(try portal.ring.ids == [first, outcome.key.id])
  }

  @Test func `a key file that cannot be replaced stops the rotation before any change`() throws {
    let path = portal.directory + "/master.key"
    let before = try Data(contentsOf: URL(filePath: path))
    // A directory blocks the path of the new key file.
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
  func `a rotation refused by the database fails and later resumes with its key`(
    table: String
  ) throws {
    try portal.run(
      "\(sqlite: "SELECT RAISE(ABORT, 'no room')", postgresql: "RAISE 'no room'")",
      afterEach: "UPDATE ON \(schemaName: table)")
    let error = #expect(throws: KeyRotationError.self) { try rotate() }
    #expect(error?.description.contains("Nothing is lost") == true)
    let ring = try portal.ring
    #expect(ring.ids.count == 2)
    #expect(vera.get("/account").status == 200)
    #expect(try portal.problems() == [])
    try portal.runNothingMeanwhile()
    let outcome = try rotate()
    #expect(outcome.manner == .finished && outcome.key.id == ring.newest.id)
    #expect(try wrapped() == [ring.newest.id: 1])
  }

  @Test func `a key file behind a symbolic link is replaced in place with mode 600`() throws {
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

  @Test func `a damaged key is reported with its person, and all other keys are rotated`() throws {
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

  @Test func `a ring at the capacity of the recovery sheet gets no further key`() throws {
    var ring = try portal.ring
    while ring.ids.count < KeyRing.capacity { ring = ring.adding(today: .test) }
    try ring.replaceFile()
    #expect(try rotate().manner == .finished)
    #expect(throws: KeyRotationError.self) { try rotate() }
    #expect(try portal.ring.ids == ring.ids)
    let sheet = RecoverySheet(ring).lines(clinic: "", printed: .test).joined(separator: "\n")
    #expect(try RecoverySheet(sheet, path: "").ring.ids == ring.ids)
  }

  @Test func `a key file that lacks an earlier key is not accepted as rotated`() throws {
    let live = LiveKeyRing(try portal.ring)
    let other = KeyRing.test()
    try KeyRing(newest: other.newest, older: [], path: live.ring.path).replaceFile()
    #expect(throws: VaultError.unknownMasterKey(other.newest.id, path: live.ring.path)) {
      try live.holding(other.newest.id)
    }
    #expect(live.ring.ids == [first])
  }

  @Test func `the audit log shows the key rotation to administrators`() throws {
    _ = try rotate()
    let page = try portal.administrator().get("/admin/audit")
    #expect(page.hasRow("New master key") && page.hasRow("Command line"))
    #expect(!page.contains("Deleted person"))
  }
}
