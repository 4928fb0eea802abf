import Testing

@testable import PolyclinicVault

@Suite struct VaultFirstKeyTests {
  private let scratch: ScratchDirectory

  init() throws { scratch = try ScratchDirectory() }

  private func step(
    key: FirstKey.Presence, database: FirstKey.Presence
  ) throws(FirstKeyError) -> FirstKey {
    try FirstKey(keyFile: path("K", key), database: path("D", database))
  }

  private func path(_ name: String, _ presence: FirstKey.Presence) -> String {
    presence == .present ? scratch.path : scratch.file(name)
  }

  @Test func `a missing key and a missing database start a new installation`() throws {
    #expect(try step(key: .absent, database: .absent) == .create)
  }

  @Test func `an existing key and an existing database are opened`() throws {
    #expect(try step(key: .present, database: .present) == .open)
  }

  @Test func `a key without its database is refused with a remedy`() {
    let error = #expect(throws: FirstKeyError.self) {
      try step(key: .present, database: .absent)
    }
    #expect(error == .databaseMissing(database: scratch.file("D"), key: scratch.path))
    #expect(error?.description.contains("Restore the database") == true)
  }

  @Test func `a database without its key is refused with an explanation`() {
    let error = #expect(throws: FirstKeyError.self) {
      try step(key: .absent, database: .present)
    }
    #expect(error == .keyMissing(key: scratch.file("K"), database: scratch.path))
    #expect(error?.description.contains("cannot be made anew") == true)
  }

  @Test func `an existing path is present, and a missing path is absent`() throws {
    #expect(FirstKey.Presence(of: scratch.path) == .present)
    #expect(FirstKey.Presence(of: scratch.file("none")) == .absent)
    #expect(FirstKey.Presence(of: scratch.file("none/none")) == .absent)
  }
}
