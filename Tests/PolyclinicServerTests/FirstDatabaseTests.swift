import Foundation
import PolyclinicCore
import Testing

@testable import PolyclinicServer

@Suite struct FirstDatabaseTests {
  private let now = Instant(1_777_885_200)

  private func place(in directory: String, key: String = "master.key") throws -> Place {
    Place(
      try Configuration.parse(
        Sample.least + "database: { url: \"sqlite:p.sqlite\" }\nvault: { key_file: \(key) }\n",
        path: directory + "/polyclinic.yaml", modules: [], environment: [:]), plugins: [])
  }

  private func files(in directory: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
  }

  @Test func `both are made once, and nothing else`() throws {
    try Scratch.with { (directory: String) throws in
      let place = try place(in: directory)
      #expect(try place.createIfMissing(at: now))
      #expect(try files(in: directory) == ["master.key", "p.sqlite"])
      #expect(try !place.createIfMissing(at: now))
      #expect(try place.migrate(at: now) == [])
    }
  }

  @Test func `a key that cannot be written leaves no database behind`() throws {
    try Scratch.with { (directory: String) throws in
      #expect(throws: KeyRingError.self) {
        try place(in: directory, key: "none/none/master.key").createIfMissing(at: now)
      }
      #expect(try files(in: directory) == [])
      #expect(try place(in: directory).createIfMissing(at: now))
    }
  }

  @Test func `a database that cannot get its name leaves no key behind`() throws {
    try Scratch.with { (directory: String) throws in
      try FileManager.default.createDirectory(
        atPath: directory + "/p.sqlite", withIntermediateDirectories: false)
      let first = FirstDatabase(
        path: directory + "/p.sqlite", keyPath: directory + "/master.key")
      let installation = try place(in: directory).assembly().installation()
      #expect(throws: SystemError.self) { try first.make(for: installation, at: now) }
      #expect(try files(in: directory) == ["p.sqlite"])
    }
  }

  @Test func `what a crash left of a draft does not stop the next start`() throws {
    try Scratch.with { (directory: String) throws in
      for suffix in ["", "-wal", ".lock"] {
        try TextFile.create("half", at: directory + "/p.sqlite.new" + suffix, mode: 0o600)
      }
      #expect(try place(in: directory).createIfMissing(at: now))
      #expect(try files(in: directory) == ["master.key", "p.sqlite"])
    }
  }

  @Test func `a crash before the last step is made good by the next start`() throws {
    try Scratch.with { (directory: String) throws in
      let place = try place(in: directory)
      _ = try place.createIfMissing(at: now)
      try FileManager.default.moveItem(
        atPath: directory + "/p.sqlite", toPath: directory + "/p.sqlite.new")
      #expect(try place.createIfMissing(at: now))
      #expect(try files(in: directory) == ["master.key", "p.sqlite"])
      #expect(try place.migrate(at: now) == [])
    }
  }

  @Test func `a draft that the key does not open is not taken`() throws {
    try Scratch.with { (directory: String) throws in
      let place = try place(in: directory)
      _ = try place.createIfMissing(at: now)
      try FileManager.default.moveItem(
        atPath: directory + "/p.sqlite", toPath: directory + "/p.sqlite.new")
      #expect(unlink(directory + "/master.key") == 0)
      _ = try KeyRing.create(at: directory + "/master.key", today: .test)
      #expect(throws: (any Error).self) { try place.createIfMissing(at: now) }
      #expect(!FilePath.exists(directory + "/p.sqlite"))
    }
  }
}
