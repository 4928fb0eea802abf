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

  /// The sender of a request, and when it came.
  struct Sender {
    let client: Client
    let person: ID<Person>?
    let time: Instant
  }

  /// Writes the event of a request, unless the limit for similar failures is reached.
  func write(_ event: SecurityEvent, from sender: Sender) {
    let source = Self.source(sender.client.address, vault)
    if event.kind.isFailure {
      let category = LogRateLimit.Category(
        message: event.kind.rawValue, reason: event.details["reason"],
        isOfPerson: !event.people.isEmpty)
      guard admits(category, from: source, at: sender.time) else { return }
    }
    var line = event.details.mapValues { Logger.MetadataValue.string($0) }
    line["from"] = "\(source)"
    if !event.people.isEmpty {
      line["person"] = "\(event.people.map(\.description).joined(separator: ","))"
    }
    if let author = sender.person, event.people != [author] { line["by"] = "\(author)" }
    log.log(level: event.kind.level, "\(event.kind.rawValue)", metadata: line)
  }

  /// Writes a failed request to the worker's log, unless the limit for similar ones is reached.
  func write(_ failure: FailedRequest, to log: Logger, from sender: Sender) {
    let category = LogRateLimit.Category(
      message: failure.message, reason: failure.reason, isOfPerson: false)
    let source = Self.source(sender.client.address, vault)
    guard admits(category, from: source, at: sender.time) else { return }
    log.log(level: failure.level, "\(failure.message)", metadata: failure.details)
  }

  private func admits(
    _ category: LogRateLimit.Category, from source: String, at now: Instant
  ) -> Bool {
    logOmitted(at: now)
    return rateLimit.withLock { $0.admit(category, from: source) }
  }

  /// Logs the number of lines omitted in the previous minute. It is called twice a second, so that
  /// it does not wait for the next failure.
  package func logOmitted(at now: Instant) { write(rateLimit.withLock { $0.begin(now) }) }

  /// Logs the number of lines omitted in this minute. Call it at the end of the process.
  package func logOmitted() { write(rateLimit.withLock { $0.end() }) }

  private func write(_ omitted: [LogRateLimit.OmittedLines]) {
    for one in omitted {
      var line: Logger.Metadata = [
        "event": "\(one.category.message)", "count": "\(one.count)",
        "addresses": "\(one.sources)",
      ]
      if let reason = one.category.reason { line["reason"] = "\(reason)" }
      log.warning("left out", metadata: line)
    }
  }

  /// Returns a keyed hash of an IP address (IPv6: of its /64). Its 48 bits are enough to
  /// distinguish addresses.
  package static func source(_ address: String, _ vault: Vault) -> String {
    let hash = vault.lookup("log-address", IPNetwork(of: address).name)
    return Array(hash.prefix(6)).hexadecimalText
  }
}

/// A request that failed, for the worker's log. Clients choose how many there are, at least while
/// the database cannot be written.
package struct FailedRequest: Sendable {
  let message: String
  let level: Logger.Level
  let details: Logger.Metadata

  package init(_ message: String, _ details: Logger.Metadata, level: Logger.Level = .error) {
    self.message = message
    self.level = level
    self.details = details
  }

  /// The detail that tells different failures with the same message apart.
  var reason: String? {
    ["reason", "kind", "type"].lazy.compactMap { self.details[$0] }.first.map { "\($0)" }
  }
}

extension SecurityEvent.Kind {
  fileprivate var level: Logger.Level {
    if self == .altered { return .error }
    return isFailure ? .warning : .info
  }
}
