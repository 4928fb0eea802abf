import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// The opening hours, the contact details and the title of a clinic's page.
@Suite struct OpeningHoursTests {
  private let town: Town
  private var portal: TestPortal { town.portal }

  init() throws { town = try Town() }

  private var page: TestPage { portal.visitor().get("/appointments/clinics/\(town.clinic)") }

  private func closeClinic(_ date: String, _ minutes: Range<Int> = 0..<1_440) throws {
    _ = try portal.database.write { connection in
      try connection.run(
        """
        INSERT INTO appointments_exceptions (clinic, date, starts, ends, kind)
        VALUES (\(town.clinic), \(date), \(minutes.lowerBound), \(minutes.upperBound), 'off')
        """)
    }
  }

  /// Sets the portal's clock to a time in Minsk, which is three hours ahead of UTC.
  private func setClock(_ date: String, hour: Int) throws {
    let day = try #require(CalendarDate(date))
    portal.now = Instant(Int64(day.daysSince1970) * 86_400) + .hours(hour - 3)
  }

  @Test func `a clinic's page says whether it is open and when that changes`() throws {
    #expect(page.hasBadge("Open now · closes 17:00"))
    try setClock("2026-05-05", hour: 8)
    #expect(page.hasBadge("Closed · opens at 09:00"))
    try setClock("2026-05-05", hour: 20)
    #expect(page.hasBadge("Closed · opens Wednesday at 09:00"))
    try setClock("2026-05-08", hour: 17)
    #expect(page.hasBadge("Closed · opens Monday at 09:00"))
  }

  @Test func `lists of clinics say whether each is open`() throws {
    let visitor = portal.visitor()
    let nearest = "/appointments/clinics/nearest"
    try setClock("2026-05-05", hour: 8)
    #expect(visitor.get("/appointments/clinics").hasBadge("Closed · opens at 09:00"))
    #expect(visitor.get("/appointments/clinics/map").hasBadge("Closed · opens at 09:00"))
    #expect(visitor.get("/appointments/doctors?q=first").hasBadge("Closed · opens at 09:00"))
    #expect(
      try visitor.submit(nearest, ["city": "Minsk", "country": "BY"])
        .hasBadge("Closed · opens at 09:00"))
    try portal.database.write { try $0.run("DELETE FROM appointments_hours") }
    #expect(visitor.get("/appointments/clinics").badges.isEmpty)
  }

  @Test func `closed days and hours change whether a clinic is open`() throws {
    try closeClinic("2026-05-04", 14 * 60..<1_440)
    #expect(page.hasBadge("Open now · closes 14:00"))
    for day in 5...8 { try closeClinic("2026-05-0\(day)") }
    try setClock("2026-05-04", hour: 15)
    #expect(page.hasBadge("Closed · opens 11 May at 09:00"))
    for day in 11...22 { try closeClinic("2026-05-\(day)") }
    #expect(page.hasBadge("Closed now"))
  }

  @Test func `the times are those of the clinic's time zone`() throws {
    let far = try Town(zone: "Asia/Kathmandu")
    let page = far.portal.visitor().get("/appointments/clinics/\(far.clinic)")
    // 09:00 UTC is 14:45 in Kathmandu.
    #expect(page.hasBadge("Open now · closes 17:00"))
    #expect(page.hasFact("Local time (Asia/Kathmandu)"))
  }

  @Test func `a clinic that never closes is open without an end`() throws {
    try portal.database.write { try $0.run("DELETE FROM appointments_hours") }
    #expect(page.badges.isEmpty)
    for weekday in 1...7 { try town.work(weekday, 0..<1_440) }
    #expect(page.hasBadge("Open now"))
    #expect(page.hasFact("Mon–Sun 00:00–24:00"))
  }

  @Test func `days with the same hours are one line, and closed days are said`() throws {
    #expect(page.hasFact("Mon–Fri 09:00–17:00") && page.hasFact("Sat–Sun closed"))
    let hebrew = portal.visitor(language: .hebrew).get("/appointments/clinics/\(town.clinic)")
    #expect(hebrew.contains("ב׳–ו׳"))
  }

  @Test func `a clinic's page has its name as title, its e-mail address and its website`() throws {
    let admin = try portal.administrator()
    let path = try admin.enterClinic([
      "email": "desk@river.example", "website": "river.example/clinic",
    ])
    let number = path.split(separator: "/").last ?? ""
    let page = portal.visitor().get("/appointments/clinics/\(number)")
    #expect(page.contains("<title>River Clinic · "))
    #expect(page.hasLink(to: "mailto:desk@river.example"))
    #expect(page.hasLink(to: "https://river.example/clinic"))
    #expect(page.fact("Website") == "river.example")
    #expect(admin.get(path).contains("<title>River Clinic · "))
    #expect(admin.get(path + "/edit").hasValue("river.example/clinic", of: "website"))
  }

  @Test(arguments: [
    "javascript:alert(1)", "ftp://x.example", "no website", "https://", "localhost",
  ])
  func `a website that is no web address is refused`(_ website: String) throws {
    let admin = try portal.administrator()
    let fields = TestVisitor.clinicFields.merging(["website": website]) { $1 }
    #expect(try admin.submit("/appointments/admin/clinics/new", fields).refuses("website"))
  }

  @Test func `the town's name follows the reader's script, and the country's order stays`() {
    let russian = portal.visitor(language: .russian)
    for path in ["/appointments/clinics", "/appointments/clinics/\(town.clinic)"] {
      #expect(russian.get(path).contains("Минск"), "\(path)")
    }
    #expect(russian.get("/appointments/clinics").hasRow("Main Street, 1, Минск, Беларусь"))
  }
}
