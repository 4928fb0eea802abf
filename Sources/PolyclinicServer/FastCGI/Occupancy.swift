import Synchronization

/// Who is at which thread of this process, so that no one person and no one address holds them all.
///
/// Only what takes long counts: a clinic's people share one address, and hundreds of their short
/// requests a second hold a thread or two.
final class Occupancy: Sendable {
  /// Whoever asks, as far as it matters here.
  struct Guest {
    let address: Int
    /// Nil for a browser that nobody signed in by.
    let session: Int?

    init(address: String, cookies: String) {
      self.address = Throttle.Subjects.network(of: address).hashValue
      session = Cookies.value(Cookies.session, in: cookies)?.hashValue
    }
  }

  private struct Stay {
    let guest: Guest
    let since: Int64
  }

  /// What takes longer, in milliseconds, is long.
  static let brief: Int64 = 1_000

  private let threads: Int
  private let stays: Mutex<[Stay?]>

  /// `threads` are those that serve everybody; there may be one more, in reserve.
  init(threads: Int) {
    self.threads = threads
    stays = Mutex(Array(repeating: nil, count: threads + 1))
  }

  /// A place, to be left with ``leave(_:)``; nil while long requests of this session are at half of the
  /// threads, or those of this address at all but one. Times are ``Uptime`` in milliseconds.
  func enter(_ guest: Guest, at now: Int64) -> Int? {
    stays.withLock { stays in
      var (ofSession, fromAddress) = (0, 0)
      for stay in stays {
        guard let stay, now - stay.since > Self.brief else { continue }
        if stay.guest.address == guest.address { fromAddress += 1 }
        if guest.session != nil, stay.guest.session == guest.session { ofSession += 1 }
      }
      guard ofSession < max(1, threads / 2), fromAddress < max(1, threads - 1) else { return nil }
      let place = stays.firstIndex { $0 == nil }
      if let place { stays[place] = Stay(guest: guest, since: now) }
      return place
    }
  }

  func leave(_ place: Int) {
    stays.withLock { $0[place] = nil }
  }
}
