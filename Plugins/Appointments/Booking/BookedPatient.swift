import PolyclinicCore

/// Whose booking it is, as those read it who work for the patient.
struct BookedPatient {
  let name: String
  let account: Account

  /// Whether the patient can be told anything here.
  enum Account {
    case some
    /// Nobody reads what the portal would tell: there is the phone that was entered at the desk, if any.
    case none(phone: String)
  }

  /// The person whose keys these are.
  static func find(
    by keys: Keys, _ context: Context, on connection: Connection
  ) throws -> BookedPatient {
    let people = context.portal.people
    let hasAccount = try people.language(of: keys.person, on: connection) != nil
    return BookedPatient(
      name: try people.name(by: keys, on: connection) ?? "",
      account: hasAccount
        ? .some : .none(phone: try people.phone(by: keys, on: connection) ?? ""))
  }
}
