import PolyclinicCore

/// A certificate as it says of itself, before anything is verified.
protocol DecodedCertificate: Sendable {
  /// All that it says, in the order in which a reader asks for it.
  var sections: [StatementSection] { get }
  /// The signature with what it is over.
  var signed: SignedContent { get }
  /// The time for which the issuer vouches for it.
  var validity: Validity { get }
  /// The number by which its issuer could revoke it; nil where the format has none that the portal can check.
  var revocationNumber: String? { get }
  /// The same as FHIR R4 resources, whose ids begin with `id`.
  func fhir(id: String) -> [JSON]
}

/// The time for which an issuer vouches for a certificate. It says nothing about immunity.
struct Validity: Sendable, Equatable {
  /// The beginning, which is also the time of signing as far as the certificate tells it.
  var from: Moment?
  /// The technical expiry.
  var until: Moment?

  /// A moment, or a day where the format knows only days.
  enum Moment: Sendable, Equatable {
    case instant(Instant)
    case day(CalendarDate)

    /// The beginning of the moment. The days are those of Israel, which end before UTC's.
    var start: Instant {
      switch self {
      case .instant(let instant): instant
      case .day(let day): Instant(Int64(day.daysSince1970) * 86_400)
      }
    }

    /// The first instant at which a certificate until this moment has expired (RFC 7519, 4.1.4, for instants).
    var end: Instant {
      switch self {
      case .instant(let instant): instant
      case .day: start + .days(1)
      }
    }
  }

  /// True if the technical expiry has passed; nil without one.
  func hasExpired(at now: Instant) -> Bool? { until.map { now >= $0.end } }

  /// True if the beginning still lies ahead; nil without one.
  func isAhead(at now: Instant) -> Bool? { from.map { now < $0.start } }
}

extension Validity.Moment {
  /// The moment for a page.
  var value: Statement.Value {
    switch self {
    case .instant(let instant): .moment(instant)
    case .day(let day): .date(day.description)
    }
  }
}
