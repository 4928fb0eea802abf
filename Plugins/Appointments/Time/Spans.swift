/// An ordered set of ranges that neither overlap nor touch.
struct Spans<Bound: Comparable & Sendable>: Sendable, Equatable {
  private(set) var ranges: [Range<Bound>] = []

  init() {}

  /// Adds a range, and merges it with all ranges that it overlaps or touches.
  mutating func insert(_ range: Range<Bound>) {
    guard !range.isEmpty else { return }
    var lower = range.lowerBound
    var upper = range.upperBound
    ranges.removeAll { other in
      guard other.lowerBound <= upper, lower <= other.upperBound else { return false }
      lower = min(lower, other.lowerBound)
      upper = max(upper, other.upperBound)
      return true
    }
    ranges.insert(lower..<upper, at: ranges.firstIndex { $0.lowerBound > upper } ?? ranges.count)
  }

  /// Removes a range. A stored range that extends beyond both of its ends is split in two.
  mutating func remove(_ range: Range<Bound>) {
    guard !range.isEmpty else { return }
    var rest: [Range<Bound>] = []
    for other in ranges {
      let before = other.clamped(to: other.lowerBound..<max(other.lowerBound, range.lowerBound))
      let after = other.clamped(to: min(other.upperBound, range.upperBound)..<other.upperBound)
      if !before.isEmpty { rest.append(before) }
      if !after.isEmpty { rest.append(after) }
    }
    ranges = rest
  }
}
