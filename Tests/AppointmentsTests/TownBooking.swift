import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// Bookings through the pages, and working hours.
extension Town {
  /// Returns the path of the last page of a booking.
  func confirmation(_ date: String, _ time: String, offset: String = "") -> String {
    let rest = offset.isEmpty ? "" : "&offset=\(offset.replacing("+", with: "%2B"))"
    return "/appointments/book?doctor=\(doctor)&date=\(date)&time=\(time)\(rest)"
  }

  /// Books through the pages and returns the appointment's path.
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

  /// Adds working hours on a weekday, in minutes since midnight.
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
  /// Sends a form that no page shows, with the CSRF token of this session.
  func push(_ path: String) -> TestPage {
    let token = get("/appointments/new").hidden(of: "/appointments/new").filter {
      ["csrf", "person"].contains($0.0)
    }
    return post(path, pairs: token)
  }
}

extension ClaimedTime {
  /// Returns the claimed time units within a span, in order.
  static func taken(
    of doctor: ID<Doctor>, within span: Range<Instant>, on connection: Connection
  ) throws -> [Int64] {
    let units = units(of: span)
    return try connection.rows(
      """
      SELECT unit FROM appointments_claimed_units
      WHERE doctor = \(doctor) AND unit >= \(units.lowerBound) AND unit < \(units.upperBound)
      ORDER BY unit
      """
    ) { Int64($0.int(0)) }
  }
}

extension ClaimedTime {
  /// Creates the claimed time from single time units.
  init(units: [Int64]) {
    self.init(of: (units.min() ?? 0) / 60...(units.max() ?? 0) / 60)
    for unit in units { claim(1 << (unit % 60), of: unit / 60) }
  }
}
