import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Contacts

/// The people and places that the town's patients know.
@Suite struct DemonstrationTests {
  @Test(arguments: [
    PackageResources.town_contacts_en_vcf, PackageResources.town_contacts_ru_vcf,
    PackageResources.town_contacts_he_vcf,
  ])
  func `each card of a file of the demonstration is new and needs no remark`(
    file: [UInt8]
  ) throws {
    let portal = try TestPortal(ContactsModule())
    let keys = try portal.keys(of: portal.register())
    let rows = try portal.read { try ContactImport.read(file, in: $0.with(keys)) { $0.key } }
    #expect(rows.count > 10)
    for row in rows {
      guard case .new(let item) = row.outcome else {
        Issue.record("\(row.title)")
        continue
      }
      #expect(row.remarks.isEmpty)
      #expect(item.contact.methods.first?.value.hasPrefix("+375 29 1") == true)
    }
  }

  @Test func `the first patient of the demonstration has contacts and an export of them`() throws {
    let portal = try TestPortal(ContactsModule())
    try portal.demonstrate()
    let patient = portal.visitor()
    _ = try patient.signIn("patient", "four kind otters rowing home")
    let names = patient.names()
    #expect(names.count >= 5)
    let cards = patient.get("/contacts/export.vcf").body
    #expect(names.allSatisfy { cards.contains("FN:\($0)\r\n") })
  }
}
