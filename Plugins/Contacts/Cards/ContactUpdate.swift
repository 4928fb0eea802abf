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
  /// Adds the contact methods that are not yet there. Those beyond the form's limit become extra
  /// lines, so that an export includes them.
  mutating func unite(with others: [CommunicationMethod]) {
    var known = Set(methods.map(\.mark))
    let united = methods + others.filter { known.insert($0.mark).inserted }
    methods = Array(united.prefix(CardReading.mostWays))
    let rest = united.dropFirst(CardReading.mostWays).map(\.line)
    if !rest.isEmpty {
      card.joinedExtras = ContactCard.text(ContactCard.lines(card.joinedExtras) + rest)
    }
  }
}

extension CommunicationMethod {
  /// A comparison key, equal for two spellings of the same contact method.
  var mark: String {
    switch type {
    case .phone:
      let number = ContactMark.digits(of: value)
      return "phone \(number.isEmpty ? value : String(decoding: number, as: UTF8.self))"
    case .web: return "web \((OutsideLink.web(value)?.description ?? value).lowercased())"
    case .email, .messenger, .other: return "\(type.rawValue) \(value.lowercased())"
    }
  }
}
