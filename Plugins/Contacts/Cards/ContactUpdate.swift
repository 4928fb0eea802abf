import PolyclinicCore

extension Contact {
  /// Returns the contact after an import of a newer card with the same UID:
  /// - If the newer card changes a value, the new value is taken.
  /// - If the newer card repeats a value, changes that were made here since are kept.
  /// - If the newer card lacks a value, the value is removed if an earlier card had it. It is kept
  ///   if it was typed in here or came from a merged contact.
  func updated(by contact: Contact) -> Contact {
    let said = Set(ContactCard.lines(card.sources).compactMap { CardField($0) })
    let joined = Set(ContactCard.lines(card.joinedSources).compactMap { CardField($0) })
    // True if the contact's own value stays in place of the newer card's.
    func holds(_ own: CardField, beside new: CardField?) -> Bool {
      new.map(said.contains) ?? (!said.contains(own) || joined.contains(own))
    }
    var result = contact
    for field in TextField.inCard {
      let (own, new) = (self[field], contact[field])
      let newField = new.isEmpty ? nil : CardField.text(field.property, new)
      if holds(.text(field.property, own), beside: newField) { result[field] = own }
    }
    if let own = birthday, holds(.birthday(own), beside: contact.birthday.map(CardField.birthday)) {
      result.birthday = own
    }
    result.card.joinedSources = card.joinedSources
    result.card.joinedExtras = card.joinedExtras
    result.unite(with: methods.filter { holds(.way($0.type, $0.value), beside: nil) })
    return result.carryingUnknown(of: self)
  }

  /// Returns this contact with the unknown fields that another release stored in the contact that
  /// it replaces.
  private func carryingUnknown(of stored: Contact) -> Contact {
    var result = self
    result.unknown = stored.unknown
    result.card.unknown = stored.card.unknown
    result.methods = result.methods.map { method in
      stored.methods.first { $0.type == method.type && $0.value == method.value } ?? method
    }
    return result
  }
}

extension Contact {
  /// Adds the contact methods that are not yet there. Of two spellings of a telephone number, the
  /// one with its area code stays. Methods beyond the form's limit become extra lines, so that an
  /// export includes them.
  mutating func unite(with others: [CommunicationMethod]) {
    var united = methods
    for other in others {
      guard let place = united.firstIndex(where: { $0.isSame(as: other) }) else {
        united.append(other)
        continue
      }
      if other.completes(united[place]) { united[place].value = other.value }
    }
    methods = Array(united.prefix(CardReading.mostWays))
    let rest = united.dropFirst(CardReading.mostWays).map(\.line)
    if !rest.isEmpty {
      card.joinedExtras = ContactCard.text(ContactCard.lines(card.joinedExtras) + rest)
    }
  }
}

extension CommunicationMethod {
  /// Returns true if both are spellings of the same contact method. Telephone numbers are the same
  /// if they differ by their country and area codes only.
  func isSame(as other: CommunicationMethod) -> Bool {
    guard type == .phone, other.type == .phone else { return mark == other.mark }
    let (own, others) = (ContactMark.digits(of: value), ContactMark.digits(of: other.value))
    if own.isEmpty || others.isEmpty { return value == other.value }
    let count = min(own.count, others.count, ContactMark.tellingDigits)
    return count < ContactMark.fewestDigits
      ? own == others : own.suffix(count) == others.suffix(count)
  }

  /// Returns true if this is a spelling of the same telephone number with an area code that the
  /// other one lacks.
  fileprivate func completes(_ other: CommunicationMethod) -> Bool {
    guard type == .phone else { return false }
    let count = ContactMark.digits(of: other.value).count
    return count < ContactMark.tellingDigits && count < ContactMark.digits(of: value).count
  }

  /// A comparison key, equal for two spellings of the same contact method.
  private var mark: String {
    switch type {
    case .phone: return "phone \(value)"
    case .web: return "web \((OutsideLink.web(value)?.description ?? value).lowercased())"
    case .email, .messenger, .other: return "\(type.rawValue) \(value.lowercased())"
    }
  }
}
