import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import VaccinationQR

@Suite struct VaccinationTests {
  private let portal: TestPortal
  private let anna: TestVisitor
  private let tetanus = [
    "vaccine": "Td-pur", "disease": "Tetanus", "date": "2026-05-01", "batch": "A1B2",
    "given_by": "Dr. Weber", "next_due": "2036-05-01",
  ]

  init() throws {
    portal = try TestPortal(VaccinationQRModule())
    anna = try portal.register()
  }

  @Test func `a vaccination is kept with its batch and the next due date`() throws {
    let added = try anna.submit("/vaccination-qr/record/new", tetanus)
    let page = anna.get(added.location)
    for text in ["Td-pur", "Tetanus", "1 May 2026", "A1B2", "Dr. Weber", "1 May 2036"] {
      #expect(page.contains(text))
    }
    #expect(anna.get("/vaccination-qr/record").hasRow("next due 1 May 2036"))
  }

  @Test func `a vaccination in the future, or with a due date before it, is refused`() throws {
    let early = tetanus.merging(["next_due": "2026-04-01"]) { $1 }
    #expect(try anna.submit("/vaccination-qr/record/new", early).refuses("next_due"))
    let future = tetanus.merging(["date": "2035-01-01"]) { $1 }
    #expect(try anna.submit("/vaccination-qr/record/new", future).refuses("date"))
  }

  @Test func `a requested reminder is sent within a month of the due date and not earlier`() throws
  {
    _ = try anna.submit("/vaccination-qr/record/new", tetanus)
    let flu = ["vaccine": "Flu", "date": "2026-05-01", "next_due": "2026-10-01", "remind": "yes"]
    _ = try anna.submit("/vaccination-qr/record/new", flu)
    try portal.runJobs()
    #expect(!portal.notified(anna, "due within a month"))
    portal.now = portal.now + Seconds.days(125)
    try portal.runJobs()
    _ = try anna.signIn(anna.login)
    #expect(portal.notified(anna, "due within a month"))
  }
}
