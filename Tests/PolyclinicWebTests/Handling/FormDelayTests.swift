import PolyclinicCore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@testable import PolyclinicWeb

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

  @Test func `failed requests of one address are logged up to a limit, and the rest are counted`()
    throws
  {
    let portal = try TestPortal()
    let anna = try portal.register()
    let fields = TestVisitor.registration(login: anna.login).map { ($0.key, $0.value) }
    let form = anna.get("/account/edit").hidden(of: "/account/edit") + fields
    try portal.loseWriteAccess()
    for _ in 0..<40 {
      #expect(anna.post("/account/edit", pairs: form).status == 503)
    }
    let lines = portal.log.filter { $0.contains(" error worker \"a form was not saved\" ") }
    #expect(lines.count == LogRateLimit.perSource)
    portal.now = portal.now + .minutes(1)
    #expect(anna.post("/account/edit", pairs: form).status == 503)
    let told = portal.log.last { $0.contains("left out") }
    #expect(told?.contains("count=10 event=\"a form was not saved\" reason=readOnly") == true)
  }
}
