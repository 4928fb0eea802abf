import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import polyclinic

/// The way from a vaccination that is due to a doctor, in a portal with all modules.
@Suite struct VaccinationBookingTests: GuardianSuite {
  private let filled: FilledPortal
  var portal: TestPortal { filled.portal }

  private static let record = "/vaccination-qr/record"
  private static let influenza = ["vaccine": "Influenza", "date": "2025-06-01"]

  init() throws {
    filled = try FilledPortal()
    try portal.database.write {
      _ = try $0.run("UPDATE appointments_departments SET specialization = 'vaccination'")
    }
  }

  /// Returns the rows of vaccinations with “Book an appointment”, each with the button's address.
  private func bookings(on page: TestPage) -> [(row: String, address: String)] {
    page.main.all("li").compactMap { row in
      let link = row.all("a").first { $0.text.hasPrefix("Book an appointment") }
      return link?.attributes["href"].map { (row.text, $0) }
    }
  }

  /// Returns the address behind the only “Book an appointment” on a page.
  private func booking(on page: TestPage) throws -> String {
    let found = bookings(on: page)
    #expect(found.count == 1)
    return try #require(found.first?.address)
  }

  @Test(arguments: Language.allCases)
  func `a vaccination that is due leads to doctors who vaccinate, in each language`(
    _ language: Language
  ) throws {
    let patient = filled.patient
    let address = try booking(on: patient.get(Self.record))
    #expect(address.hasPrefix("/appointments/doctors?q=") && !address.contains("children"))
    _ = patient.press("/language", on: "/", ["language": language.code], evenIfAbsent: true)
    let links = patient.get(Self.record).main.all("a").compactMap { $0.attributes["href"] }
    let spoken = try #require(links.first { $0.hasPrefix("/appointments/doctors?q=") })
    let found = patient.get(spoken)
    #expect(found.status == 200 && found.hasLink(with: "/appointments/doctors/1"))
  }

  @Test func `a child is vaccinated by a doctor for children`() throws {
    let anna = try portal.register()
    let mia = try child(of: anna)
    #expect(try anna.submit("\(mia)\(Self.record)/new", Self.influenza).status == 303)
    let address = try booking(on: anna.get(mia + Self.record))
    #expect(address.hasPrefix("\(mia)/appointments/doctors?") && address.contains("children=1"))
    let vaccine = ["vaccine": "Tick-borne encephalitis, child", "label": "Theo"]
    let fields = Self.influenza.merging(vaccine) { $1 }.merging(["next_due": "2026-05-20"]) { $1 }
    let boris = try portal.register()
    #expect(try boris.submit("\(Self.record)/new", fields).status == 303)
    #expect(try booking(on: boris.get(Self.record)).contains("children=1"))
    let own = Self.influenza.merging(["next_due": "2026-05-20"]) { $1 }
    #expect(try boris.submit("\(Self.record)/new", own).status == 303)
    let both = bookings(on: boris.get(Self.record))
    #expect(both.count == 2)
    for (row, address) in both {
      #expect(address.contains("children=1") == row.contains("Theo"), "\(row)")
    }
  }
}
