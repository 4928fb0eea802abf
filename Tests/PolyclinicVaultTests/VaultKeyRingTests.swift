import Foundation
import PolyclinicTestSupport
import Testing

@testable import PolyclinicCore
@testable import PolyclinicVault

@Suite struct VaultKeyRingTests {
  let scratch: ScratchDirectory

  init() throws { scratch = try ScratchDirectory() }

  @Test func `a new key file loads again and is accessible only to its owner`() throws {
    let path = scratch.file("keys/master.key")
    let made = try KeyRing.create(at: path, today: .test)
    let read = try KeyRing.load(at: path)
    #expect(read.ids == made.ids)
    #expect(read.newest.secret == made.newest.secret)
    #expect(read.newest.created == .test)
    let file = try FileManager.default.attributesOfItem(atPath: path)
    let directory = try FileManager.default.attributesOfItem(atPath: scratch.file("keys"))
    #expect(file[.posixPermissions] as? Int == 0o600)
    #expect(directory[.posixPermissions] as? Int == 0o700)
  }

  @Test func `creating a key file never overwrites an existing file`() throws {
    let path = scratch.file("master.key")
    _ = try KeyRing.create(at: path, today: .test)
    let before = try Data(contentsOf: URL(filePath: path))
    #expect(throws: KeyRingError.alreadyThere(path: path)) {
      try KeyRing.create(at: path, today: .test)
    }
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
  }

  @Test func `creating a key file fails if its directory cannot be created`() throws {
    let path = scratch.file("none/none/master.key")
    #expect(throws: KeyRingError.unwritable(path: path, errno: ENOENT)) {
      try KeyRing.create(at: path, today: .test)
    }
  }

  @Test func `the error for a missing key file names the file and a remedy`() throws {
    let path = scratch.file("master.key")
    let error = #expect(throws: KeyRingError.self) { try KeyRing.load(at: path) }
    #expect(error == .missing(path: path))
    #expect(error?.description.contains("Put it back") == true)
  }

  @Test(arguments: [0o640, 0o604, 0o660, 0o644, 0o601, 0o620])
  func `a key file open to others is refused with the chmod command`(mode: Int) throws {
    let path = scratch.file("master.key")
    _ = try KeyRing.create(at: path, today: .test)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    let error = #expect(throws: KeyRingError.self) { try KeyRing.load(at: path) }
    #expect(error == .exposed(path: path, mode: UInt32(mode)))
    #expect(error?.description.contains("chmod 600 \(path)") == true)
  }

  @Test func `a key file must belong to root or to the current user`() throws {
    #expect(throws: KeyRingError.foreign(path: "k", owner: 7)) {
      try KeyRing.checkAccess(path: "k", mode: 0o600, owner: 7, user: 8)
    }
    try KeyRing.checkAccess(path: "k", mode: 0o600, owner: 0, user: 8)
    try KeyRing.checkAccess(path: "k", mode: 0o400, owner: 8, user: 8)
  }

  @Test func `loading a directory as a key file is refused`() throws {
    #expect(throws: KeyRingError.malformed(path: scratch.path, line: 1, .notAKeyRing)) {
      try KeyRing.load(at: scratch.path)
    }
  }

  private func ring(_ keys: [KeyRing.Key]) -> KeyRing {
    KeyRing(newest: keys[keys.count - 1], older: keys.dropLast(), path: "k")
  }

  @Test func `several keys keep their order, the newest last`() throws {
    let keys = (0..<3).map { _ in KeyRing.Key.random(created: .test) }
    let ring = try KeyRing(self.ring(keys).text, path: "k")
    #expect(ring.ids == keys.map(\.id))
    #expect(ring.newest.secret == keys[2].secret)
    for key in keys { #expect(ring[key.id]?.secret == key.secret) }
  }

  @Test func `a key ring with any changed or missing byte is rejected`() throws {
    let text = ring([.random(created: .test), .random(created: .test)]).text
    // The text is valid without its last line break.
    for damaged in text.damaged where damaged != text.dropLast() {
      #expect(throws: KeyRingError.self) { try KeyRing(damaged, path: "k") }
    }
  }

  @Test(arguments: [
    ("", 1, KeyRingError.Defect.notAKeyRing),
    ("-----BEGIN PRIVATE KEY-----\n", 1, .notAKeyRing),
    ("polyclinic key ring 2\nend 0\n", 1, .newerFormat),
    ("polyclinic key ring 1\n", 1, .truncated),
    ("polyclinic key ring 1\nend 0\n", 2, .truncated),
    ("polyclinic key ring 1\nend 1\n", 2, .truncated),
    ("polyclinic key ring 1\na b c\nend 1\n", 2, .notAKey),
    ("polyclinic key ring 1\n0000000g 2026-05-01 AAAA 00000000\nend 1\n", 2, .notAKey),
    ("polyclinic key ring 1\n00000001 2026-02-30 AAAA 00000000\nend 1\n", 2, .notAKey),
    ("polyclinic key ring 1\n00000001 2026-05-01 AAAA 00000000\nend 1\n", 2, .mistyped),
  ])
  func `a malformed key ring is rejected with the line and the flaw`(
    text: String, line: Int, defect: KeyRingError.Defect
  ) {
    #expect(throws: KeyRingError.malformed(path: "k", line: line, defect)) {
      try KeyRing(Array(text.utf8), path: "k")
    }
  }

  @Test func `a duplicate id and text after the end are rejected`() throws {
    let key = KeyRing.Key.random(created: .test)
    #expect(throws: KeyRingError.malformed(path: "k", line: 3, .duplicate)) {
      try KeyRing(ring([key, key]).text, path: "k")
    }
    #expect(throws: KeyRingError.malformed(path: "k", line: 4, .trailing)) {
      try KeyRing(ring([key]).text + Array("more".utf8), path: "k")
    }
  }
}
