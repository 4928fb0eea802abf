import PolyclinicTesting
import Testing

@testable import Appointments

/// Administration of the doctor.
extension Town {
  /// Creates a town, an administrator and a patient; `page` is the path of the doctor's account.
  static func withOffice() throws -> (
    town: Town, administrator: TestVisitor, anna: TestVisitor, page: String
  ) {
    let town = try Town()
    return (
      town, try town.portal.administrator(), try town.portal.register(),
      "/admin/people/\(try town.portal.person(of: town.doctorVisitor))"
    )
  }

  /// Enters a day off of the doctor and returns the path of its bookings.
  func takeOff(_ date: String, _ administrator: TestVisitor) throws -> String {
    let day = try administrator.submit(
      doctorPath + "/exceptions/new",
      ["exception": "off", "first_day": date, "last_day": date, "starts": "", "ends": ""])
    #expect(day.status == 303)
    return String(day.location.prefix { $0 != "?" })
  }
}
