import Logging
import PolyclinicCore
import Synchronization

/// Writes security events to the portal's log, a line each.
///
/// A line names people by number, and an address by a keyed hash: lines of one address can be compared,
/// and only the key tells which address it is.
final class SecurityLog: Sendable {
  private let log: Logger
  private let vault: Vault
  private let allowance = Mutex(LogAllowance())

  init(_ log: Logger, _ vault: Vault) {
    self.log = log
    self.vault = vault
  }

  /// Writes the event of a request, unless too many like it were written of late.
  func write(_ event: SecurityEvent, of visit: Visit) {
    let source = Self.source(visit.wire.address, vault)
    if event.kind.isFailure {
      tellLeftOut(at: visit.now)
      guard allowance.withLock({ $0.admit(event, from: source) }) else { return }
    }
    var line = event.details.mapValues { Logger.MetadataValue.string($0) }
    line["from"] = "\(source)"
    if !event.people.isEmpty {
      line["person"] = "\(event.people.map(\.description).joined(separator: ","))"
    }
    if let author = visit.person, event.people != [author] { line["by"] = "\(author)" }
    log.log(level: event.kind.level, "\(event.kind.rawValue)", metadata: line)
  }

  /// Writes how many lines were not written in the minute before this one; asked for twice a second, so
  /// that it does not wait for the next failure.
  func tellLeftOut(at now: Instant) { tell(allowance.withLock { $0.begin(now) }) }

  /// Writes how many lines were not written in this minute; for the end of the process.
  func tellLeftOut() { tell(allowance.withLock { $0.end() }) }

  private func tell(_ leftOut: [LogAllowance.LeftOut]) {
    for one in leftOut {
      var line: Logger.Metadata = [
        "event": "\(one.category.kind.rawValue)", "count": "\(one.count)",
        "addresses": "\(one.sources)",
      ]
      if let reason = one.category.reason { line["reason"] = "\(reason)" }
      log.warning("left out", metadata: line)
    }
  }

  /// The keyed hash of an address (IPv6: of its /64): 48 bits, enough to tell addresses apart.
  static func source(_ address: String, _ vault: Vault) -> String {
    let hash = vault.lookup("log-address", Throttle.Subjects.network(of: address))
    return Array(hash.prefix(6)).hexadecimalText
  }
}

extension SecurityEvent.Kind {
  fileprivate var level: Logger.Level {
    if self == .altered { return .error }
    return isFailure ? .warning : .info
  }
}
