import PolyclinicTesting
import Testing

@testable import Appointments

/// What administrators do with a town's doctor.
extension Town {
  /// A town, an administrator, a patient, and where the doctor's account stands.
  static func withOffice() throws -> (
    town: Town, administrator: TestVisitor, anna: TestVisitor, page: String
  ) {
    let town = try Town()
    return (
      town, try town.portal.administrator(), try town.portal.register(),
      "/admin/people/\(try town.portal.person(of: town.doctorVisitor))"
    )
  }

  /// Enters a day off of the doctor; where what was booked then stands.
  func takeOff(_ date: String, _ administrator: TestVisitor) throws -> String {
    let day = try administrator.submit(
      doctorPath + "/exceptions/new",
      ["exception": "off", "first_day": date, "last_day": date, "starts": "", "ends": ""])
    #expect(day.status == 303)
    return String(day.location.prefix { $0 != "?" })
  }
}
