/// The reason for which a member of staff or a guardian opens another person's data; that person
/// reads it in their access log.
public enum AccessReason: String, Sendable, CaseIterable {
  /// An administrator manages the person's account.
  case administration
  /// A doctor treats the person, who is on the doctor's own patient list.
  case care
  /// The person shows the doctor the records of a module, until a day.
  case consent
  /// A guardian acts for the person, who has given access or whom the law lets the guardian act for.
  case guardianship
  /// A receptionist manages the person's appointments at the receptionist's own clinic and sees
  /// only names and times.
  case reception

  /// The role that may give this reason.
  public var role: Role {
    switch self {
    case .administration: .administrator
    case .care, .consent: .doctor
    case .guardianship: .patient
    case .reception: .receptionist
    }
  }
}
