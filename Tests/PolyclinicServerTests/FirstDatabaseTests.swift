import Foundation
import PolyclinicCore
import PolyclinicTestSupport
import Testing

@testable import PolyclinicServer
@testable import PolyclinicSystem
@testable import PolyclinicVault

@Suite struct FirstDatabaseTests {
  private let now = Instant(1_777_885_200)

  private func localInstallation(in directory: String, key: String = "master.key") throws
    -> LocalInstallation
  {
    LocalInstallation(
      try Configuration.parse(
        Sample.least + "database: { url: \"sqlite:p.sqlite\" }\nvault: { key_file: \(key) }\n",
        path: directory + "/polyclinic.yaml", modules: [], environment: [:]), plugins: [])
  }

  private func files(in directory: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
  }

  @Test func `the first start creates the database and the master key, and nothing else`() throws {
    try Scratch.with { (directory: String) throws in
      let local = try localInstallation(in: directory)
      #expect(try local.createIfMissing(at: now))
      #expect(try files(in: directory) == ["master.key", "p.sqlite"])
      #expect(try !local.createIfMissing(at: now))
      #expect(try local.migrate(at: now) == [])
    }
  }

  @Test func `a setup makes a certificate only where there is none and its directory is writable`()
    throws
  {
    try Scratch.with { (directory: String) throws in
      let local = try localInstallation(in: directory)
      let environment = ["PATH": "/usr/bin:/bin"]
      #expect(
        try local.makeCertificate(environment: environment)?.hasPrefix("There is no") == true)
      try OpenFile.make(directory: directory + "/certificate")
      #expect(try local.makeCertificate(environment: environment)?.hasPrefix("Made") == true)
      #expect(try files(in: directory + "/certificate") == ["certificate.pem", "key.pem"])
      #expect(try local.makeCertificate(environment: environment) == nil)
    }
  }

  @Test func `a key that cannot be written leaves no database behind`() throws {
    try Scratch.with { (directory: String) throws in
      #expect(throws: KeyRingError.self) {
        try localInstallation(in: directory, key: "none/none/master.key").createIfMissing(at: now)
      }
      #expect(try files(in: directory) == [])
      #expect(try localInstallation(in: directory).createIfMissing(at: now))
    }
  }

  @Test func `a database that cannot be renamed into place leaves no key behind`() throws {
    try Scratch.with { (directory: String) throws in
      try FileManager.default.createDirectory(
        atPath: directory + "/p.sqlite", withIntermediateDirectories: false)
      let first = FirstDatabase(
        path: directory + "/p.sqlite", keyPath: directory + "/master.key")
      let installation = try localInstallation(in: directory).builder().installation()
      #expect(throws: SystemError.self) { try first.make(for: installation, at: now) }
      #expect(try files(in: directory) == ["p.sqlite"])
    }
  }

  @Test func `a draft left by a crash does not stop the next start`() throws {
    try Scratch.with { (directory: String) throws in
      for suffix in ["", "-wal", ".lock"] {
        try TextFile.create("half", at: directory + "/p.sqlite.new" + suffix, mode: 0o600)
      }
      #expect(try localInstallation(in: directory).createIfMissing(at: now))
      #expect(try files(in: directory) == ["master.key", "p.sqlite"])
    }
  }

  @Test func `the next start completes a crash before the final rename`() throws {
    try Scratch.with { (directory: String) throws in
      let local = try localInstallation(in: directory)
      _ = try local.createIfMissing(at: now)
      try FileManager.default.moveItem(
        atPath: directory + "/p.sqlite", toPath: directory + "/p.sqlite.new")
      #expect(try local.createIfMissing(at: now))
      #expect(try files(in: directory) == ["master.key", "p.sqlite"])
      #expect(try local.migrate(at: now) == [])
    }
  }

  @Test func `a draft that the key does not decrypt is not adopted`() throws {
    try Scratch.with { (directory: String) throws in
      let local = try localInstallation(in: directory)
      _ = try local.createIfMissing(at: now)
      try FileManager.default.moveItem(
        atPath: directory + "/p.sqlite", toPath: directory + "/p.sqlite.new")
      #expect(unlink(directory + "/master.key") == 0)
      _ = try KeyRing.create(at: directory + "/master.key", today: .test)
      #expect(throws: (any Error).self) { try local.createIfMissing(at: now) }
      #expect(!FilePath.exists(directory + "/p.sqlite"))
    }
  }
}
