import PolyclinicCore

/// The keys that one thread has unwrapped of late, so that they are not unwrapped and expanded again
/// for each page that a person looks at.
///
/// They are wiped with the last who holds them: at the latest when the thread has its next request
/// some minutes later, so that who has left or was erased does not stay.
final class RecentKeys {
  /// More than the people whom one thread serves in ``span``; a key takes a kilobyte.
  private static let capacity = 256
  /// In milliseconds.
  private static let span: Int64 = 5 * 60 * 1_000

  private struct Known {
    let wrapped: [UInt8]
    let erasureID: [UInt8]
    let keys: Keys
  }

  private let vault: Vault
  private let uptime: () -> Int64
  private var known: [ID<Person>: Known] = [:]
  private var forgotten: Int64

  /// `uptime` is a clock that nobody sets, in milliseconds.
  init(_ vault: Vault, uptime: @escaping () -> Int64 = { Uptime.milliseconds }) {
    self.vault = vault
    self.uptime = uptime
    forgotten = uptime()
  }

  /// How many people's it holds.
  var count: Int { known.count }

  /// As ``Vault/keys(of:wrapped:erasureID:)``.
  func keys(of person: ID<Person>, wrapped: [UInt8], erasureID: [UInt8]) throws -> Keys {
    forgetInTime()
    if let known = known[person], known.wrapped == wrapped, known.erasureID == erasureID {
      return known.keys
    }
    let keys = try vault.keys(of: person, wrapped: wrapped, erasureID: erasureID)
    known[person] = Known(wrapped: wrapped, erasureID: erasureID, keys: keys)
    return keys
  }

  // All at once: to keep an order among them would cost each page more than this costs one of many.
  private func forgetInTime() {
    let now = uptime()
    guard known.count >= Self.capacity || now - forgotten >= Self.span else { return }
    known = [:]
    forgotten = now
  }
}
