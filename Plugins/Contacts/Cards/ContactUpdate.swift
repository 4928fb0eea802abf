import PolyclinicCore

extension Contact {
  /// What becomes of the contact when a card of the same UID comes in: what the card says holds. What it
  /// does not say goes when an earlier card had said it, and stays when it was typed in here.
  func updated(by contact: Contact) -> Contact {
    let earlier = ContactCard.lines(card.sources).compactMap { CardField($0) }
    var result = contact
    func keep(
      _ field: WritableKeyPath<Details, String>, unless said: (String) -> CardField
    ) {
      let own = details[keyPath: field]
      guard result.details[keyPath: field].isEmpty, !earlier.contains(said(own)) else { return }
      result.details[keyPath: field] = own
    }
    keep(\.workplace, unless: CardField.workplace)
    keep(\.address, unless: CardField.address)
    keep(\.notes, unless: CardField.notes)
    if result.details.birthday == nil, let own = details.birthday,
      !earlier.contains(.birthday(own))
    {
      result.details.birthday = own
    }
    result.unite(with: methods.filter { !earlier.contains(.way($0.type, $0.value)) })
    return result.carryingUnknown(of: self)
  }

  /// With what another release stored in the contact that this one is put in place of.
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
    if !rest.isEmpty { card.extras = ContactCard.text(ContactCard.lines(card.extras) + rest) }
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
