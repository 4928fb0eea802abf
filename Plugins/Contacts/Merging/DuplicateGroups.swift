import PolyclinicCore

/// Likely duplicates that belong together: each shares a name, a number or an address with another
/// one of the group.
struct DuplicateGroup {
  /// The contacts, the oldest first.
  private(set) var members: [ID<Contact>]
  /// A pair for each contact but the first, by which it came into the group.
  private(set) var pairs: [ContactPair]
  private(set) var kinds: Set<ContactMark.Kind>

  /// Returns the pairs in groups, in the order of the pairs.
  static func groups(of likely: [LikelyDuplicates.Likely]) -> [DuplicateGroup] {
    var groups: [DuplicateGroup?] = []
    var places: [ID<Contact>: Int] = [:]
    for one in likely {
      let pair = one.pair
      switch (places[pair.one], places[pair.other]) {
      case (nil, nil):
        places[pair.one] = groups.count
        places[pair.other] = groups.count
        groups.append(
          DuplicateGroup(members: [pair.one, pair.other], pairs: [pair], kinds: one.kinds))
      case (let place?, nil), (nil, let place?):
        let new = places[pair.one] == nil ? pair.one : pair.other
        places[new] = place
        groups[place]?.add([new], [pair], one.kinds)
      case (let place?, let other?) where place == other:
        groups[place]?.add([], [], one.kinds)
      case (let place?, let other?):
        guard let moved = groups[other] else { continue }
        for id in moved.members { places[id] = place }
        groups[other] = nil
        groups[place]?.add(moved.members, moved.pairs + [pair], moved.kinds.union(one.kinds))
      }
    }
    return groups.compactMap(\.self)
  }

  private mutating func add(
    _ members: [ID<Contact>], _ pairs: [ContactPair], _ kinds: Set<ContactMark.Kind>
  ) {
    self.members = (self.members + members).sorted()
    self.pairs += pairs
    self.kinds.formUnion(kinds)
  }

  /// Returns the pair by which the reader compares this contact with another one of the group; nil
  /// for the first.
  func pair(of member: ID<Contact>) -> ContactPair? {
    guard member != members.first else { return nil }
    return pairs.first { $0.other == member } ?? pairs.first { $0.one == member }
  }
}
