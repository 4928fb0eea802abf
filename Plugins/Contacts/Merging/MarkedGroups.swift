/// The entries of an address book, grouped by the keys that they share.
struct MarkedGroups {
  /// The hash of a key and the position of an entry in the list. It is small, because there may be
  /// a hundred thousand.
  struct Marked {
    let mark: Int
    let place: Int32
  }

  /// The positions of all entries, group by group, each in the order of the list.
  private let places: [Int32]
  /// The range of each group in ``places``, by the hash of its key.
  private let groups: [Int: Range<Int>]

  /// The most contacts with one number or address that count as likely duplicates. A larger group
  /// shares a household, a practice or a switchboard, which does not identify a person.
  static let largest = 8

  init(_ marks: [Marked]) {
    let sorted = marks.sorted { ($0.mark, $0.place) < ($1.mark, $1.place) }
    var groups: [Int: Range<Int>] = [:]
    var start = 0
    for index in sorted.indices {
      let next = index + 1
      if next < sorted.count, sorted[next].mark == sorted[index].mark { continue }
      if next - start > 1 { groups[sorted[index].mark] = start..<next }
      start = next
    }
    places = sorted.map(\.place)
    self.groups = groups
  }

  /// Returns the positions of the entries to compare with an entry because of a key:
  /// - in a small group, all others;
  /// - in a large group of one name, its neighbours in the list;
  /// - in any other large group, none.
  func others(beside place: Int32, sharing mark: ContactMark) -> [Int32] {
    guard let group = groups[mark.hashValue] else { return [] }
    if group.count <= Self.largest { return places[group].filter { $0 != place } }
    guard mark.kind == .name, let own = index(of: place, in: group) else { return [] }
    return [own - 1, own + 1].filter(group.contains).map { places[$0] }
  }

  private func index(of place: Int32, in group: Range<Int>) -> Int? {
    var (low, high) = (group.lowerBound, group.upperBound)
    while low < high {
      let middle = (low + high) / 2
      if places[middle] < place { low = middle + 1 } else { high = middle }
    }
    return low < group.upperBound && places[low] == place ? low : nil
  }
}
