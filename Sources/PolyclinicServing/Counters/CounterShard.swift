import Glibc
import Synchronization

/// The counters of one process: rows of sixteen words in memory that all processes map.
///
/// Adding takes no lock and costs some nanoseconds. The memory stays mapped until the process ends,
/// so that a shard needs no owner that keeps it alive.
package struct CounterShard: @unchecked Sendable {
  /// Two cache lines, so that concurrent updates of different rows share none.
  static let wordsOfRow = 16
  package static let rows = 512
  /// The first row describes the process itself (``Fact``).
  package static let words = (rows + 1) * wordsOfRow

  /// The words of the first row.
  package enum Fact: Int {
    /// The id of the owning process; zero for a free shard.
    case owner
    case threads
    /// The number of busy threads at the last check.
    case busy
    /// In the first shard: the revision of the modules' switches before the processes started.
    case switches
  }

  private let start: UnsafeMutablePointer<Atomic<UInt64>>

  package init(at place: UnsafeMutableRawPointer) {
    start = place.assumingMemoryBound(to: Atomic<UInt64>.self)
  }

  package func add(_ amount: UInt64, to word: Int, of row: Int) {
    start[(row + 1) &* Self.wordsOfRow &+ word].wrappingAdd(amount, ordering: .relaxed)
  }

  package func store(_ value: UInt64, in word: Int, of row: Int) {
    start[(row + 1) * Self.wordsOfRow + word].store(value, ordering: .relaxed)
  }

  package func load(_ word: Int, of row: Int) -> UInt64 {
    start[(row + 1) * Self.wordsOfRow + word].load(ordering: .relaxed)
  }

  package subscript(fact: Fact) -> UInt64 { start[fact.rawValue].load(ordering: .relaxed) }

  package func note(_ fact: Fact, _ value: Int) {
    start[fact.rawValue].store(UInt64(max(value, 0)), ordering: .relaxed)
  }

  /// Takes the shard, unless a live process owns it.
  package func claim(for process: pid_t) -> Bool {
    let owner = self[.owner]
    if owner != 0, kill(pid_t(owner), 0) == 0 || errno != ESRCH { return false }
    return start[Fact.owner.rawValue].compareExchange(
      expected: owner, desired: UInt64(process), ordering: .acquiringAndReleasing
    ).exchanged
  }
}

extension CounterShard {
  /// The layout of a row that measures durations.
  package enum Timing {
    /// Status classes from 2xx to 5xx. Waits have no status and use the first.
    package static let classes = 4
    package static let sum = 4
    /// The first histogram bucket. The last bucket has no upper bound.
    package static let buckets = 5
    /// The upper bounds of the buckets, in nanoseconds. The portal promises a page within one
    /// second and saving within two.
    package static let bounds: [UInt64] = [
      250_000, 500_000, 1_000_000, 2_500_000, 10_000_000, 50_000_000, 100_000_000, 500_000_000,
      1_000_000_000, 2_000_000_000,
    ]
  }

  /// Adds a duration in nanoseconds to a row.
  package func count(_ span: UInt64, asClass column: Int, in row: Int) {
    var bucket = 0
    for bound in Timing.bounds where span > bound { bucket += 1 }
    add(1, to: column, of: row)
    add(span, to: Timing.sum, of: row)
    add(1, to: Timing.buckets + bucket, of: row)
  }
}
