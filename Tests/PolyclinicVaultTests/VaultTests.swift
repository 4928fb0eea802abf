import PolyclinicCore
import PolyclinicTestSupport
import Testing

@testable import PolyclinicVault

@Suite struct VaultTests {
  let ring = KeyRing.test()
  let tables = FakeTables()
  let vault: Vault
  let anna: Keys
  let secret = Array("Hypertension".utf8)

  init() throws {
    vault = try Vault.establish(ring: ring, on: tables.connection)
    anna = try Self.person(1, vault, on: tables.connection)
  }

  private static func person(
    _ number: Int64, _ vault: Vault, on connection: Connection
  ) throws -> Keys {
    let erasureID = Vault.newErasureID()
    let wrapped = try vault.newPersonKey(erasureID: erasureID, on: connection)
    return try vault.keys(of: ID(number), wrapped: wrapped, erasureID: erasureID)
  }

  @Test(arguments: [0, 1, 15, 16, 17, 8_192])
  func `sealed bytes open to the original bytes`(count: Int) throws {
    let plain: [UInt8] = .random(count)
    let sealed = try anna.seal(plain, as: "notes.sealed", row: 7)
    #expect(sealed.bytes.count == 29 + count)
    #expect(try anna.open(sealed, as: "notes.sealed", row: 7) == plain)
  }

  @Test func `sealing the same text twice gives different bytes`() throws {
    let one = try anna.seal(secret, as: "notes.sealed", row: 7)
    let other = try anna.seal(secret, as: "notes.sealed", row: 7)
    #expect(one != other)
  }

  @Test func `sealed bytes do not open for another row, column or person`() throws {
    let sealed = try anna.seal(secret, as: "notes.sealed", row: 7)
    let boris = try Self.person(2, vault, on: tables.connection)
    #expect(throws: UnsealingError.self) { try anna.open(sealed, as: "notes.sealed", row: 8) }
    #expect(throws: UnsealingError.self) { try anna.open(sealed, as: "note.sealed", row: 7) }
    #expect(throws: UnsealingError.self) { try boris.open(sealed, as: "notes.sealed", row: 7) }
  }

  @Test func `all people share the portal's keys, which survive a new master key`() throws {
    let sealed = try vault.portalKeys.seal(secret, as: "notes.sealed", row: 7)
    let reopened = try Vault.open(ring: .test(older: [ring.newest]), on: tables.connection)
    let boris = try Self.person(2, reopened, on: tables.connection)
    for keys in [anna.portal, boris.portal, vault.portalKeys.portal, reopened.portalKeys] {
      #expect(try keys.open(sealed, as: "notes.sealed", row: 7) == secret)
      #expect(throws: UnsealingError.self) { try keys.open(sealed, as: "notes.sealed", row: 8) }
    }
    #expect(throws: UnsealingError.self) { try anna.open(sealed, as: "notes.sealed", row: 7) }
  }

  @Test func `sealed bytes with any changed or missing byte do not open`() throws {
    let sealed = try anna.seal(secret, as: "notes.sealed", row: 7)
    for damaged in sealed.bytes.damaged {
      #expect(throws: UnsealingError.self) {
        try anna.open(Sealed(damaged), as: "notes.sealed", row: 7)
      }
    }
  }

  @Test func `a wrapped key opens nothing for another person or erasure id`() throws {
    let erasureID = Vault.newErasureID()
    let wrapped = try vault.newPersonKey(erasureID: erasureID, on: tables.connection)
    let owner = try vault.keys(of: ID(3), wrapped: wrapped, erasureID: erasureID)
    let thief = try vault.keys(of: ID(4), wrapped: wrapped, erasureID: erasureID)
    let sealed = try owner.seal(secret, as: "notes.sealed", row: 7)
    #expect(throws: UnsealingError.self) { try thief.open(sealed, as: "notes.sealed", row: 7) }
    #expect(throws: UnsealingError.self) {
      try vault.keys(of: ID(3), wrapped: wrapped, erasureID: Vault.newErasureID())
    }
  }

  @Test func `a wrapped key with any changed or missing byte is rejected`() throws {
    let erasureID = Vault.newErasureID()
    let wrapped = try vault.newPersonKey(erasureID: erasureID, on: tables.connection)
    for damaged in wrapped.damaged {
      #expect(throws: (any Error).self) {
        try vault.keys(of: ID(1), wrapped: damaged, erasureID: erasureID)
      }
    }
  }

  @Test func `an older master key still unwraps, and a missing one is named`() throws {
    let key = vault.derived("test")
    let wrapped = try ring.wrap(key, binding: [1])
    let rotated = KeyRing.test(older: [ring.newest])
    #expect(try rotated.unwrap(wrapped, binding: [1]) == key)
    #expect(throws: UnsealingError.self) { try rotated.unwrap(wrapped, binding: [2]) }
    let id = ring.newest.id
    let error = #expect(throws: VaultError.self) {
      try KeyRing.test().unwrap(wrapped, binding: [1])
    }
    #expect(error == .unknownMasterKey(id, path: ring.path))
    #expect(error?.description.contains("\(id)") == true)
  }

  @Test func `a look-up hash depends on purpose, text and installation only`() throws {
    #expect(vault.lookup("login", "anna") == vault.lookup("login", "anna"))
    #expect(vault.lookup("login", "anna") != vault.lookup("email", "anna"))
    #expect(vault.lookup("login", "anna") != vault.lookup("login", "anne"))
    #expect(vault.lookup("login", "").count == 32)
    let another = try Vault.establish(ring: ring, on: FakeTables().connection)
    #expect(vault.lookup("login", "anna") != another.lookup("login", "anna"))
  }

  @Test func `derived keys differ by purpose`() {
    #expect(vault.derived("one") == vault.derived("one"))
    #expect(vault.derived("one") != vault.derived("two"))
  }
}

@Suite struct VaultOpeningTests {
  let ring = KeyRing.test()
  let tables = FakeTables()

  @Test func `an established vault opens with the same keys`() throws {
    let made = try Vault.establish(ring: ring, on: tables.connection)
    let opened = try Vault.open(ring: ring, on: tables.connection)
    #expect(opened.installation == made.installation)
    #expect(opened.lookup("login", "anna") == made.lookup("login", "anna"))
    #expect(opened.derived("one") == made.derived("one"))
  }

  @Test func `a vault opens with a key ring that has a newer key`() throws {
    let made = try Vault.establish(ring: ring, on: tables.connection)
    let opened = try Vault.open(ring: .test(older: [ring.newest]), on: tables.connection)
    #expect(opened.installation == made.installation)
    #expect(opened.lookup("login", "anna") == made.lookup("login", "anna"))
    let erasureID = Vault.newErasureID()
    let wrapped = try made.newPersonKey(erasureID: erasureID, on: tables.connection)
    let sealed = try made.keys(of: ID(1), wrapped: wrapped, erasureID: erasureID)
      .seal([1, 2, 3], as: "test.sealed", row: 1)
    let keys = try opened.keys(of: ID(1), wrapped: wrapped, erasureID: erasureID)
    #expect(try keys.open(sealed, as: "test.sealed", row: 1) == [1, 2, 3])
  }

  @Test func `a second installation in one database is refused`() throws {
    _ = try Vault.establish(ring: ring, on: tables.connection)
    #expect(throws: DatabaseError.self) {
      try Vault.establish(ring: ring, on: tables.connection)
    }
  }

  @Test func `the error for another key file names the missing key`() throws {
    _ = try Vault.establish(ring: ring, on: tables.connection)
    let error = #expect(throws: VaultError.self) {
      try Vault.open(ring: .test(), on: tables.connection)
    }
    #expect(error == .unknownMasterKey(ring.newest.id, path: ring.path))
    #expect(error?.description.contains("is not the one this database was made with") == true)
  }

  @Test func `another key with the same id is refused as the wrong master key`() throws {
    _ = try Vault.establish(ring: ring, on: tables.connection)
    let other = KeyRing.Key.random(created: .test)
    let impostor = KeyRing(
      newest: .init(id: ring.newest.id, created: other.created, secret: other.secret), older: [],
      path: ring.path)
    #expect(throws: VaultError.wrongMasterKey(ring.newest.id, path: ring.path)) {
      try Vault.open(ring: impostor, on: tables.connection)
    }
  }

  @Test func `a database with a missing or partial installation is refused`() throws {
    #expect(throws: VaultError.notEstablished) {
      try Vault.open(ring: ring, on: tables.connection)
    }
    _ = try Vault.establish(ring: ring, on: tables.connection)
    let whole = tables.installation
    for name in whole.keys {
      tables.installation = whole.filter { $0.key != name }
      #expect(throws: VaultError.notEstablished) {
        try Vault.open(ring: ring, on: tables.connection)
      }
    }
  }

  @Test func `an installation record with any changed byte is rejected`() throws {
    _ = try Vault.establish(ring: ring, on: tables.connection)
    let whole = tables.installation
    for (name, value) in whole {
      for damaged in value.damaged {
        tables.installation[name] = damaged
        #expect(throws: VaultError.self) { try Vault.open(ring: ring, on: tables.connection) }
      }
      tables.installation[name] = value
    }
  }
}
