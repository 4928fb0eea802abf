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

  @Test func `a vaccination against any disease is kept with its batch and the next one`() throws {
    let added = try anna.submit("/vaccination-qr/record/new", tetanus)
    let page = anna.get(added.location)
    for text in ["Td-pur", "Tetanus", "1 May 2026", "A1B2", "Dr. Weber", "1 May 2036"] {
      #expect(page.contains(text))
    }
    #expect(anna.get("/vaccination-qr/record").contains("next due 1 May 2036"))
  }

  @Test func `a day that is still to come is refused, and so is a next one before this one`() throws
  {
    let early = tetanus.merging(["next_due": "2026-04-01"]) { $1 }
    #expect(try anna.submit("/vaccination-qr/record/new", early).contains("due after this one"))
    let future = tetanus.merging(["date": "2035-01-01"]) { $1 }
    #expect(try anna.submit("/vaccination-qr/record/new", future).contains("still to come"))
  }

  @Test func `somebody is told a month before the next one only where they asked for it`() throws {
    _ = try anna.submit("/vaccination-qr/record/new", tetanus)
    let flu = ["vaccine": "Flu", "date": "2026-05-01", "next_due": "2026-10-01", "remind": "yes"]
    _ = try anna.submit("/vaccination-qr/record/new", flu)
    try portal.runJobs()
    #expect(!anna.get("/notifications").contains("due within a month"))
    portal.now = portal.now + Seconds.days(125)
    try portal.runJobs()
    _ = try anna.signIn(anna.login)
    #expect(anna.get("/notifications").contains("due within a month"))
  }
}
