import PolyclinicCore
import PolyclinicTesting
import Testing

@Suite struct AccountTests {
  @Test func `the home page offers registration to a visitor`() throws {
    let page = try TestPortal().visitor().get("/")
    #expect(page.status == 200)
    #expect(page.contains("/register"))
  }

  @Test func `a user registers, signs out and signs in again`() throws {
    let portal = try TestPortal()
    let anna = try portal.register(login: "anna")
    #expect(anna.get("/account").hasFact("Anna"))
    #expect(anna.press("/logout", on: "/").status == 303)
    #expect(anna.get("/account").location == "/login?next=%2Faccount")
    let answer = try anna.signIn("anna")
    #expect(answer.status == 303)
    #expect(anna.get("/account").status == 200)
  }

  @Test func `the account groups its settings and ends with the button that signs out`() throws {
    let portal = try TestPortal()
    let anna = try portal.register(login: "anna")
    let page = anna.get("/account")
    #expect(
      page.sections == [
        "Signing in", "Notifications and look", "Family and sharing", "Your data", "Your account",
      ])
    #expect(page.main.all("form").last?.attributes["action"] == "/logout")
    #expect(page.main.all("button").last?.text == "Sign out")
    #expect(anna.press("/logout", on: page).status == 303)
    #expect(anna.get("/account").status == 303)
  }

  @Test func `each page of the account's settings has an icon of its own`() throws {
    let portal = try TestPortal()
    for person in [try portal.register(), try portal.doctor()] {
      let icons = person.get("/account").main.all("use").compactMap { $0.attributes["href"] }
      #expect(icons.count > 10)
      #expect(Set(icons).count == icons.count)
    }
  }
}
