import PolyclinicCore

extension Contact {
  /// What becomes of the contact when a card of the same UID comes in: what the card says anew holds.
  /// What it says as before leaves alone what was changed here since; what it does not say goes when an
  /// earlier card had said it, and stays when it was typed in here or came with a contact that was merged
  /// into this one.
  func updated(by contact: Contact) -> Contact {
    let said = Set(ContactCard.lines(card.sources).compactMap { CardField($0) })
    let joined = Set(ContactCard.lines(card.joinedSources).compactMap { CardField($0) })
    // Whether one's own holds beside what the card says now, if anything.
    func holds(_ own: CardField, beside new: CardField?) -> Bool {
      new.map(said.contains) ?? (!said.contains(own) || joined.contains(own))
    }
    var result = contact
    func keep(_ field: WritableKeyPath<Details, String>, _ kind: (String) -> CardField) {
      let (own, new) = (details[keyPath: field], contact.details[keyPath: field])
      guard holds(kind(own), beside: new.isEmpty ? nil : kind(new)) else { return }
      result.details[keyPath: field] = own
    }
    keep(\.workplace, CardField.workplace)
    keep(\.address, CardField.address)
    keep(\.notes, CardField.notes)
    if let own = details.birthday,
      holds(.birthday(own), beside: contact.details.birthday.map(CardField.birthday))
    {
      result.details.birthday = own
    }
    result.card.joinedSources = card.joinedSources
    result.card.joinedExtras = card.joinedExtras
    result.unite(with: methods.filter { holds(.way($0.type, $0.value), beside: nil) })
    return result.carryingUnknown(of: self)
  }

  /// This contact with what another release stored in the one whose place it takes.
  private func carryingUnknown(of stored: Contact) -> Contact {
    var result = self
    result.details.unknown = stored.details.unknown
    result.card.unknown = stored.card.unknown
    result.methods = result.methods.map { method in
      stored.methods.first { $0.type == method.type && $0.value == method.value } ?? method
    }
    return result
  }
}

extension Contact {
  /// Adds the ways of reaching it that it has not yet. What is more than the form takes is kept beside
  /// it, and goes out with it.
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
  /// The same for two that reach somebody in the same way, however they are written.
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
