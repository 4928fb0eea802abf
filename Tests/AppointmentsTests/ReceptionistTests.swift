import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// Who works at the desk of which clinic.
@Suite struct ReceptionistTests {
  @Test func `a receptionist is added to a desk and removed`() throws {
    let town = try Town()
    let admin = try town.portal.administrator()
    let eva = try town.portal.receptionist(["name": "Eva", "surname": "Lind"])
    let person = try town.portal.person(of: eva)
    let desk = town.clinicPath + "/desk"
    #expect(admin.get(desk).contains("Nobody works at this desk yet"))
    #expect(admin.get(desk + "/new").contains("Eva Lind"))
    let answer = try admin.submit(desk + "/new", ["receptionist": "\(person)"])
    #expect(answer.location == desk)
    #expect(admin.get(desk).contains("Eva Lind"))
    let clinics = {
      try town.portal.database.read { try Receptionist.clinics(of: person, on: $0).map(\.id) }
    }
    #expect(try clinics() == [town.clinic])
    #expect(try admin.submit(desk + "/new", ["receptionist": "\(person)"]).status == 303)
    #expect(try clinics() == [town.clinic])
    #expect(admin.press(desk + "/remove", on: desk).location == desk)
    #expect(try clinics() == [])
  }

  @Test func `nobody without the role gets to a desk`() throws {
    let town = try Town()
    let admin = try town.portal.administrator()
    let patient = try town.portal.person(of: try town.portal.register())
    for value in ["\(patient)", "999", "", "x"] {
      let page = try admin.submit(town.clinicPath + "/desk/new", ["receptionist": value])
      #expect(page.status == 422 && page.contains("id=\"receptionist-error\""))
    }
  }

  @Test func `whose name an administrator reads at the desk reads of it`() throws {
    let town = try Town()
    let admin = try town.portal.administrator(["name": "Ada", "surname": "Min"])
    let eva = try town.portal.receptionist()
    let person = try town.portal.person(of: eva)
    _ = try admin.submit(town.clinicPath + "/desk/new", ["receptionist": "\(person)"])
    #expect(eva.get("/account/access-log").contains("Ada Min"))
  }

  @Test func `a desk that is erased with its person leaves nothing`() throws {
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
