import Foundation
import Testing

@testable import PolyclinicCore
@testable import PolyclinicServer

@Suite struct VaultKeyRingTests {
  let scratch: ScratchDirectory

  init() throws { scratch = try ScratchDirectory() }

  @Test func `a new key file is read back by its owner alone`() throws {
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

  @Test func `an existing file is never overwritten`() throws {
    let path = scratch.file("master.key")
    _ = try KeyRing.create(at: path, today: .test)
    let before = try Data(contentsOf: URL(filePath: path))
    #expect(throws: KeyRingError.alreadyThere(path: path)) {
      try KeyRing.create(at: path, today: .test)
    }
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
  }

  @Test func `a file in a directory that cannot be made is refused`() throws {
    let path = scratch.file("none/none/master.key")
    #expect(throws: KeyRingError.unwritable(path: path, errno: ENOENT)) {
      try KeyRing.create(at: path, today: .test)
    }
  }

  @Test func `a missing file is named with its remedy`() throws {
    let path = scratch.file("master.key")
    let error = #expect(throws: KeyRingError.self) { try KeyRing.load(at: path) }
    #expect(error == .missing(path: path))
    #expect(error?.description.contains("Put it back") == true)
  }

  @Test(arguments: [0o640, 0o604, 0o660, 0o644, 0o601, 0o620])
  func `a file that others may touch is refused with the command that helps`(mode: Int) throws {
    let path = scratch.file("master.key")
    _ = try KeyRing.create(at: path, today: .test)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    let error = #expect(throws: KeyRingError.self) { try KeyRing.load(at: path) }
    #expect(error == .exposed(path: path, mode: UInt32(mode)))
    #expect(error?.description.contains("chmod 600 \(path)") == true)
  }

  @Test func `a file of another user is refused, root's and one's own are not`() throws {
    #expect(throws: KeyRingError.foreign(path: "k", owner: 7)) {
      try KeyRing.checkAccess(path: "k", mode: 0o600, owner: 7, user: 8)
    }
    try KeyRing.checkAccess(path: "k", mode: 0o600, owner: 0, user: 8)
    try KeyRing.checkAccess(path: "k", mode: 0o400, owner: 8, user: 8)
  }

  @Test func `a directory is not a key file`() throws {
    #expect(throws: KeyRingError.malformed(path: scratch.path, line: 1, .notAKeyRing)) {
      try KeyRing.load(at: scratch.path)
    }
  }

  @Test func `several keys keep their order, the newest last`() throws {
    let keys = (0..<3).map { _ in KeyRing.Key.random(created: .test) }
    let ring = try KeyRingText.ring(KeyRingText.encoded(keys), path: "k")
    #expect(ring.ids == keys.map(\.id))
    #expect(ring.newest.secret == keys[2].secret)
    for key in keys { #expect(ring[key.id]?.secret == key.secret) }
  }

  @Test func `each changed or lost byte of the text is noticed`() throws {
    let text = KeyRingText.encoded([.random(created: .test), .random(created: .test)])
    // Without its last line break the text is still whole.
    for damaged in text.damaged where damaged != text.dropLast() {
      #expect(throws: KeyRingError.self) { try KeyRingText.ring(damaged, path: "k") }
    }
  }

  @Test(arguments: [
    ("", 1, KeyRingError.Flaw.notAKeyRing),
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
  func `a wrong text is told by its line`(text: String, line: Int, flaw: KeyRingError.Flaw) {
    #expect(throws: KeyRingError.malformed(path: "k", line: line, flaw)) {
      try KeyRingText.ring(Array(text.utf8), path: "k")
    }
  }

  @Test func `one id twice, and anything after the end, are refused`() throws {
    let key = KeyRing.Key.random(created: .test)
    #expect(throws: KeyRingError.malformed(path: "k", line: 3, .duplicate)) {
      try KeyRingText.ring(KeyRingText.encoded([key, key]), path: "k")
    }
    #expect(throws: KeyRingError.malformed(path: "k", line: 4, .trailing)) {
      try KeyRingText.ring(KeyRingText.encoded([key]) + Array("more".utf8), path: "k")
    }
  }
}
