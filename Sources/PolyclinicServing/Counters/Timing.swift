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
