/// The rings of an area that OpenStreetMap stores as several ways.
enum RingAssembly {
  /// Returns rings of nodes: ways with a common end are joined, in either direction. Ways that
  /// close no ring stay as they are.
  static func rings(of ways: [[Int64]]) -> [[Int64]] {
    var free = ways.map { $0.count >= 2 ? $0 : [] }
    var byEnd: [Int64: [Int]] = [:]
    for (index, way) in free.enumerated() {
      guard let first = way.first, let last = way.last else { continue }
      byEnd[first, default: []].append(index)
      byEnd[last, default: []].append(index)
    }
    var rings: [[Int64]] = []
    for index in free.indices where !free[index].isEmpty {
      var ring = free[index]
      free[index] = []
      while let last = ring.last, last != ring.first, let next = take(at: last, of: &free, &byEnd) {
        ring += (next.first == last ? next : next.reversed()).dropFirst()
      }
      rings.append(ring)
    }
    return rings
  }

  /// Removes and returns a way that ends at this node. Each index is looked at once, so that
  /// thousands of ways at one node take linear time.
  private static func take(
    at node: Int64, of free: inout [[Int64]], _ byEnd: inout [Int64: [Int]]
  ) -> [Int64]? {
    while let index = byEnd[node]?.popLast() {
      let way = free[index]
      if way.isEmpty { continue }
      free[index] = []
      return way
    }
    return nil
  }
}
