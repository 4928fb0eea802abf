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
      let (isAllowed, leftOut) = allowance.withLock {
        $0.admit(event.kind, from: source, at: visit.now)
      }
      for (kind, count) in leftOut {
        log.warning("left out", metadata: ["event": "\(kind.rawValue)", "count": "\(count)"])
      }
      guard isAllowed else { return }
    }
    var line = event.details.mapValues { Logger.MetadataValue.string($0) }
    line["from"] = "\(source)"
    if !event.people.isEmpty {
      line["person"] = "\(event.people.map(\.description).joined(separator: ","))"
    }
    if let author = visit.person, event.people != [author] { line["by"] = "\(author)" }
    log.log(level: event.kind.level, "\(event.kind.rawValue)", metadata: line)
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

/// Bounds how much of the disk failures can fill: beyond so many lines of one kind a minute, they are
/// counted, and the next minute's first line tells how many.
struct LogAllowance {
  static let perSource = 30
  static let perKind = 120

  private var minute: Int64 = 0
  private var written: [SecurityEvent.Kind: Int] = [:]
  private var writtenOfSource: [String: Int] = [:]
  private var leftOut: [SecurityEvent.Kind: Int] = [:]

  /// True if a line is to be written, and how many were not in a minute that is over.
  mutating func admit(
    _ kind: SecurityEvent.Kind, from source: String, at now: Instant
  ) -> (isAllowed: Bool, leftOut: [SecurityEvent.Kind: Int]) {
    var over: [SecurityEvent.Kind: Int] = [:]
    if now.seconds / 60 != minute {
      over = leftOut
      self = LogAllowance()
      minute = now.seconds / 60
    }
    let key = "\(kind.rawValue) \(source)"
    guard written[kind, default: 0] < Self.perKind,
      writtenOfSource[key, default: 0] < Self.perSource
    else {
      leftOut[kind, default: 0] += 1
      return (false, over)
    }
    written[kind, default: 0] += 1
    writtenOfSource[key, default: 0] += 1
    return (true, over)
  }
}
