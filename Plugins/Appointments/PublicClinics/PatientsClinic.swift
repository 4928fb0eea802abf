import PolyclinicCore
import PolyclinicPlaces

/// The clinic that a patient calls: the chosen one, or the only one.
struct PatientsClinic: Portal.ClinicContacts {
  let list: Path = "/appointments/clinics"

  func phone(for person: ID<Person>?, on connection: Connection) throws -> String? {
    let chosen = try person.flatMap { try ChosenClinic.find(of: $0, on: connection) }
      .flatMap { try Clinic.find($0, on: connection) }
    if let chosen, chosen.closedAt == nil, !chosen.phone.isEmpty { return chosen.phone }
    let open = try Clinic.open(on: connection)
    guard open.count == 1, let phone = open.first?.phone, !phone.isEmpty else { return nil }
    return phone
  }
}
