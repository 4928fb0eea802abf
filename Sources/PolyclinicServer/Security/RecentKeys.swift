import PolyclinicCore

/// The keys that one thread has unwrapped of late, so that they are not unwrapped and expanded again
/// for each page that a person looks at.
///
/// The keys are wiped with the last who holds them, and the names are let go of with them: when nothing
/// has come to the thread for a while, or at its next request some minutes later. So nobody who has
/// left or was erased stays.
final class RecentKeys {
  /// More than the people whom one thread serves in ``span``; a key takes a kilobyte.
  private static let capacity = 256
  /// In milliseconds.
  private static let span: Int64 = 5 * 60 * 1_000

  /// Somebody's keys, and the name that stands on each page.
  final class Known {
    fileprivate let wrapped: [UInt8]
    fileprivate let erasureID: [UInt8]
    let keys: Keys
    private var name: (sealed: Sealed, text: String)?
    /// The session that was found genuine last, so that only another session or other rights are looked at again.
    var trusted: Claim?

    fileprivate init(_ keys: Keys, wrapped: [UInt8], erasureID: [UInt8]) {
      self.keys = keys
      self.wrapped = wrapped
      self.erasureID = erasureID
    }

    /// What is sealed in the profile, opened anew only when something else is.
    func name(_ sealed: Sealed) throws -> String {
      if let name, name.sealed == sealed { return name.text }
      let text = try Profile.openName(sealed, by: keys)
      name = (sealed, text)
      return text
    }
  }

  /// The stored rows of a session and of the rights in it.
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
    try known(person, wrapped: wrapped, erasureID: erasureID).keys
  }

  /// The same, with what else is opened by them again and again.
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

  /// Lets go of everybody's.
  func forget() {
    known = [:]
    forgotten = uptime()
  }

  // All at once: to keep an order among them would cost each page more than this costs one of many.
  private func forgetInTime() {
    if known.count >= Self.capacity || uptime() - forgotten >= Self.span { forget() }
  }
}
