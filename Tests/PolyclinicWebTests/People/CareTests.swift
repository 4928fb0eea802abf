import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import PolyclinicWeb

@Suite struct CareTests {
  private let portal: TestPortal
  private let anna: TestVisitor
  private let boris: TestVisitor
  private let doctor: TestVisitor
  private let desk: TestVisitor

  /// Makes Anna the doctor's patient; Boris has no doctor.
  init() throws {
    portal = try TestPortal(WardModule())
    anna = try portal.register(["surname": "Patient"])
    boris = try portal.register()
    doctor = try portal.doctor(["name": "Doris", "surname": "Doctor"])
    desk = try portal.receptionist(["name": "Rosa", "surname": "Desk"])
    let id = try portal.person(of: doctor)
    #expect(anna.press("/ward/\(id)/choose", on: "/ward/button/\(id)").status == 303)
  }

  private func number(_ visitor: TestVisitor) throws -> ID<Person> {
    try portal.person(of: visitor)
  }

  @Test func `a doctor opens only the patients on their own list`() throws {
    #expect(doctor.get("/ward/care/\(try number(anna))").body == "Anna Patient, Doris Doctor")
    #expect(doctor.get("/ward/care/\(try number(boris))").status == 403)
    #expect(doctor.get("/ward/care/999").status == 403)
    let other = try portal.doctor()
    #expect(other.get("/ward/care/\(try number(anna))").status == 403)
  }

  @Test func `each access reason needs its own role`() throws {
    let id = try number(anna)
    #expect(desk.get("/ward/desk/\(id)").status == 200)
    #expect(desk.get("/ward/care/\(id)").status == 403)
    #expect(doctor.get("/ward/desk/\(id)").status == 403)
    #expect(boris.get("/ward/care/\(id)").status == 403)
    #expect(try portal.administrator().get("/ward/desk/\(id)").status == 403)
    #expect(portal.visitor().get("/ward/care/\(id)").status == 303)
  }

  @Test func `without care relations from a module, a doctor opens only their own data`() throws {
    let lonely = try TestPortal(WardModule(relations: nil))
    let (anna, doctor) = (try lonely.register(), try lonely.doctor())
    #expect(doctor.get("/ward/care/\(try lonely.person(of: anna))").status == 403)
    #expect(doctor.get("/ward/care/\(try lonely.person(of: doctor))").body == "Anna Petrova")
  }

  @Test(arguments: Language.allCases)
  func `the access log names each viewer once in every language`(language: Language) throws {
    let reader = portal.visitor(language: language)
    _ = try reader.signIn(anna.login)
    let id = try number(anna)
    for _ in 1...3 { _ = doctor.get("/ward/care/\(id)") }
    _ = desk.get("/ward/desk/\(id)")
    let page = reader.get("/account/access-log")
    for name in ["Doris Doctor", "Rosa Desk"] {
      #expect(page.body.split(separator: name).count == 2)
    }
    #expect(!page.contains("⟦"))
    #expect(!boris.get("/account/access-log").contains("Doris"))
    #expect(
      !doctor.get("/account/access-log").contains("Doris Doctor</bdi></strong> <span class=\"badge")
    )
  }

  @Test func `a refused view adds no access log entry`() throws {
    _ = doctor.get("/ward/care/\(try number(boris))")
    #expect(try portal.rowCounts()["access_log"] == 0)
  }

  @Test func `each change is a separate log entry in its module's words`() throws {
    let id = try number(anna)
    for _ in 1...2 {
      let moved = doctor.press("/ward/care/\(id)/move", on: "/ward/button/\(id)")
      #expect(moved.location == "/ward/button/\(id)")
    }
    let page = anna.get("/account/access-log")
    #expect(page.body.split(separator: "Moved to ").count == 3)
    #expect(page.contains("&lt;b&gt;7") && page.hasRow("treatment") && !page.contains("<b>7"))
    let other = try number(boris)
    #expect(doctor.press("/ward/care/\(other)/move", on: "/ward/button/\(other)").status == 403)
    #expect(try portal.rowCounts()["access_log"] == 2)
  }

  @Test func `the database files hold no access log entry in plain text`() throws {
    let id = try number(anna)
    _ = doctor.press("/ward/care/\(id)/move", on: "/ward/button/\(id)")
    let stored = String(decoding: try portal.storedBytes(), as: UTF8.self)
    #expect(!stored.contains("log.moved") && !stored.contains("Doris"))
  }

  @Test func `the access log keeps the name and role of an erased viewer`() throws {
    let id = try number(anna)
    _ = doctor.get("/ward/care/\(id)")
    _ = doctor.press("/ward/care/\(id)/move", on: "/ward/button/\(id)")
    try portal.erase(doctor)
    let page = anna.get("/account/access-log")
    #expect(page.body.split(separator: "Doris Doctor").count == 3)
    #expect(page.body.split(separator: ">Doctor</span>").count == 3)
    #expect(page.hasRow("Moved to"))
    #expect(try portal.problems() == [])
  }

  @Test func `a module lists and opens those who show the doctor its records`() throws {
    let id = try number(boris)
    #expect(doctor.get("/ward/shown").body == "" && doctor.get("/ward/shown/\(id)").status == 403)
    let end = portal.now + .hours(1)
    try portal.show("ward", of: boris, to: doctor, until: end)
    try portal.show("other", of: anna, to: doctor, until: end)
    #expect(doctor.get("/ward/shown").body == "Anna Petrova")
    #expect(boris.get("/account/access-log").hasRow("shown by the patient") == false)
    #expect(doctor.get("/ward/shown/\(id)").body == "Anna Petrova, Doris Doctor")
    #expect(boris.get("/account/access-log").hasRow("shown by the patient · Your name"))
    #expect(doctor.get("/ward/shown/\(try number(anna))").status == 403)
    #expect(desk.get("/ward/shown").body == "")
    portal.now = end
    #expect(doctor.get("/ward/shown").body == "")
  }

  @Test func `the log is in the person's export and is erased with the person`() throws {
    let id = try number(anna)
    _ = doctor.get("/ward/care/\(id)")
    _ = doctor.press("/ward/care/\(id)/move", on: "/ward/button/\(id)")
    let copy = String(decoding: try portal.export(of: anna, from: "account").encoded, as: UTF8.self)
    #expect(copy.contains(#""access_log":[{"name":"Doris Doctor","role":"doctor","reason":"care""#))
    #expect(copy.contains(#""change":"log.moved","values":{"bed":"<b>7"}"#))
    try portal.erase(anna)
    #expect(try portal.rowCounts()["access_log"] == 0)
  }

  @Test func `a change without a phrase in the catalog shows a general sentence`() throws {
    let keys = try portal.keys(of: anna)
    var change = Text("log.unknown")
    change.module = "ward"
    let visitor = Visitor(person: try number(doctor), name: "Doris Doctor", roles: [.doctor])
    try portal.database.write {
      try AccessLog.record(
        change, for: .care,
        in: Work(visitor: visitor, at: portal.now, on: $0).with(keys))
    }
    #expect(anna.get("/account/access-log").hasRow("Data was changed"))
  }
}
