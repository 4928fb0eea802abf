import PolyclinicCore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@Suite struct ProfilePartTests {
  private func stored(_ portal: TestPortal) throws -> [String] {
    try portal.database.read {
      try $0.rows("SELECT content, shelf FROM notes_pockets") { "\($0.string(0))/\($0.string(1))" }
    }
  }

  @Test func `registration takes the module's fields, and the profile shows and saves them`() throws
  {
    let portal = try TestPortal(NotesModule())
    #expect(!portal.visitor().get("/register").contains("What is in it"))
    let anna = try portal.register(["pocket": "keys", "shelf": "3"])
    #expect(try stored(portal) == ["keys/3"])
    #expect(anna.get("/account").hasFact("keys"))
    let page = anna.get("/account/edit")
    #expect(page.contains("What is in it") && page.contains("Which shelf"))
    #expect(page.hasValue("keys") && page.hasValue("3"))
    let fields = TestVisitor.registration(login: anna.login)
    let answer = try anna.submit(
      "/account/edit", fields.merging(["pocket": "pen", "shelf": "4"]) { $1 })
    #expect(answer.status == 303)
    #expect(try stored(portal) == ["pen/4"])
  }

  @Test func `a value that a module refuses stops the registration with its message`() throws {
    let portal = try TestPortal(NotesModule())
    let fields = TestVisitor.registration(login: "anna")
    let page = try portal.visitor().submit("/register", fields.merging(["pocket": "stone"]) { $1 })
    #expect(page.status == 422 && page.error(of: "pocket") == "The pocket is full")
    #expect(try stored(portal).isEmpty)
    #expect(try portal.rowCounts()["people"] == 0)
  }

  @Test func `a module's rule across fields is checked at registration`() throws {
    let portal = try TestPortal(NotesModule())
    let fields = TestVisitor.registration(login: "anna")
    let page = try portal.visitor().submit("/register", fields.merging(["shelf": "9"]) { $1 })
    #expect(page.status == 422 && page.error(of: "shelf") == "That shelf is too high")
  }

  @Test func `fields of a disabled module are neither shown nor saved`() throws {
    let portal = try TestPortal(NotesModule(), disabled: ["notes"])
    let anna = try portal.register(["pocket": "keys"])
    #expect(!anna.get("/account/edit").contains("What is in it"))
    #expect(try stored(portal).isEmpty)
  }
}
