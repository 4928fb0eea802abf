import PolyclinicCore

/// A pair of contacts, the older one first.
struct ContactPair: Hashable, Sendable, LosslessStringConvertible {
  let one: ID<Contact>
  let other: ID<Contact>

  /// Both numbers, the smaller one first: `3-7`.
  var description: String { "\(one)-\(other)" }

  /// Returns nil for any other text than two different numbers.
  init?(_ text: String) {
    let ids = text.split(separator: "-", maxSplits: 2).map { ID<Contact>(String($0)) }
    guard ids.count == 2, let one = ids[0], let other = ids[1] else { return nil }
    self.init(one, other)
  }

  /// Returns nil if both are the same contact.
  init?(_ one: ID<Contact>, _ other: ID<Contact>) {
    if one == other { return nil }
    self.one = min(one, other)
    self.other = max(one, other)
  }
}

/// The likely duplicates of an address book, found in its index.
///
/// Memory and time are proportional to the keys of all contacts. The search stops at the limit,
/// because contacts that share fifty numbers would make millions of pairs.
struct LikelyDuplicates {
  /// A pair with a name, a telephone number or an e-mail address in common.
  struct Likely: Sendable {
    let pair: ContactPair
    let names: (one: SearchText, other: SearchText)
    let kinds: Set<ContactMark.Kind>
  }

  /// The first pairs, in the order of the list.
  private(set) var pairs: [Likely] = []
  /// True if there are more pairs than the limit.
  private(set) var isCutOff = false

  /// Finds at most `limit` pairs, without those that the owner has dismissed.
  init(in work: Work, except dismissed: Set<ContactPair> = [], limit: Int) throws {
    var entries: [Contact.Entry] = []
    var marks: [MarkedGroups.Marked] = []
    try Contact.index.forEach(in: work) { entry in
      let place = Int32(entries.count)
      for mark in Set(entry.marks) { marks.append(.init(mark: mark.hashValue, place: place)) }
      entries.append(entry)
    }
    let groups = MarkedGroups(marks)
    // Finds each pair from its older contact only.
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
