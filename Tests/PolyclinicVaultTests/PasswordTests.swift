import Testing

@testable import PolyclinicVault

@Suite struct PasswordTests {
  /// Low costs, so that the tests are fast.
  static let cheap = Argon2id(memory: 64, passes: 1, lanes: 1)
  let passwords = Passwords(cost: Self.cheap)

  @Test func `only the right password is verified`() throws {
    let stored = try passwords.hash("correct horse")
    #expect(try passwords.verify("correct horse", against: stored))
    #expect(try !passwords.verify("correct horsf", against: stored))
    #expect(try !passwords.verify("correct horse ", against: stored))
    #expect(try !passwords.verify("", against: stored))
  }

  @Test func `two hashes of the same password differ`() throws {
    #expect(try passwords.hash("correct horse") != passwords.hash("correct horse"))
  }

  @Test func `the default costs are those that OWASP recommends`() throws {
    let stored = try Passwords().hash("correct horse")
    #expect(stored.hasPrefix("$argon2id$v=19$m=19456,t=2,p=1$"))
    let parsed = try #require(PasswordHash(stored))
    #expect(parsed.salt.count == 16)
    #expect(parsed.tag.count == 32)
    #expect(try Passwords().verify("correct horse", against: stored))
  }

  @Test func `a hash from the reference implementation's tests is verified`() throws {
    // phc-winner-argon2, src/test.c
    let stored =
      "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4"
    #expect(try passwords.verify("password", against: stored))
    #expect(try !passwords.verify("passwore", against: stored))
  }

  @Test func `compatible Unicode spellings of a password match`() throws {
    let stored = try passwords.hash("Zoe\u{308} ﬁnds ２ é")
    #expect(try passwords.verify("Zo\u{eb} finds 2 e\u{301}", against: stored))
  }

  @Test func `a password of 1 KiB is hashed whole, and a longer one is refused`() throws {
    let longest = String(repeating: "b", count: 1_023)
    let stored = try passwords.hash(longest + "c")
    #expect(try passwords.verify(longest + "c", against: stored))
    #expect(try !passwords.verify(longest + "d", against: stored))
    #expect(try !passwords.verify(longest + "cc", against: stored))
    #expect(throws: PasswordTooLong.self) { try passwords.hash(longest + "cc") }
  }

  @Test func `a NUL does not end a password`() throws {
    let stored = try passwords.hash("before\0after")
    #expect(try !passwords.verify("before", against: stored))
    #expect(try passwords.verify("before\0after", against: stored))
  }

  @Test(arguments: [
    "", "plain", "$argon2i$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu",
    "$argon2id$v=16$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu",
    "$argon2id$v=19$m=4194304,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu",
    "$argon2id$v=19$m=256,t=4000000000,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu",
    "$argon2id$v=19$m=-256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu",
    "$argon2id$v=19$m=256,t=2,p=1$$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu",
    "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$", "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ",
    "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu$",
  ])
  func `a malformed or too costly hash is refused and needs a rehash`(stored: String) {
    #expect(throws: MalformedHash.self) { try passwords.verify("password", against: stored) }
    #expect(passwords.needsRehash(stored))
  }

  @Test func `only a hash with other costs needs a rehash`() throws {
    let stored = try passwords.hash("correct horse")
    #expect(!passwords.needsRehash(stored))
    #expect(Passwords().needsRehash(stored))
  }
}
