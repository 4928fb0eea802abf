import PolyclinicCore
import PolyclinicFormats

/// The choices of a merge: for each field, the contact that its value comes from.
struct MergeChoice {
  /// The sides by the names of the fields; the first contact's value is taken for others.
  private(set) var sides: [String: Side] = [:]

  /// The contact that a value comes from.
  enum Side: String { case one, other, both }

  /// The names of the fields that may keep both values.
  static let joinable = Set(Contact.TextField.all.filter(\.canKeepBoth).map(\.name))

  /// Takes the first contact's values, and both of a field that can keep both.
  static let addingToTheFirst = MergeChoice(
    sides: Dictionary(uniqueKeysWithValues: joinable.map { ($0, .both) }))

  private init(sides: [String: Side]) { self.sides = sides }

  /// Reads the choices. Returns nil for one that the page does not offer.
  init?(_ sent: Fields) {
    for name in ["birthday"] + Contact.TextField.all.map(\.name) where sent.contains(name) {
      guard let side = Side(rawValue: sent[name]), side != .both || Self.joinable.contains(name)
      else { return nil }
      sides[name] = side
    }
  }
}

extension Contact {
  /// Merges two contacts: the chosen fields, and the contact methods and imported lines of both. A
  /// field that only one of them has needs no choice.
  func merged(with other: Contact, _ choice: MergeChoice) -> Contact {
    var result = self
    for field in TextField.all {
      let (one, other) = (self[field], other[field])
      result[field] =
        switch choice.sides[field.name] {
        case _ where one.isEmpty || one == other: other
        case .other where !other.isEmpty: other
        case .both where !other.isEmpty: one + "\n\n" + other
        default: one
        }
    }
    let (own, others) = (birthday, other.birthday)
    result.birthday = choice.sides["birthday"] == .other ? others ?? own : own ?? others
    let isNamedByOther = result.name != name
    result.card = card.merged(with: other.card, withoutNameOf: isNamedByOther ? .one : .other)
    result.unite(with: other.methods)
    return result
  }

  /// A digest of the contact's content, almost certainly different for another content.
  var fingerprint: String {
    "\(Contact.form.fingerprint(self)).\(ContactCard.form.fingerprint(card))"
  }
}

extension ContactCard {
  /// Merges two cards, under the first one's UID if it has one.
  fileprivate func merged(
    with other: ContactCard, withoutNameOf side: MergeChoice.Side
  ) -> ContactCard {
    uid.isEmpty && !other.uid.isEmpty
      ? other.joined(by: self, whoseNameHolds: side == .other)
      : joined(by: other, whoseNameHolds: side == .one)
  }

  /// Returns this card with the other's lines added apart from its own, because the next card with
  /// this UID replaces only its own lines.
  private func joined(by other: ContactCard, whoseNameHolds isRenamed: Bool) -> ContactCard {
    func named(_ lines: [ContentLine], _ holds: Bool) -> [ContentLine] {
      holds ? lines : lines.filter { !["FN", "N"].contains($0.name) }
    }
    var result = self
    result.sources = Self.text(named(Self.lines(sources), !isRenamed))
    let theirs = other.regrouped(Self.lines(other.sources) + Self.lines(other.joinedSources))
    result.joinedSources = Self.text(
      named(Self.lines(joinedSources), !isRenamed) + named(theirs, isRenamed))
    var room = Self.limit - result.size
    let fitting = other.regrouped(other.allExtras).filter { line in
      guard line.bytes.count < room else { return false }
      room -= line.bytes.count + 1
      return true
    }
    result.joinedExtras = Self.text(Self.lines(joinedExtras) + fitting)
    return result
  }

  /// Renames the groups of the lines, so that they do not collide with the other card's groups.
  private func regrouped(_ lines: [ContentLine]) -> [ContentLine] {
    lines.map { line in
      guard !line.group.isEmpty else { return line }
      let bytes = Array("\(line.group)-2".utf8) + line.bytes.dropFirst(line.group.utf8.count)
      return ContentLine(bytes) ?? line
    }
  }
}
