import Crypto
import PolyclinicCore

/// A sign-in whose password was right and whose second factor is still to come: carried by the page that asks for it,
/// sealed, so that nothing of it is stored.
struct PendingSignIn: Equatable {
  /// The longest time between the password and the code.
  static let lifetime = Seconds.minutes(10)

  let person: ID<Person>
  /// Tells whether the password has been changed since.
  let passwordMark: [UInt8]
  let until: Instant
  /// The app's secret where the second factor is set up first.
  let enrolling: OneTimePassword?

  init(_ account: Account, enrolling: OneTimePassword?, at now: Instant) {
    person = account.person
    passwordMark = Self.mark(account)
    until = now + Self.lifetime
    self.enrolling = enrolling
  }

  fileprivate init(person: ID<Person>, mark: [UInt8], until: Instant, secret: [UInt8]) {
    self.person = person
    passwordMark = mark
    self.until = until
    enrolling = secret.isEmpty ? nil : OneTimePassword(secret: secret)
  }

  /// True if the account still has the password that was right.
  func isStill(of account: Account) -> Bool { passwordMark.isSame(as: Self.mark(account)) }

  private static func mark(_ account: Account) -> [UInt8] {
    SHA256.hash(data: Array(account.password.utf8)).withUnsafeBytes(Array.init)
  }
}

/// Seals pending sign-ins, and opens them in any process of the portal.
struct PendingSignIns: Sendable {
  private static let binding = Array("pending sign-in".utf8)
  private let cipher: AESCipher

  init(_ vault: Vault) throws { cipher = try AESCipher(vault.derived("pending-sign-ins")) }

  /// The text of a hidden field.
  func seal(_ pending: PendingSignIn) throws -> String {
    var bytes = ByteWriter()
    bytes.write(pending.person)
    bytes.write(pending.until.seconds)
    bytes.write(pending.passwordMark)
    bytes.write(pending.enrolling?.secret ?? [])
    return Base64.url.text(try cipher.seal(bytes.bytes, binding: Self.binding))
  }

  /// Nil for one that has run out, and for any text that the portal has not written.
  func open(_ text: String, at now: Instant) throws -> PendingSignIn? {
    guard text.utf8.count <= 1_000, let sealed = Base64.url.decoded(text.utf8) else { return nil }
    do {
      var reader = ByteReader(try cipher.open(sealed, binding: Self.binding))
      let (person, until): (ID<Person>, Instant) = (try reader.id(), Instant(try reader.integer()))
      let pending = PendingSignIn(
        person: person, mark: Array(try reader.bytes()), until: until,
        secret: Array(try reader.bytes()))
      return now < until ? pending : nil
    } catch is UnsealingError {
      return nil
    }
  }
}
