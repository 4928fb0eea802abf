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
