/// Bits that go in in groups of one size and come out in groups of another, the highest first.
struct BitQueue {
  private var pending: UInt32 = 0
  /// How many bits wait.
  private(set) var count = 0

  /// What waits, as a number below two to the power of ``count``.
  var rest: UInt32 { pending & (1 << UInt32(count) - 1) }

  /// Adds the lowest bits of a value; at most 24 may wait afterwards.
  mutating func append(_ value: UInt32, bits: Int) {
    pending = pending << UInt32(bits) | value
    count += bits
  }

  /// The next bits as a number; nil when fewer wait.
  mutating func next(_ bits: Int) -> UInt32? {
    guard count >= bits else { return nil }
    count -= bits
    return pending >> UInt32(count) & (1 << UInt32(bits) - 1)
  }
}
