import PolyclinicCore
import PolyclinicSystem
import PolyclinicVault

/// A cache of the keys that one thread has unwrapped recently, so that pages of the same person
/// need not unwrap and expand them again.
///
/// The cache is cleared when the thread has been idle for a while, or at its next request after
/// some minutes. So it does not keep users who left or were erased. A key is wiped when its last
/// reference is released.
package final class KeyCache {
  /// The cache's size: more than the people that one thread serves within ``span``. A key takes a
  /// kilobyte.
  private static let capacity = 256
  /// The time until the cache is cleared, in milliseconds.
  private static let span: Int64 = 5 * 60 * 1_000

  /// A person's keys, and the name that each page shows.
  final class Known {
    fileprivate let wrapped: [UInt8]
    fileprivate let erasureID: [UInt8]
    let keys: Keys
    private var name: (sealed: Sealed, text: String)?
    /// The session that was verified last. Only another session or other rights need a new check.
    var trusted: Claim?

    fileprivate init(_ keys: Keys, wrapped: [UInt8], erasureID: [UInt8]) {
      self.keys = keys
      self.wrapped = wrapped
      self.erasureID = erasureID
    }

    /// Returns the name in the profile. It is decrypted again only if the sealed value has changed.
    func name(_ sealed: Sealed) throws -> String {
      if let name, name.sealed == sealed { return name.text }
      let text = try Profile.openName(sealed, by: keys)
      name = (sealed, text)
      return text
    }
  }

  /// The stored rows of a session and of its rights.
  struct Claim: Equatable {
    let token: [UInt8]
    let device: Sealed
    let roles: String
    let seal: [UInt8]
  }

  let vault: Vault
  private let uptime: () -> Int64
  private var known: [ID<Person>: Known] = [:]
  private var forgotten: Int64

  /// `uptime` is a monotonic clock in milliseconds.
  init(_ vault: Vault, uptime: @escaping () -> Int64 = { Uptime.milliseconds }) {
    self.vault = vault
    self.uptime = uptime
    forgotten = uptime()
  }

  /// The number of people in the cache.
  var count: Int { known.count }

  /// Returns a person's keys, like ``Vault/keys(of:wrapped:erasureID:)``.
  func keys(of person: ID<Person>, wrapped: [UInt8], erasureID: [UInt8]) throws -> Keys {
    try known(person, wrapped: wrapped, erasureID: erasureID).keys
  }

  /// Returns a person's keys with the cached values that they decrypt.
  func known(_ person: ID<Person>, wrapped: [UInt8], erasureID: [UInt8]) throws -> Known {
    forgetInTime()
    if let known = known[person], known.wrapped == wrapped, known.erasureID == erasureID {
      return known
    }
    let keys = try vault.keys(of: person, wrapped: wrapped, erasureID: erasureID)
    let known = Known(keys, wrapped: wrapped, erasureID: erasureID)
    self.known[person] = known
    return known
  }

  /// Clears the cache.
  func forget() {
    known = [:]
    forgotten = uptime()
  }

  // Clears all entries at once, because keeping them in order would cost each page more.
  private func forgetInTime() {
    if known.count >= Self.capacity || uptime() - forgotten >= Self.span { forget() }
  }
}
