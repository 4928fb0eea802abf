import Foundation
import PolyclinicCore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@testable import PolyclinicPortal
@testable import PolyclinicVault

/// Erasure of an account by its owner.
@Suite struct AccountDeletionTests {
  private let portal: TestPortal
  private let anna: TestVisitor

  init() throws {
    portal = try TestPortal(KeeperModule())
    anna = try portal.register(login: "anna")
  }

  private func erase(
    _ visitor: TestVisitor, _ password: String = TestVisitor.password
  ) throws -> TestPage {
    try visitor.submit("/account/delete", ["current_password": password, "confirm": "yes"])
  }

  private var logged: [[UInt8]] {
    get throws { try ErasureLog(directory: portal.directory + "/backups").ids() }
  }

  @Test func `a user erases their own account and gets a receipt`() throws {
    let boris = try portal.register(login: "boris")
    let before = try portal.rowCounts()
    let page = anna.get("/account/delete")
    #expect(
      page.contains("deleted at once") && page.contains("The portal has made none yet") == false)
    #expect(page.contains("No backup contains your data"))
    #expect(try erase(anna, "not the password").status == 422)
    let unconfirmed = try anna.submit(
      "/account/delete", ["current_password": TestVisitor.password])
    #expect(unconfirmed.refuses("confirm"))
    #expect(try logged.isEmpty)
    let receipt = try erase(anna)
    #expect(receipt.status == 200 && receipt.heading == "Your account is deleted")
    #expect(!receipt.contains("Petrova"))
    let ids = try logged
    #expect(ids.count == 1 && receipt.contains(ids[0].hexadecimalText))
    #expect(anna.get("/account").status == 303)
    #expect(try portal.visitor().signIn("anna").status == 422)
    #expect(boris.get("/account").status == 200)
    let after = try portal.rowCounts()
    #expect(after["people"] == (before["people"] ?? 0) - 1)
    #expect(after["accounts"] == (before["accounts"] ?? 0) - 1)
  }

  @Test func `the last administrator and a doctor with open tasks cannot erase themselves`() throws
  {
    let chief = try portal.administrator()
    let page = chief.get("/account/delete")
    #expect(page.heading == "Before you can delete your account")
    #expect(!page.contains("current_password"))
    let forced = chief.post(
      "/account/delete",
      pairs: chief.get("/account/password").hidden(of: "/account/password")
        + [("current_password", TestVisitor.password), ("confirm", "yes")])
    #expect(forced.status == 409)
    #expect(chief.get("/account").status == 200)
    let doctor = try portal.doctor()
    #expect(doctor.get("/account/delete").hasNotice(.warning, "Take it back first."))
    #expect(try logged.isEmpty)
  }

  @Test func `with two-factor sign-in, erasure needs a code besides the password`() throws {
    let keys = try portal.keys(of: anna)
    let app = OneTimePassword.random()
    let vault = try portal.vault
    _ = try portal.database.write {
      try SecondFactor(vault: vault).enrol(
        SecondFactor.ProvenApp(password: app, step: 1),
        in: Work(keys: keys, at: portal.now, on: $0))
    }
    #expect(try erase(anna).status == 422)
    #expect(try logged.isEmpty)
    let code = app.code(at: OneTimePassword.step(at: portal.now))
    let receipt = try anna.submit(
      "/account/delete", ["current_password": TestVisitor.password, "code": code, "confirm": "yes"])
    #expect(receipt.heading == "Your account is deleted")
  }

  @Test func `erasure is refused with 409 when the erasure log cannot be written`() throws {
    try Data().write(to: URL(filePath: portal.directory + "/backups"))
    let answer = try erase(anna)
    #expect(answer.status == 409 && answer.hasNotice(.warning, "Nothing was deleted"))
    #expect(anna.get("/account").status == 200)
  }

  @Test(arguments: [["discard": "yes"], ["cancel": "yes"], ["discard": "no"], ["confirm": "yes"]])
  func `nothing is erased without the password, whatever else the form says`(
    _ sent: [String: String]
  ) throws {
    let answer = try anna.submit("/account/delete", sent)
    #expect(answer.heading != "Your account is deleted")
    #expect(anna.get("/account").status == 200)
    #expect(try logged.isEmpty)
  }

  @Test func `with two-factor sign-in, a form that is left erases nothing`() throws {
    _ = try anna.enrol(in: portal)
    let proof = ["current_password": TestVisitor.password, "discard": "yes"]
    #expect(try anna.submit("/account/delete", proof).location == "/account")
    #expect(anna.get("/account").status == 200)
  }

  @Test func `a form that was refused does not erase after the password has changed`() throws {
    let blocked = portal.directory + "/backups"
    try Data().write(to: URL(filePath: blocked))
    let proof = [("current_password", TestVisitor.password), ("confirm", "yes")]
    let sent = anna.get("/account/delete").hidden(of: "/account/delete") + proof
    #expect(anna.post("/account/delete", pairs: sent).status == 409)
    try FileManager.default.removeItem(atPath: blocked)
    let new = "amber lanterns over quiet water"
    let change = [
      "current_password": TestVisitor.password, "password": new, "password_confirm": new,
    ]
    #expect(try anna.submit("/account/password", change).status == 303)
    let csrf = anna.get("/account/delete").hidden(of: "/account/delete").filter { $0.0 == "csrf" }
    let again = anna.post("/account/delete", pairs: csrf + sent.filter { $0.0 != "csrf" })
    #expect(again.refuses("current_password"))
    #expect(anna.get("/account").status == 200)
  }

  @Test func `the form with which one user was erased erases nobody else`() throws {
    let other = "amber lanterns over quiet water"
    let boris = try portal.register(
      login: "boris", ["password": other, "password_confirm": other])
    let path = "/account/delete"
    let proof = [("current_password", TestVisitor.password), ("confirm", "yes")]
    let sent = (anna.get(path).hidden(of: path) + proof).filter { $0.0 != "person" }
    #expect(anna.post(path, pairs: sent).heading == "Your account is deleted")
    let csrf = boris.get(path).hidden(of: path).filter { $0.0 == "csrf" }
    let again = boris.post(path, pairs: csrf + sent.filter { $0.0 != "csrf" })
    #expect(again.refuses("current_password"))
    #expect(boris.get("/account").status == 200)
  }
}
