import PolyclinicCore
import Testing

@testable import PolyclinicServer

@Suite final class RecentKeysTests {
  private let tables = FakeTables()
  private let vault: Vault
  private let erasureID = Vault.newErasureID()
  private let wrapped: [UInt8]
  private let secret: Sealed
  private var now: Int64 = 0
  private lazy var recent = RecentKeys(vault, uptime: { [unowned self] in self.now })

  init() throws {
    vault = try Vault.establish(ring: .test(), on: tables.connection)
    wrapped = try vault.newPersonKey(erasureID: erasureID, on: tables.connection)
    secret = try vault.keys(of: ID(1), wrapped: wrapped, erasureID: erasureID)
      .seal([7], as: "notes.sealed", row: 1)
  }

  private func opened(by keys: Keys) throws -> [UInt8] {
    try keys.open(secret, as: "notes.sealed", row: 1)
  }

  @Test func `they open the same, the first time and later`() throws {
    for _ in 1...3 {
      let keys = try recent.keys(of: ID(1), wrapped: wrapped, erasureID: erasureID)
      #expect(try opened(by: keys) == [7])
    }
    #expect(recent.count == 1)
  }

  @Test func `a name is what is sealed at the moment, however often it was read before`() throws {
    let known = try recent.known(ID(1), wrapped: wrapped, erasureID: erasureID)
    for name in ["Anna", "Anna", "Вера", "Anna"] {
      let sealed = try known.keys.seal(Array(name.utf8), as: "profiles.sealed_name", row: 0)
      for _ in 1...2 { #expect(try known.name(sealed) == name) }
      for damaged in sealed.bytes.damaged {
        #expect(throws: (any Error).self) { try known.name(Sealed(damaged)) }
      }
    }
  }

  @Test func `of nobody anything is kept once it is forgotten`() throws {
    let keys = try recent.keys(of: ID(1), wrapped: wrapped, erasureID: erasureID)
    recent.forget()
    #expect(recent.count == 0)
    #expect(try opened(by: keys) == [7])
    let anew = try recent.keys(of: ID(1), wrapped: wrapped, erasureID: erasureID)
    #expect(try opened(by: anew) == [7])
  }

  @Test func `a known person's key is not given for another row's, nor for a changed one`() throws {
    _ = try recent.keys(of: ID(1), wrapped: wrapped, erasureID: erasureID)
    #expect(throws: UnsealingError.self) {
      try recent.keys(of: ID(1), wrapped: wrapped, erasureID: Vault.newErasureID())
    }
    for damaged in wrapped.damaged {
      #expect(throws: (any Error).self) {
        try recent.keys(of: ID(1), wrapped: damaged, erasureID: erasureID)
      }
    }
    let other = try vault.newPersonKey(erasureID: erasureID, on: tables.connection)
    let keys = try recent.keys(of: ID(1), wrapped: other, erasureID: erasureID)
    #expect(throws: UnsealingError.self) { try opened(by: keys) }
  }

  @Test func `another person does not open what is the first one's`() throws {
    _ = try recent.keys(of: ID(1), wrapped: wrapped, erasureID: erasureID)
    let thief = try recent.keys(of: ID(2), wrapped: wrapped, erasureID: erasureID)
    #expect(throws: UnsealingError.self) { try opened(by: thief) }
  }

  @Test func `all are forgotten after some minutes`() throws {
    for number in 1...3 {
      _ = try recent.keys(of: ID(Int64(number)), wrapped: wrapped, erasureID: erasureID)
    }
    #expect(recent.count == 3)
    now += 5 * 60 * 1_000
    _ = try recent.keys(of: ID(9), wrapped: wrapped, erasureID: erasureID)
    #expect(recent.count == 1)
  }

  @Test func `there are never many`() throws {
    for number in 1...1_000 {
      _ = try recent.keys(of: ID(Int64(number)), wrapped: wrapped, erasureID: erasureID)
      #expect(recent.count <= 256)
    }
  }
}
