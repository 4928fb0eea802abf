import Testing

@testable import PolyclinicServer

@Suite struct VaultFirstKeyTests {
  private func step(
    key: FirstKey.Presence, database: FirstKey.Presence
  ) throws(FirstKeyError) -> FirstKey.Step {
    try FirstKey.step(key: key, at: "K", database: database, at: "D")
  }

  @Test func `a new installation begins where neither key nor database is there`() throws {
    #expect(try step(key: .absent, database: .absent) == .create)
  }

  @Test func `where both are there they are opened`() throws {
    #expect(try step(key: .present, database: .present) == .open)
  }

  @Test func `a key without its database makes no new database`() {
    let error = #expect(throws: FirstKeyError.self) {
      try step(key: .present, database: .absent)
    }
    #expect(error == .databaseMissing(database: "D", key: "K"))
    #expect(error?.description.contains("Restore the database") == true)
  }

  @Test func `a database without its key makes no new key`() {
    let error = #expect(throws: FirstKeyError.self) {
      try step(key: .absent, database: .present)
    }
    #expect(error == .keyMissing(key: "K", database: "D"))
    #expect(error?.description.contains("cannot be made anew") == true)
  }

  @Test func `presence is what the directory says`() throws {
    let scratch = try ScratchDirectory()
    #expect(FirstKey.Presence(of: scratch.path) == .present)
    #expect(FirstKey.Presence(of: scratch.file("none")) == .absent)
    #expect(FirstKey.Presence(of: scratch.file("none/none")) == .absent)
  }
}
