import PolyclinicCore

/// Two contacts, the older first.
struct ContactPair: Hashable, Sendable {
  let one: ID<Contact>
  let other: ID<Contact>

  /// Nil for one and the same.
  init?(_ one: ID<Contact>, _ other: ID<Contact>) {
    if one == other { return nil }
    self.one = min(one, other)
    self.other = max(one, other)
  }
}

/// Contacts of one address book that may stand for one person, found in what its list reads.
struct LikelyDuplicates {
  /// Two that have a name, a number or an address in common.
  struct Likely: Sendable {
    let pair: ContactPair
    /// What they are called.
    let names: (one: SearchText, other: SearchText)
    var marks: Set<ContactMark>
  }

  /// In the order of the list.
  let all: [Likely]

  /// The most of one name or number of which each is compared with each; of more, neighbours are.
  private static let largestGroup = 8

  /// All pairs but those that somebody has said are two contacts.
  init(
    by keys: Keys, on connection: Connection, except dismissed: Set<ContactPair> = []
  ) throws {
    var entries: [Contact.Entry] = []
    var groups: [ContactMark: [Int]] = [:]
    try Contact.index.forEach(by: keys, on: connection) { entry in
      for mark in Set(entry.marks) { groups[mark, default: []].append(entries.count) }
      entries.append(entry)
    }
    var likely: [ContactPair: Likely] = [:]
    for (mark, group) in groups where group.count > 1 {
      for (first, second) in Self.pairs(of: group) {
        let (first, second) = (entries[first], entries[second])
        guard let pair = ContactPair(first.id, second.id), !dismissed.contains(pair) else {
          continue
        }
        let isInOrder = first.id == pair.one
        let names = (one: first.name, other: second.name)
        likely[
          pair,
          default: Likely(
            pair: pair, names: isInOrder ? names : (names.other, names.one), marks: [])
        ].marks.insert(mark)
      }
    }
    all = likely.values.sorted {
      ($0.names.one, $0.pair.one, $0.pair.other) < ($1.names.one, $1.pair.one, $1.pair.other)
    }
  }

  private static func pairs(of group: [Int]) -> [(Int, Int)] {
    if group.count > largestGroup { return Array(zip(group, group.dropFirst())) }
    return group.indices.flatMap { first in
      group[(first + 1)...].map { (group[first], $0) }
    }
  }
}
