import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// The telephone number of the clinic, where patients look for it.
@Suite struct ClinicTelephoneTests {
  private let call = "tel:+37517000"

  @Test func `the pages of the doctor and the list of clinics have the number as a link`() throws {
    let town = try Town()
    let visitor = town.portal.visitor()
    for path in ["/appointments/doctors/\(town.doctor)", "/appointments/clinics"] {
      #expect(visitor.get(path).hasLink(to: call), "\(path)")
    }
    #expect(
      visitor.get("/appointments/clinics").hasLink(to: "/appointments/clinics/\(town.clinic)"))
  }

  @Test func `the extension of a clinic's number is shown and dialled`() throws {
    let town = try Town()
    let number = "+375 (0)17 000 (ext. 5)"
    try town.portal.write {
      _ = try $0.run("UPDATE appointments_clinics SET phone = \(number)")
    }
    for path in ["/appointments/clinics/\(town.clinic)", "/appointments/clinics"] {
      let page = town.portal.visitor().get(path)
      #expect(page.hasLink(to: "tel:+37517000;ext=5") && page.contains(number), "\(path)")
    }
  }

  @Test func `a forgotten password leads to the numbers and opening hours of the clinics`()
    throws
  {
    let town = try Town()
    let page = town.portal.visitor().get("/login/forgotten")
    #expect(page.hasLink(to: call))
    #expect(page.contains("Opening hours") && !page.contains("⟦"))
    _ = try town.portal.administrator().enterClinic()
    let several = town.portal.visitor().get("/login/forgotten")
    #expect(several.hasLink(to: call) && several.hasLink(to: "tel:+37517123"))
    #expect(several.rows.count == 2)
  }

  @Test func `a patient who has chosen one of several clinics is offered its number`() throws {
    let town = try Town()
    let anna = try town.portal.register()
    _ = try town.portal.administrator().enterClinic()
    let clinic = PatientsClinic(module: "appointments")
    let person = try town.portal.person(of: anna)
    func number() throws -> String? {
      try town.portal.read { try clinic.clinic(of: person, in: $0)?.phone }
    }
    #expect(try number() == nil)
    let page = "/appointments/clinics/\(town.clinic)"
    #expect(anna.press(page + "/choose", on: page).status == 303)
    #expect(try number() == "+375 17 000")
  }

  @Test
  func `a patient who has chosen no clinic is offered the one of an appointment, by its name`()
    throws
  {
    let town = try Town()
    let anna = try town.portal.register()
    _ = try town.portal.administrator().enterClinic()
    try town.book(anna, "2026-05-05", "09:00")
    let person = try town.portal.person(of: anna)
    let contacts = PatientsClinic(module: "appointments")
    let found = try town.portal.read { try contacts.clinic(of: person, in: $0) }
    let name = try town.portal.read { try Clinic.find(town.clinic, in: $0)?.name }
    #expect(found?.phone == "+375 17 000")
    for language in Language.allCases {
      #expect(found?.name.string(in: language) == name?.string(in: language))
    }
  }

  @Test func `a portal without e-mail says that messages appear in it`() throws {
    let town = try Town()
    let path = town.confirmation("2026-05-05", "09:00")
    #expect(!town.portal.visitor().get(path).contains("reach you"))
    let anna = try town.portal.register()
    let times = "/appointments/book?doctor=\(town.doctor)"
    let added = anna.press("/appointments/wishes/\(town.doctor)", on: times)
    #expect(anna.get(added.location).hasNotice(.success))
    #expect(!anna.get(times).hasNotice(.success))
    #expect(anna.get(times).text.contains("under Notifications"))
    #expect(!anna.get(times).text.contains("e-mail"))
  }
}
