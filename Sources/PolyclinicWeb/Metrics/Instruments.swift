import PolyclinicCore
import PolyclinicServing
import PolyclinicStore

/// The counters and the state of one process.
package struct Instruments: Sendable {
  package let counters: Counters
  /// The shard of this process.
  package let shard: CounterShard
  /// The health of the database writes of this process.
  package let writeHealth = WriteHealth()

  package init(_ counters: Counters, _ shard: CounterShard) {
    self.counters = counters
    self.shard = shard
  }
}

/// Measures how long writers wait for the write queue, and how often they run again.
package struct WriteWaits: DatabaseObserver {
  package static let name = "write wait"

  private let shard: CounterShard
  private let row: Int

  package init(_ counters: Counters, _ shard: CounterShard) {
    self.shard = shard
    row = counters.row(Self.name)
  }

  package func writerWaited(nanoseconds: UInt64) {
    shard.count(nanoseconds, asClass: 0, in: row)
  }

  /// The column of each row that counts second runs, and the one that counts later runs.
  package static let repeats = (second: 1, later: 2)

  package func writeRepeats(run: Int) {
    shard.add(1, to: run == 2 ? Self.repeats.second : Self.repeats.later, of: row)
  }
}
