import PolyclinicCore

/// The person in a certificate, as the issuer names them.
struct CertificateHolder: Sendable, Equatable {
  /// The given name first; empty if the certificate has none. Each name is the one that the issuer
  /// writes, or else that of the passport or of the local script.
  var name: String
  /// `YYYY-MM-DD`, `YYYY-MM` or `YYYY`; nil if it is not known.
  var birthDate: String?

  /// Returns the FHIR resource as one about this person, who is a Patient within the resource
  /// (hl7.org/fhir/R4/references.html#contained).
  ///
  /// It does not refer to the account's owner, because people keep certificates of their family
  /// too.
  func subject(of resource: JSON) -> JSON {
    guard case .object(let members) = resource else { return resource }
    let patient = FHIR.object([
      ("resourceType", "Patient"), ("id", "holder"),
      ("name", name.isEmpty ? nil : .array([["text": .string(name)]])),
      ("birthDate", FHIR.dateTime(birthDate.map { String($0.prefix(10)) })),
    ])
    let role = resource["resourceType"]?.string == "Immunization" ? "patient" : "subject"
    return .object(
      members + [.init("contained", .array([patient])), .init(role, ["reference": "#holder"])])
  }
}

extension DecodedCertificate {
  /// The person in the certificate.
  var holder: CertificateHolder {
    let person = sections.first { $0.name == "person" }?.statements ?? []
    func value(_ name: String) -> String? {
      switch person.first(where: { $0.name == name })?.value {
      case .text(let text), .date(let text): text
      default: nil
      }
    }
    /// Returns the name, or the one in the passport's form, where `<` separates names (ICAO 9303-3,
    /// 4.6).
    func name(_ kind: String) -> String? {
      value(kind)
        ?? value("standard-\(kind)")?.split(separator: "<").joined(separator: " ")
        ?? value("local-\(kind)")
    }
    let parts = [name("given-name"), name("family-name")].compactMap(\.self)
    return CertificateHolder(
      name: String(parts.joined(separator: " ").prefix(200)), birthDate: value("birth-date"))
  }

  /// Returns the certificate as FHIR R4 resources about its holder, with ids that begin with `id`.
  func resources(id: String) -> [JSON] { fhir(id: id).map(holder.subject) }
}
