import PolyclinicCore
import PolyclinicPlaces

/// The clinic that a patient calls: the chosen one, or the only one.
struct PatientsClinic: Portal.ClinicContacts {
  let list: Path = "/appointments/clinics"

  func phone(for person: ID<Person>?, in work: Work) throws -> String? {
    let chosen = try person.flatMap { try ChosenClinic.find(of: $0, in: work) }
      .flatMap { try Clinic.find($0, in: work) }
    if let chosen, chosen.closedAt == nil, !chosen.phone.isEmpty { return chosen.phone }
    let open = try Clinic.open(in: work)
    guard open.count == 1, let phone = open.first?.phone, !phone.isEmpty else { return nil }
    return phone
  }
}
