import PolyclinicTesting
import Testing

/// The records of "Recently deleted" in a person's data export.
@Suite struct ExportedDeletionsTests {
  @Test func `JSON and pictures include deleted records, files for other programs do not`() throws {
    let filled = try FilledPortal()
    let before = try Copy(of: filled.patient).files
    for path in [
      "/contacts/1/delete", "/contacts/2/delete", "/health-metrics/weights/1/delete",
      "/vaccination-qr/1/clear",
    ] {
      #expect(try filled.patient.submit(path, [:]).status == 303)
    }
    let after = try Copy(of: filled.patient).files
    func text(_ name: String, in files: [String: [UInt8]]) -> String {
      String(decoding: files[name] ?? [], as: UTF8.self)
    }
    for name in ["contacts.json", "health-metrics.json", "vaccination-qr.json"] {
      let deleted = #","deleted_on":"2026-05-04""#
      let now = text(name, in: after)
      #expect(now.contains(deleted), "\(name)")
      let kept = text(name, in: before).replacing(deleted, with: "")
      #expect(now.replacing(deleted, with: "") == kept, "\(name)")
    }
    let pictures = before.keys.filter { $0.hasPrefix("certificates/") }
    #expect(!pictures.isEmpty && pictures.allSatisfy { after[$0] == before[$0] })
    for name in ["contacts.vcf", "weights.csv"] {
      #expect(text(name, in: before).contains(FilledPortal.secret))
      #expect(!text(name, in: after).contains(FilledPortal.secret), "\(name)")
    }
  }

  @Test func `the page of the export says so, and leads to "Recently deleted"`() throws {
    let page = try FilledPortal().patient.get("/account/export")
    #expect(page.text.contains("It also has what is in “Recently deleted”"))
    #expect(page.text.contains("Files for other programs, such as CSV, vCard and FHIR, leave that"))
    #expect(page.main.first { $0.attributes["href"] == "/account/deleted" } != nil)
  }
}
