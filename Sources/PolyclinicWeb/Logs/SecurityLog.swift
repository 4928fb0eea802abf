import Logging
import PolyclinicCore
import PolyclinicSystem
import PolyclinicVault
import Synchronization

/// Writes security events to the portal's log, one line each.
///
/// A line contains people's numbers and a keyed hash of the IP address. Lines of one address can be
/// compared, but only the key reveals the address.
package final class SecurityLog: Sendable {
  private let log: Logger
  private let vault: Vault
  private let rateLimit = Mutex(LogRateLimit())

  package init(_ log: Logger, _ vault: Vault) {
    self.log = log
    self.vault = vault
  }

  /// Writes the event of a request, unless the limit for similar failures is reached.
  package func write(
    _ event: SecurityEvent, from client: Client, by author: ID<Person>?, at now: Instant
  ) {
    let source = Self.source(client.address, vault)
    if event.kind.isFailure {
      logOmitted(at: now)
      guard rateLimit.withLock({ $0.admit(event, from: source) }) else { return }
    }
    var line = event.details.mapValues { Logger.MetadataValue.string($0) }
    line["from"] = "\(source)"
    if !event.people.isEmpty {
      line["person"] = "\(event.people.map(\.description).joined(separator: ","))"
    }
    if let author, event.people != [author] { line["by"] = "\(author)" }
    log.log(level: event.kind.level, "\(event.kind.rawValue)", metadata: line)
  }

  /// Logs the number of lines omitted in the previous minute. It is called twice a second, so that
  /// it does not wait for the next failure.
  package func logOmitted(at now: Instant) { write(rateLimit.withLock { $0.begin(now) }) }

  /// Logs the number of lines omitted in this minute. Call it at the end of the process.
  package func logOmitted() { write(rateLimit.withLock { $0.end() }) }

  private func write(_ omitted: [LogRateLimit.OmittedLines]) {
    for one in omitted {
      var line: Logger.Metadata = [
        "event": "\(one.category.kind.rawValue)", "count": "\(one.count)",
        "addresses": "\(one.sources)",
      ]
      if let reason = one.category.reason { line["reason"] = "\(reason)" }
      log.warning("left out", metadata: line)
    }
  }

  /// Returns a keyed hash of an IP address (IPv6: of its /64). Its 48 bits are enough to
  /// distinguish addresses.
  package static func source(_ address: String, _ vault: Vault) -> String {
    let hash = vault.lookup("log-address", IPNetwork.name(of: address))
    return Array(hash.prefix(6)).hexadecimalText
  }
}

extension SecurityEvent.Kind {
  fileprivate var level: Logger.Level {
    if self == .altered { return .error }
    return isFailure ? .warning : .info
  }
}
