/// A role of a user. Every signed-in user is a patient; the other roles add permissions.
public enum Role: String, Sendable, CaseIterable {
  /// Every signed-in user.
  case patient
  /// A user who treats patients, approved by an administrator.
  case doctor
  /// A user who works at the reception of a clinic.
  case receptionist
  /// A user who manages the portal: users, roles and modules.
  case administrator
}
