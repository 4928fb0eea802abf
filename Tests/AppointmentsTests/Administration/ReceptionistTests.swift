import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// Administration of receptionists and their clinics.
@Suite struct ReceptionistTests {
  @Test func `an administrator adds a receptionist to a clinic and removes them`() throws {
    let town = try Town()
    let admin = try town.portal.administrator()
    let eva = try town.portal.receptionist(["name": "Eva", "surname": "Lind"])
    let person = try town.portal.person(of: eva)
    let desk = town.clinicPath + "/desk"
    #expect(admin.get(desk).isEmptyList())
    #expect(admin.get(desk + "/new").offers("Eva Lind", in: "receptionist"))
    let answer = try admin.submit(desk + "/new", ["receptionist": "\(person)"])
    #expect(answer.location == desk)
    #expect(admin.get(desk).hasRow("Eva Lind"))
    let clinics = {
      try town.portal.read { try Receptionist.clinics(of: person, in: $0).map(\.id) }
    }
    #expect(try clinics() == [town.clinic])
    #expect(try admin.submit(desk + "/new", ["receptionist": "\(person)"]).status == 303)
    #expect(try clinics() == [town.clinic])
    #expect(admin.press(desk + "/remove", on: desk).location == desk)
    #expect(try clinics() == [])
  }

  @Test func `adding an account without the receptionist role is refused with 422`() throws {
    let town = try Town()
    let admin = try town.portal.administrator()
    let patient = try town.portal.person(of: try town.portal.register())
    for value in ["\(patient)", "999", "", "x"] {
      let page = try admin.submit(town.clinicPath + "/desk/new", ["receptionist": value])
      #expect(page.refuses("receptionist"))
    }
  }

  @Test func `a receptionist's access log names the administrator who added them`() throws {
    let town = try Town()
    let admin = try town.portal.administrator(["name": "Ada", "surname": "Min"])
    let eva = try town.portal.receptionist()
    let person = try town.portal.person(of: eva)
    _ = try admin.submit(town.clinicPath + "/desk/new", ["receptionist": "\(person)"])
    #expect(eva.get("/account/access-log").hasRow("Ada Min"))
  }

  @Test func `a receptionist's clinic is exported and is deleted on erasure`() throws {
    let town = try Town()
    let admin = try town.portal.administrator()
    let eva = try town.portal.receptionist()
    let person = try town.portal.person(of: eva)
    _ = try admin.submit(town.clinicPath + "/desk/new", ["receptionist": "\(person)"])
    let copy = try town.portal.export(of: eva, from: "appointments")
    #expect("\(copy)".contains("First Clinic"))
    try town.portal.erase(eva)
    #expect(try town.portal.count("SELECT count(*) FROM appointments_receptionists") == 0)
  }
}
