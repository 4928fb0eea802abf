import PolyclinicCore
import PolyclinicPlaces

/// The notice on home pages with the numbers that call an ambulance in the portal's country.
enum EmergencyNumbers {
  /// Returns the notice; nil if the country is unknown or has no such number.
  static func notice(_ context: Context) -> HTML? {
    let numbers: [HTML] = context.portal.usefulContacts[context.portal.clinic.country]
      .filter(\.isEmergency).compactMap { contact in
        guard let phone = contact.phone, let call = contact.call else { return nil }
        return context.button(
          showing: "<span>\(context.text(contact.name)): <bdi dir=\"ltr\">\(phone)</bdi></span>",
          to: call,
          style: .danger, icon: .phone)
      }
    if numbers.isEmpty { return nil }
    let others = context.button(
      "welcome.emergency.others", to: "/useful-contacts", style: .secondary)
    return .notice(
      .remark,
      "<p><strong>\(context.text("welcome.emergency"))</strong></p>\(actions: numbers + [others])",
      as: .danger)
  }
}
