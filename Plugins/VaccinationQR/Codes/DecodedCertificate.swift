import PolyclinicCore

/// A decoded certificate before verification.
protocol DecodedCertificate: Sendable {
  /// The statements of the certificate, in the order in which pages show them.
  var sections: [StatementSection] { get }
  /// The signature and the signed content.
  var signed: SignedContent { get }
  /// The validity period that the issuer set.
  var validity: Validity { get }
  /// The identifier by which the issuer can revoke it; nil if the format has none that the portal
  /// can check.
  var revocationNumber: String? { get }
  /// Returns the certificate as FHIR R4 resources without their subject, with ids that begin with
  /// `id`.
  func fhir(id: String) -> [JSON]
}

/// The validity period of a certificate. It does not describe immunity.
struct Validity: Sendable, Equatable {
  /// The beginning, which is also the time of signing if the certificate contains it.
  var from: Moment?
  /// The technical expiry.
  var until: Moment?

  /// An instant, or a day for formats that have only days.
  enum Moment: Sendable, Equatable {
    case instant(Instant)
    case day(CalendarDate)

    /// The first instant of the moment, with days in UTC. The days are those of Israel, which end
    /// earlier than in UTC.
    var start: Instant {
      switch self {
      case .instant(let instant): instant
      case .day(let day): Instant(Int64(day.daysSince1970) * 86_400)
      }
    }

    /// The first instant at which a certificate with this end has expired (RFC 7519, 4.1.4, for
    /// instants).
    var end: Instant {
      switch self {
      case .instant(let instant): instant
      case .day: start + .days(1)
      }
    }

    /// The moment as a statement's value.
    var value: Statement.Value {
      switch self {
      case .instant(let instant): .moment(instant)
      case .day(let day): .date(day.description)
      }
    }
  }

  /// The day of the technical expiry, in UTC; nil if there is none.
  var lastDay: CalendarDate? {
    switch until {
    case .instant(let instant): LocalDateTime(instant, in: .utc).date
    case .day(let day): day
    case nil: nil
    }
  }

  /// Returns true if the technical expiry has passed; nil if there is none.
  func hasExpired(at now: Instant) -> Bool? { until.map { now >= $0.end } }

  /// Returns true if the beginning is in the future; nil if there is none.
  func isAhead(at now: Instant) -> Bool? { from.map { now < $0.start } }
}

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

  /// The highest dose in the certificate, with the number of doses if it is known, such as "2/2";
  /// nil for one without a numbered dose.
  var latestDose: String? {
    sections.flatMap(\.statements).compactMap { statement -> (number: Int64, words: String)? in
      guard case .dose(let number, let total) = statement.value else { return nil }
      return (number, total.map { "\(number)/\($0)" } ?? "\(number)")
    }.max { $0.number < $1.number }?.words
  }

  /// Returns the certificate as FHIR R4 resources about its holder, with ids that begin with `id`.
  func resources(id: String) -> [JSON] { fhir(id: id).map(holder.subject) }
}
