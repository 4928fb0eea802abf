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
  }

  /// Returns true if the technical expiry has passed; nil if there is none.
  func hasExpired(at now: Instant) -> Bool? { until.map { now >= $0.end } }

  /// Returns true if the beginning is in the future; nil if there is none.
  func isAhead(at now: Instant) -> Bool? { from.map { now < $0.start } }
}

extension Validity.Moment {
  /// The moment as a statement's value.
  var value: Statement.Value {
    switch self {
    case .instant(let instant): .moment(instant)
    case .day(let day): .date(day.description)
    }
  }
}
