import Synchronization

/// Limits the threads of this process that one session or one address can occupy with long
/// requests.
///
/// Short requests do not count, because all people of a clinic share one address. Hundreds of their
/// short requests a second occupy only a thread or two.
package final class ThreadLimiter: Sendable {
  /// The client of a request: its network and session.
  package struct Client {
    package let network: Int
    /// Nil for a browser without a session.
    package let session: Int?

    /// Creates a client from the network of its address and its session's token.
    package init(network: String, session: String?) {
      self.network = network.hashValue
      self.session = session?.hashValue
    }
  }

  private struct Entry {
    let client: Client
    let since: Int64
  }

  /// The duration in milliseconds above which a request is long.
  static let brief: Int64 = 1_000

  private let threads: Int
  private let entries: Mutex<[Entry?]>

  /// `threads` is the number of regular threads; there may be one more, in reserve.
  package init(threads: Int) {
    self.threads = threads
    entries = Mutex(Array(repeating: nil, count: threads + 1))
  }

  /// Takes a place, to be released with ``leave(_:)``. Returns nil if long requests of this session
  /// occupy half of the threads, or those of this network all but one.
  ///
  /// `now` is ``Uptime`` in milliseconds.
  package func enter(_ client: Client, at now: Int64) -> Int? {
    entries.withLock { entries in
      var (ofSession, fromNetwork) = (0, 0)
      for entry in entries {
        guard let entry, now - entry.since > Self.brief else { continue }
        if entry.client.network == client.network { fromNetwork += 1 }
        if client.session != nil, entry.client.session == client.session { ofSession += 1 }
      }
      guard ofSession < max(1, threads / 2), fromNetwork < max(1, threads - 1) else { return nil }
      let place = entries.firstIndex { $0 == nil }
      if let place { entries[place] = Entry(client: client, since: now) }
      return place
    }
  }

  package func leave(_ place: Int) {
    entries.withLock { $0[place] = nil }
  }
}
