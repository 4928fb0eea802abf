import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// What patients do.
extension Town {
  /// The address of the last page of a booking.
  func confirmation(_ date: String, _ time: String, offset: String = "") -> String {
    let rest = offset.isEmpty ? "" : "&offset=\(offset.replacing("+", with: "%2B"))"
    return "/appointments/new?doctor=\(doctor)&date=\(date)&time=\(time)\(rest)"
  }

  /// Books through the pages; where the appointment stands.
  @discardableResult
  func book(
    _ visitor: TestVisitor, _ date: String, _ time: String, offset: String = "",
    purpose: String = ""
  ) throws -> String {
    let answer = try visitor.submit(
      confirmation(date, time, offset: offset), ["purpose": purpose])
    guard answer.status == 303 else { throw Refused(status: answer.status, body: answer.body) }
    return String(answer.location.prefix { $0 != "?" })
  }

  struct Refused: Error, CustomStringConvertible {
    let status: Int
    let body: String
    var description: String { "\(status) \(body)" }
  }

  /// The doctor works at these minutes of a weekday too.
  func work(_ weekday: Int, _ minutes: Range<Int>) throws {
    try portal.database.write { connection in
      try connection.run(
        """
        INSERT INTO appointments_hours (doctor, weekday, starts, ends, kind)
        VALUES (\(doctor), \(weekday), \(minutes.lowerBound), \(minutes.upperBound), 'work')
        """)
    }
  }

  func count(_ statement: SQL) throws -> Int {
    try portal.database.read { try $0.integer(statement) ?? 0 }
  }
}

extension TestVisitor {
  /// Presses a button that no page shows: with a token of this session, as a forger's page cannot.
  func push(_ path: String) -> TestPage {
    let token = get("/appointments/new").hidden(of: "/appointments/new").filter {
      ["csrf", "person"].contains($0.0)
    }
    return post(path, pairs: token)
  }
}

extension DoctorTime {
  /// The grains within a span that are claimed, in order.
  static func taken(
    of doctor: ID<Doctor>, within span: Range<Instant>, on connection: Connection
  ) throws -> [Int64] {
    let grains = grains(of: span)
    return try connection.rows(
      """
      SELECT grain FROM appointments_grains
      WHERE doctor = \(doctor) AND grain >= \(grains.lowerBound) AND grain < \(grains.upperBound)
      ORDER BY grain
      """
    ) { Int64($0.int(0)) }
  }
}

extension ClaimedTime {
  /// What is claimed, grain by grain.
  init(grains: [Int64]) {
    self.init(of: (grains.min() ?? 0) / 60...(grains.max() ?? 0) / 60)
    for grain in grains { claim(1 << (grain % 60), of: grain / 60) }
  }
}
