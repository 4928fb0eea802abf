import Foundation
import PolyclinicCore
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
      try SecondFactor.enrol(app, at: 1, of: keys, vault, on: $0)
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
}
