import PolyclinicCore

extension Context {
  /// The notice with the numbers that call an ambulance in the portal's country; nil if the country
  /// is unknown or has no such number.
  public var emergencyNotice: HTML? {
    let numbers = emergencyNumbers.map { name, phone, call in
      button(
        showing: "\(icon(.phone))<span>\(name): <bdi dir=\"ltr\">\(phone)</bdi></span>",
        to: call, style: .danger)
    }
    if numbers.isEmpty { return nil }
    let others = button("contacts.emergency.others", to: "/useful-contacts", style: .secondary)
    return .notice(
      .remark,
      "<p><strong>\(text("contacts.emergency.call"))</strong></p>\(actions: numbers + [others])",
      as: .danger)
  }

  /// The strip with the same numbers in one line, for the top of a page that many people open first.
  public var emergencyStrip: HTML? {
    calls(after: "<strong>\(text("contacts.emergency.line"))</strong>").map {
      .notice(.remark, "<p>\($0)</p>", as: .danger)
    }
  }

  /// The quiet line with the same numbers, for pages on which nothing tells of a danger to life.
  public var emergencyLine: HTML? {
    calls(after: "\(text("contacts.emergency.line"))").map {
      "<p class=\"secondary-text\">\($0)</p>"
    }
  }

  /// Returns the numbers as links after a few words; nil if there are none.
  private func calls(after words: HTML) -> HTML? {
    let numbers = emergencyNumbers
    if numbers.isEmpty { return nil }
    return """
      \(words)\(each: numbers, { name, phone, call in
        " \(name) <a href=\"\(call)\"><bdi dir=\"ltr\">\(phone)</bdi></a>"
      })
      """
  }

  private var emergencyNumbers: [(name: String, phone: String, call: OutsideLink)] {
    portal.usefulContacts[portal.clinic.country].filter(\.isEmergency).compactMap { contact in
      guard let phone = contact.phone, let call = contact.call else { return nil }
      return (text(contact.name), phone, call)
    }
  }
}
