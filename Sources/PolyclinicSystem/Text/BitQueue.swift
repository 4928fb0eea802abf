/// A queue of bits that are added in groups of one size and removed in groups of another, highest
/// first.
package struct BitQueue {
  private var pending: UInt32 = 0
  /// The number of bits in the queue.
  package private(set) var count = 0

  package init() {}

  /// The bits in the queue as a number below two to the power of ``count``.
  package var rest: UInt32 { pending & (1 << UInt32(count) - 1) }

  /// Adds the lowest bits of a value. The queue must not exceed 24 bits afterwards.
  package mutating func append(_ value: UInt32, bits: Int) {
    pending = pending << UInt32(bits) | value
    count += bits
  }

  /// Removes the next bits and returns them as a number; nil if the queue has fewer.
  package mutating func next(_ bits: Int) -> UInt32? {
    guard count >= bits else { return nil }
    count -= bits
    return pending >> UInt32(count) & (1 << UInt32(bits) - 1)
  }
}
