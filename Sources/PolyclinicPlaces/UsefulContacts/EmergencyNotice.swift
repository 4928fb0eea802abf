import PolyclinicCore

extension Context {
  /// The notice with the numbers that call an ambulance in the portal's country; nil if the country is unknown or has
  /// no such number.
  public var emergencyNotice: HTML? {
    let numbers: [HTML] = portal.usefulContacts[portal.clinic.country]
      .filter(\.isEmergency).compactMap { contact in
        guard let phone = contact.phone, let call = contact.call else { return nil }
        return button(
          showing: "<span>\(text(contact.name)): <bdi dir=\"ltr\">\(phone)</bdi></span>",
          to: call, style: .danger, icon: .phone)
      }
    if numbers.isEmpty { return nil }
    let others = button("contacts.emergency.others", to: "/useful-contacts", style: .secondary)
    return .notice(
      .remark,
      "<p><strong>\(text("contacts.emergency.call"))</strong></p>\(actions: numbers + [others])",
      as: .danger)
  }
}
