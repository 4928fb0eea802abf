import PolyclinicCore
import PolyclinicTestSupport
import Testing

@testable import PolyclinicVault
@testable import PolyclinicWeb

@Suite final class KeyCacheTests {
  private let tables = FakeTables()
  private let vault: Vault
  private let erasureID = Vault.newErasureID()
  private let wrapped: [UInt8]
  private let secret: Sealed
  private var now: Int64 = 0
  private lazy var keyCache = KeyCache(vault, uptime: { [unowned self] in self.now })

  init() throws {
    vault = try Vault.establish(ring: .test(), on: tables.connection)
    wrapped = try vault.newPersonKey(erasureID: erasureID, on: tables.connection)
    secret = try vault.keys(of: ID(1), wrapped: wrapped, erasureID: erasureID)
      .seal([7], as: "notes.sealed", row: 1)
  }

  private func opened(by keys: Keys) throws -> [UInt8] {
    try keys.open(secret, as: "notes.sealed", row: 1)
  }

  @Test func `cached keys open the same data as newly unwrapped ones`() throws {
    for _ in 1...3 {
      let keys = try keyCache.keys(of: ID(1), wrapped: wrapped, erasureID: erasureID)
      #expect(try opened(by: keys) == [7])
    }
    #expect(keyCache.count == 1)
  }

  @Test func `a name is read from the current sealed value, not from a stale cache`() throws {
    let known = try keyCache.known(ID(1), wrapped: wrapped, erasureID: erasureID)
    for name in ["Anna", "Anna", "Вера", "Anna"] {
      let sealed = try known.keys.seal(Array(name.utf8), as: "profiles.sealed_name", row: 0)
      for _ in 1...2 { #expect(try known.name(sealed) == name) }
      for damaged in sealed.bytes.damaged {
        #expect(throws: (any Error).self) { try known.name(Sealed(damaged)) }
      }
    }
  }

  @Test func `forgetting empties the cache, and keys can be unwrapped again`() throws {
    let keys = try keyCache.keys(of: ID(1), wrapped: wrapped, erasureID: erasureID)
    keyCache.forget()
    #expect(keyCache.count == 0)
    #expect(try opened(by: keys) == [7])
    let anew = try keyCache.keys(of: ID(1), wrapped: wrapped, erasureID: erasureID)
    #expect(try opened(by: anew) == [7])
  }

  @Test func `cached keys are not used for another erasure ID or wrapped key`() throws {
    _ = try keyCache.keys(of: ID(1), wrapped: wrapped, erasureID: erasureID)
    #expect(throws: UnsealingError.self) {
      try keyCache.keys(of: ID(1), wrapped: wrapped, erasureID: Vault.newErasureID())
    }
    for damaged in wrapped.damaged {
      #expect(throws: (any Error).self) {
        try keyCache.keys(of: ID(1), wrapped: damaged, erasureID: erasureID)
      }
    }
    let other = try vault.newPersonKey(erasureID: erasureID, on: tables.connection)
    let keys = try keyCache.keys(of: ID(1), wrapped: other, erasureID: erasureID)
    #expect(throws: UnsealingError.self) { try opened(by: keys) }
  }

  @Test func `another person with the same wrapped key cannot open the data`() throws {
    _ = try keyCache.keys(of: ID(1), wrapped: wrapped, erasureID: erasureID)
    let thief = try keyCache.keys(of: ID(2), wrapped: wrapped, erasureID: erasureID)
    #expect(throws: UnsealingError.self) { try opened(by: thief) }
  }

  @Test func `all keys are forgotten after 5 minutes`() throws {
    for number in 1...3 {
      _ = try keyCache.keys(of: ID(Int64(number)), wrapped: wrapped, erasureID: erasureID)
    }
    #expect(keyCache.count == 3)
    now += 5 * 60 * 1_000
    _ = try keyCache.keys(of: ID(9), wrapped: wrapped, erasureID: erasureID)
    #expect(keyCache.count == 1)
  }

  @Test func `the cache holds at most 256 keys`() throws {
    for number in 1...1_000 {
      _ = try keyCache.keys(of: ID(Int64(number)), wrapped: wrapped, erasureID: erasureID)
      #expect(keyCache.count <= 256)
    }
  }
}
