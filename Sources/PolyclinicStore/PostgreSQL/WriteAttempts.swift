import PolyclinicCore

/// The runs of one write, which may conflict with those of others.
///
/// At SERIALIZABLE, some conflicts have no cause in the data. Another run soon succeeds, and the
/// last one is made while nobody else writes.
struct WriteAttempts {
  /// The way in which a run meets other writers.
  enum Manner {
    /// Beside them.
    case together
    /// While none of them runs.
    case alone
    /// Beside them, each statement on its own; see ``Database/writeIndependently(_:)``.
    case independent
    /// Beside them, and given up as soon as it would wait for one.
    case ifFree
  }

  private(set) var manner: Manner
  /// The number of the run that is next, counted from 1.
  private(set) var count = 1
  private let start: Int64
  private let isUnlimited: Bool
  /// The errors after which a run has been repeated that would not be repeated again.
  private var repeated: Set<String> = []

  /// The number of runs, the last of them alone, and the time in milliseconds after which a run is
  /// the last one.
  private static let limit = (runs: 10, time: Int64(4_000))

  init(_ manner: Manner, at now: Int64, isUnlimited: Bool) {
    self.manner = manner
    start = now
    self.isUnlimited = isUnlimited
  }

  /// Returns the pause in milliseconds before the next run; nil if there is none, because the
  /// error says something about the write itself.
  ///
  /// Two errors are repeated once: a key that exists may be that of a row which the transaction
  /// could not see when it looked, and a server that only reads is no longer the primary.
  mutating func pause(after error: DatabaseError, at now: Int64) -> Int32? {
    guard manner == .together || manner == .independent else { return nil }
    let once = error.kind == .unique || error.sqlState == "25006" || error.isStalePlan
    guard error.isConflict || once && repeated.insert(error.sqlState).inserted else { return nil }
    count += 1
    let isLate = !isUnlimited && now - start >= Self.limit.time
    if count >= Self.limit.runs || isLate { manner = .alone }
    return .random(in: 1...Int32(min(2 << count, 64)))
  }
}
