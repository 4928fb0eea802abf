import PolyclinicCore
import PolyclinicFormats

/// The choices of a merge: for each field, the contact that its value comes from.
struct MergeChoice: Sendable {
  var name = Side.one
  var birthday = Side.one
  var workplace = Side.one
  var address = Side.one
  var notes = Side.one

  /// The contact that a value comes from.
  enum Side: String, Sendable { case one, other, both }
}

extension Contact {
  /// Merges two contacts: the chosen fields, and the contact methods and imported lines of both. A
  /// field that only one of them has needs no choice.
  func merged(with other: Contact, _ choice: MergeChoice) -> Contact {
    var result = self
    func take(_ field: WritableKeyPath<Details, String>, _ side: MergeChoice.Side) {
      let (one, other) = (details[keyPath: field], other.details[keyPath: field])
      result.details[keyPath: field] =
        if one.isEmpty || one == other { other } else if other.isEmpty { one } else {
          switch side {
          case .one: one
          case .other: other
          case .both: one + "\n\n" + other
          }
        }
    }
    take(\.name, choice.name)
    take(\.workplace, choice.workplace)
    take(\.address, choice.address)
    take(\.notes, choice.notes)
    let (own, others) = (details.birthday, other.details.birthday)
    result.details.birthday = choice.birthday == .other ? others ?? own : own ?? others
    let isNamedByOther = result.details.name != details.name
    result.card = card.merged(
      with: other.card, withoutNameOf: isNamedByOther ? .one : .other)
    result.unite(with: other.methods)
    return result
  }

  /// A digest of the contact's content, almost certainly different for another content.
  var fingerprint: String {
    "\(Contact.content.fingerprint(self)).\(ContactCard.form.fingerprint(card))"
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
