import PolyclinicCore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@testable import PolyclinicWeb

@Suite struct AdministrationRightsTests {
  let portal: TestPortal
  let administrator: TestVisitor

  init() throws {
    portal = try TestPortal()
    administrator = try portal.administrator()
  }

  @Test func `an approved doctor has to sign in again and has the role`() throws {
    let vera = try portal.register(login: "vera", ["role": "doctor"])
    let page = try portal.path(of: vera)
    let answer = administrator.press("\(page)/approve", on: page)
    #expect(answer.location == "\(page)?done=approved")
    #expect(vera.get("/account").location == "/login?next=%2Faccount")
    #expect(try roles(of: vera) == [.patient, .doctor])
    #expect(try actions() == ["approve"])
    #expect(try vera.signIn("vera").status == 303)
    #expect(vera.get("/account").fact("Roles") == "Patient, Doctor")
    #expect(administrator.get(page).fact("Roles") == "Patient, Doctor")
  }

  @Test func `approving a doctor who was declined is refused with 409`() throws {
    let vera = try portal.register(login: "vera", ["role": "doctor"])
    let page = try portal.path(of: vera)
    let hidden = administrator.get(page).hidden(of: "\(page)/approve")
    #expect(administrator.press("\(page)/decline", on: page).status == 303)
    let answer = administrator.post("\(page)/approve", pairs: hidden)
    #expect(answer.status == 409)
    #expect(answer.hasNotice(.warning, "decided in the meantime"))
    #expect(try roles(of: vera) == [.patient])
    #expect(try actions() == ["decline"])
  }

  @Test func `a role given twice is audited once, and taking it asks for confirmation`() throws {
    let vera = try portal.register(login: "vera")
    let page = try portal.path(of: vera)
    let hidden =
      administrator.get(page).hidden(of: "\(page)/give")
      .filter { $0.0 != "role" } + [("role", "receptionist")]
    #expect(administrator.post("\(page)/give", pairs: hidden).status == 303)
    #expect(administrator.post("\(page)/give", pairs: hidden).status == 303)
    #expect(try roles(of: vera) == [.patient, .receptionist])
    #expect(administrator.get(page).hasLink(to: "\(page)/take?role=receptionist"))
    #expect(
      administrator.get(page).contains("Remove<span class=\"hidden-text\"> Receptionist</span>")
    )
    let question = "\(page)/take?role=receptionist"
    #expect(administrator.get(question).value(of: "person_name") == "Anna Petrova")
    #expect(try administrator.submit(question, ["cancel": ""]).location == page)
    #expect(try roles(of: vera) == [.patient, .receptionist])
    #expect(try administrator.submit(question, [:]).status == 303)
    #expect(try roles(of: vera) == [.patient])
    #expect(try actions() == ["give", "take"])
  }

  @Test func `giving the role of an administrator asks for confirmation`() throws {
    let vera = try portal.register(login: "vera")
    let page = try portal.path(of: vera)
    let question = "\(page)/give?role=administrator"
    #expect(administrator.get(page).hasLink(to: question))
    #expect(try administrator.submit(question, ["cancel": "yes"]).location == page)
    #expect(try roles(of: vera) == [.patient])
    #expect(try administrator.submit(question, [:]).location == "\(page)?done=given")
    #expect(try roles(of: vera) == [.patient, .administrator])
  }

  @Test(arguments: ["", "patient", "owner"])
  func `a role that cannot be given is refused with 400`(role: String) throws {
    let vera = try portal.register()
    let page = try portal.path(of: vera)
    #expect(administrator.press("\(page)/give", on: page, ["role": role]).status == 400)
    #expect(administrator.get("\(page)/take?role=\(role)").status == 400)
    #expect(try roles(of: vera) == [.patient])
  }

  @Test func `a suspension asks for confirmation, ends sessions and blocks sign-in`() throws {
    let vera = try portal.register(login: "vera")
    let page = try portal.path(of: vera)
    #expect(administrator.get(page).hasSection("Suspend the account"))
    let question = administrator.get("\(page)/suspend")
    #expect(question.value(of: "person_name") == "Anna Petrova")
    #expect(try administrator.submit("\(page)/suspend", ["cancel": "yes"]).location == page)
    #expect(vera.get("/account").status == 200)
    #expect(try administrator.submit("\(page)/suspend", [:]).status == 303)
    #expect(!administrator.get(page).hasSection("Suspend the account"))
    #expect(vera.get("/account").status == 303)
    #expect(try vera.signIn("vera").status == 422)
    #expect(administrator.press("\(page)/reinstate", on: page).status == 303)
    #expect(try vera.signIn("vera").status == 303)
    #expect(try actions() == ["suspend", "reinstate"])
  }

  @Test func `the last administrator cannot be demoted or suspended`() throws {
    let page = try portal.path(of: administrator)
    let taken = try administrator.submit("\(page)/take?role=administrator", [:])
    #expect(taken.status == 409)
    #expect(taken.hasNotice(.warning, "at least one active administrator"))
    #expect(try administrator.submit("\(page)/suspend", [:]).status == 409)
    #expect(administrator.get("/admin").status == 200)
    #expect(try actions() == [])
  }

  @Test func `administrators who change their own roles get a new session`() throws {
    let other = try portal.register(login: "other")
    try portal.grant(.administrator, to: "other")
    let page = try portal.path(of: administrator)
    let before = administrator.cookie("__Host-session")
    let given = administrator.press("\(page)/give", on: page, ["role": "doctor"])
    #expect(given.location == "\(page)?done=given")
    #expect(administrator.cookie("__Host-session") != before)
    #expect(administrator.get("/admin").status == 200)
    let taken = try administrator.submit("\(page)/take?role=administrator", [:])
    #expect(taken.location == "/")
    #expect(administrator.get("/admin").status == 403)
    #expect(other.get("/admin").status == 200)
  }

  @Test func `the audit log shows names, except those of erased people`() throws {
    let vera = try portal.register(login: "vera", ["name": "Vera", "role": "doctor"])
    let page = try portal.path(of: vera)
    _ = administrator.press("\(page)/approve", on: page)
    let before = administrator.get("/admin/audit")
    #expect(before.hasRow("(Europe/Minsk)"))
    #expect(before.hasRow("Approved: "))
    #expect(before.hasRow("Vera Petrova"))
    let person = try portal.keys(of: vera).person
    try portal.database.write { try $0.run("DELETE FROM people WHERE id_person = \(person)") }
    let after = administrator.get("/admin/audit")
    #expect(after.hasRow("Deleted person"))
    #expect(!after.contains("Vera"))
  }

  private func roles(of visitor: TestVisitor) throws -> Set<PolyclinicCore.Role> {
    let person = try portal.keys(of: visitor).person
    return try portal.database.read { try Account.find(person, on: $0)?.roles ?? [] }
  }

  private func actions() throws -> [String] {
    try portal.database.read { connection in
      try connection.rows("SELECT action FROM audit ORDER BY id_audit") { $0.string(0) }
    }
  }
}
