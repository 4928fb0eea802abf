/// Why somebody looks at another's data; the other reads it.
public enum AccessReason: String, Sendable, CaseIterable {
  /// An administrator looks after the person's account.
  case administration
  /// A doctor treats the person, who stands on the doctor's own list.
  case care
  /// A receptionist looks after the person's appointments at the receptionist's own clinic: names
  /// and times only.
  case desk

  /// Whose work gives the reason.
  public var role: Role {
    switch self {
    case .administration: .administrator
    case .care: .doctor
    case .desk: .receptionist
    }
  }
}
