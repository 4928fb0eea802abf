import PolyclinicCore
import PolyclinicTesting
import Testing

@Suite struct FormDelayTests {
  @Test func `a form returns 503 with the typed values when the database is read-only`() throws {
    let portal = try TestPortal()
    let anna = try portal.register()
    let form = anna.get("/account/edit")
    try portal.loseWriteAccess()
    var fields = TestVisitor.registration(login: anna.login)
    fields["street"] = "Quiet Lane"
    let answer = anna.post(
      "/account/edit", pairs: form.hidden(of: "/account/edit") + fields.map { ($0.key, $0.value) })
    #expect(answer.status == 503)
    #expect(answer.header("Retry-After") != nil)
    #expect(answer.value(of: "street") == "Quiet Lane")
    #expect(anna.get("/account").status == 200)
  }
}
