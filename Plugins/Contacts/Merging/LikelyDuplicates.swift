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
///
/// Looking takes memory and time in proportion to the marks of all contacts, and never makes more pairs
/// than are asked for: contacts that share fifty numbers with one another would make millions.
struct LikelyDuplicates {
  /// Two that have a name, a number or an address in common.
  struct Likely: Sendable {
    let pair: ContactPair
    /// What they are called.
    let names: (one: SearchText, other: SearchText)
    let kinds: Set<ContactMark.Kind>
  }

  /// The first pairs, in the order of the list.
  private(set) var pairs: [Likely] = []
  /// True if there are more pairs than were asked for.
  private(set) var isCutOff = false

  /// Finds at most `limit` pairs, without those that somebody has said are two contacts.
  init(
    by keys: Keys, on connection: Connection, except dismissed: Set<ContactPair> = [],
    limit: Int
  ) throws {
    var entries: [Contact.Entry] = []
    var marks: [MarkedGroups.Marked] = []
    try Contact.index.forEach(by: keys, on: connection) { entry in
      let place = Int32(entries.count)
      for mark in Set(entry.marks) { marks.append(.init(mark: mark.hashValue, place: place)) }
      entries.append(entry)
    }
    let groups = MarkedGroups(marks)
    // Each pair is found from its older contact.
    for place in entries.indices {
      for likely in Self.pairs(of: place, in: entries, groups)
      where !dismissed.contains(likely.pair) {
        isCutOff = pairs.count == limit
        if isCutOff { return }
        pairs.append(likely)
      }
    }
  }

  /// The pairs of one contact with younger ones, the oldest first.
  private static func pairs(
    of place: Int, in entries: [Contact.Entry], _ groups: MarkedGroups
  ) -> [Likely] {
    let own = entries[place]
    var kinds: [Int32: Set<ContactMark.Kind>] = [:]
    for mark in Set(own.marks) {
      for other in groups.others(beside: Int32(place), sharing: mark)
      where entries[Int(other)].id > own.id {
        kinds[other, default: []].insert(mark.kind)
      }
    }
    return kinds.compactMap { other, kinds in
      let other = entries[Int(other)]
      return ContactPair(own.id, other.id).map {
        Likely(pair: $0, names: (own.name, other.name), kinds: kinds)
      }
    }.sorted { $0.pair.other < $1.pair.other }
  }
}
