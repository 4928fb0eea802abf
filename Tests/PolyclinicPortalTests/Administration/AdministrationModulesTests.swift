import PolyclinicCore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@Suite struct AdministrationModulesTests {
  @Test func `modules are listed with their state`() throws {
    let administrator = try TestPortal(Diary(), disabled: ["diary"]).administrator()
    let page = administrator.get("/admin/modules")
    #expect(page.hasLink(to: "/admin/modules/diary/enable"))
    #expect(!page.contains("/admin/modules/account/"))
  }

  @Test func `the data that a module keeps is listed in whole sentences`() throws {
    let page = try TestPortal(Diary()).administrator().get("/admin/modules")
    #expect(page.contains("As described on the privacy page:</p><ul><li>"))
    #expect(!page.contains(".;"))
  }

  @Test func `switching a module is audited, and the page refreshes for 30 seconds`() throws {
    let portal = try TestPortal(Diary(), disabled: ["diary"])
    let administrator = try portal.administrator()
    let path = "/admin/modules/diary/enable"
    let answer = administrator.press(path, on: path)
    #expect(answer.status == 303)
    let page = administrator.get(answer.location)
    #expect(page.contains("http-equiv=\"refresh\""))
    #expect(page.hasNotice(.plain, "takes effect in a moment"))
    #expect(administrator.get("/admin/audit").hasRow("Asked to switch on"))
    portal.now = portal.now + .seconds(31)
    let late = administrator.get(answer.location)
    #expect(!late.contains("http-equiv=\"refresh\""))
    #expect(late.hasNotice(.warning, "polyclinic status"))
  }

  @Test func `the page reports that a switched module is on`() throws {
    let portal = try TestPortal(Diary())
    let administrator = try portal.administrator()
    let since = portal.now.seconds
    let page = administrator.get("/admin/modules?switched=diary&to=on&since=\(since)")
    #expect(page.hasNotice(.success, "is on."))
    #expect(!page.contains("http-equiv=\"refresh\""))
  }

  @Test(arguments: ["account", "nothing"])
  func `switching an always-on or unknown module fails with 404`(id: String) throws {
    let administrator = try TestPortal(Diary()).administrator()
    let path = "/admin/modules/diary/disable"
    let hidden = administrator.get(path).hidden(of: path)
    #expect(!hidden.isEmpty && administrator.get("/admin/modules/\(id)/disable").status == 404)
    #expect(administrator.post("/admin/modules/\(id)/disable", pairs: hidden).status == 404)
  }
}
