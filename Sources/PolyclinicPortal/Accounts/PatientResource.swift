import PolyclinicCore
import PolyclinicWeb

/// A person as a FHIR Patient (HL7 FHIR R4, 8.1). Empty fields are left out.
extension Profile {
  /// Returns the resource with a name alone, for a guardian, who does not read the profile.
  static func patientResource(naming name: String) -> JSON {
    .object([
      JSON.Member("resourceType", "Patient"), JSON.Member("id", .string(PersonalData.patientID)),
      JSON.Member("name", [object([("text", name)])]),
    ])
  }

  static func patientResource(in work: Work) throws -> JSON {
    // The resource id at the end of ``PersonalData/patientReference``.
    var members = [
      JSON.Member("resourceType", "Patient"), JSON.Member("id", .string(PersonalData.patientID)),
    ]
    guard let profile = try find(in: work) else { return .object(members) }
    members.append(
      JSON.Member(
        "name",
        [
          object(
            [("family", profile.surname)], arrays: [("given", [profile.name, profile.patronymic])])
        ]))
    let telecom = [("phone", profile.phone), ("email", profile.email)].filter { !$0.1.isEmpty }
    if !telecom.isEmpty {
      members.append(
        JSON.Member(
          "telecom", .array(telecom.map { object([("system", $0.0), ("value", $0.1)]) })))
    }
    if !profile.sex.isEmpty { members.append(JSON.Member("gender", .string(profile.sex))) }
    if let day = profile.birthDate {
      members.append(JSON.Member("birthDate", .string(day.description)))
    }
    let address = object(
      [("city", profile.city), ("country", profile.country)],
      arrays: [("line", [profile.address.streetLine])])
    if address != .object([]) { members.append(JSON.Member("address", [address])) }
    return .object(members)
  }

  /// Returns an object without empty values, because FHIR forbids them (R4, 2.6.2).
  private static func object(
    _ texts: [(String, String)], arrays: [(String, [String])] = []
  ) -> JSON {
    let lists = arrays.map { ($0.0, $0.1.filter { !$0.isEmpty }) }.filter { !$0.1.isEmpty }
    return .object(
      texts.filter { !$0.1.isEmpty }.map { JSON.Member($0.0, .string($0.1)) }
        + lists.map { JSON.Member($0.0, .array($0.1.map { .string($0) })) })
  }
}
