import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import polyclinic

/// Links and forms of guardians that come too late, twice or from the wrong person.
extension GuardianTests {
  private func fields(_ value: String) -> [(String, String)] {
    Self.weight(value).map { ($0.key, $0.value) }
  }

  private func count(of table: SQL) throws -> Int? {
    try portal.read { try $0.integer("SELECT count(*) FROM \(table)") }
  }

  /// Has two people act for a child, and returns them with the beginning of its addresses.
  private func parents() throws -> (anna: TestVisitor, boris: TestVisitor, mia: String) {
    let anna = try portal.register()
    let boris = try portal.register(login: "boris", ["name": "Boris", "surname": "Orlov"])
    let mia = try child(of: anna)
    let link = try invitation(to: mia.dropFirst("/for/".count), of: anna)
    #expect(try boris.submit(link, [:]).status == 303)
    return (anna, boris, mia)
  }

  @Test func `a link is of no use to its maker, twice, or to somebody who acts already`() throws {
    let (anna, boris, mia) = try parents()
    let second = try invitation(to: mia.dropFirst("/for/".count), of: anna)
    #expect(anna.get(second).status == 409)
    #expect(boris.get(second).status == 409)
    let vera = try portal.register(login: "vera")
    let hidden = vera.get(second).hidden(of: second)
    #expect(vera.post(second, pairs: hidden).status == 303)
    // The same form again, as by a second press of its button, gets the same answer.
    #expect(vera.post(second, pairs: hidden).status == 303)
    #expect(vera.get(second).text.contains("You act for Mia Cohen already."))
    let other = try portal.register(login: "other")
    #expect(other.get(second).status == 410)
    let asked = try other.submit("/account/people/ask", [:]).guardianLink()
    #expect(other.get(asked).status == 409)
  }

  @Test func `a link for a grant whose day is over gives no access`() throws {
    let fields = ["scope": "all", "until": "2026-05-04"]
    let late = try filled.patient.submit("/account/people/access", fields).guardianLink()
    let anna = try portal.register(login: "anna")
    portal.now = try #require(ZonedTime("2026-05-05T08:00:00+03:00")).instant
    #expect(try anna.signIn("anna").status == 303)
    #expect(try anna.submit(late, [:]).status == 410)
    #expect(anna.get("/for/\(try portal.person(of: filled.patient))/").status == 404)
  }

  @Test func `a form that was open when the grant ended saves nothing, nor does a program`() throws
  {
    let until = ["scope": "all", "until": "2026-05-04"]
    let made = try filled.patient.submit("/account/people/access", until)
    let anna = try portal.register(login: "anna")
    #expect(try anna.submit(made.guardianLink(), [:]).status == 303)
    let token = try anna.makeToken(["health-metrics": "write"])
    let program = TestProgram(portal, token: token)
    let prefix = "/for/\(try portal.person(of: filled.patient))"
    portal.now = try #require(ZonedTime("2026-05-04T23:59+03:00")).instant
    #expect(try anna.signIn("anna").status == 303)
    let form = "\(prefix)/health-metrics/weights/new"
    let open = anna.get(form)
    #expect(open.status == 200)
    let weights = try count(of: "health_metrics_weights")
    portal.now = portal.now + .minutes(1)
    let refused = anna.post(form, pairs: open.hidden(of: form) + fields("71"))
    #expect(refused.status == 404)
    #expect(refused.contains("These pages are not open to you"))
    #expect(refused.contains("Nothing was saved. This is what you typed:"))
    #expect(refused.contains("<bdi>71</bdi>"))
    let api = "\(prefix)/api/v1/health-metrics/weights"
    let json = #"{"value": 71, "unit": "kg", "measured_at": "2026-05-04T08:00:00+03:00"}"#
    #expect(program.get(api).status == 404)
    #expect(program.post(api, json).status == 404)
    #expect(try count(of: "health_metrics_weights") == weights)
  }

  @Test func `of two guardians who edit one record, the second one sees what the first saved`()
    throws
  {
    let (anna, boris, mia) = try parents()
    let new = "\(mia)/health-metrics/weights/new"
    #expect(try anna.submit(new, Self.weight("23.7")).status == 303)
    let newest = try portal.read {
      try $0.integer("SELECT max(id_weight) FROM health_metrics_weights")
    }
    let edit = "\(mia)/health-metrics/weights/\(try #require(newest))/edit"
    let open = boris.get(edit)
    #expect(open.status == 200)
    #expect(try anna.submit(edit, Self.weight("24.1")).status == 303)
    let late = boris.post(edit, pairs: open.hidden(of: edit) + fields("24.9"))
    #expect(late.status == 409)
    #expect(late.contains("24.1"))
    #expect(!anna.get("\(mia)/health-metrics/weights").contains("24.9"))
  }

  @Test func `a guardian who is erased leaves the others and the person in care as they are`()
    throws
  {
    let (anna, boris, mia) = try parents()
    #expect(!boris.get("/account/delete").contains("Nobody else acts for"))
    try portal.erase(boris)
    #expect(anna.get("/account/delete").hasNotice(.warning, "Nobody else acts for 1 child"))
    #expect(boris.get("\(mia)/health-metrics").status != 200)
    #expect(anna.get("\(mia)/").status == 200)
    let administrator = try portal.administrator()
    let page = administrator.get("/admin/people/\(mia.dropFirst("/for/".count))/guardians")
    #expect(page.status == 200 && !page.contains("Boris Orlov"))
    // Now the only one, who does not leave the child alone.
    let leave = "/account/people/\(mia.dropFirst("/for/".count))/leave"
    #expect(try anna.submit(leave, [:]).status == 409)
  }

  @Test func `a child who is erased leaves no entry, no page and no link`() throws {
    let (anna, boris, mia) = try parents()
    let person = mia.dropFirst("/for/".count)
    let form = "\(mia)/health-metrics/weights/new"
    let open = anna.get(form)
    let invite = try invitation(to: person, of: anna)
    let account = try accountLink(byClinicFor: person)
    let administrator = try portal.administrator()
    let page = "/admin/people/\(person)/erase"
    let erased = administrator.press(page, on: page, ["confirm": "1"])
    #expect(erased.location == "/admin/people?done=erased")
    for visitor in [anna, boris] {
      let list = visitor.get("/account/people")
      #expect(list.status == 200 && !list.contains("Mia Cohen"))
      #expect(visitor.get("\(mia)/").status == 404)
      #expect(!visitor.get("/").hasLink(to: "\(mia)/"))
    }
    #expect(anna.post(form, pairs: open.hidden(of: form) + fields("23.7")).status == 404)
    #expect(try portal.register().get(invite).status == 410)
    #expect(portal.visitor().get(account).status == 410)
  }

  @Test func `two people act for each other, and each takes back only their own access`() throws {
    let (anna, prefix) = try guardian(.read)
    let patient = filled.patient
    let made = try anna.submit("/account/people/access", ["scope": "read"])
    #expect(try patient.submit(made.guardianLink(), [:]).status == 303)
    let (own, other) = (try portal.person(of: patient), try portal.person(of: anna))
    #expect(patient.get("/for/\(other)/health-metrics").status == 200)
    #expect(anna.get("\(prefix)/health-metrics").status == 200)
    #expect(patient.get("/for/\(other)/for/\(own)/health-metrics").status == 404)
    #expect(patient.get("/for/\(own)/health-metrics").status == 404)
    #expect(try patient.submit("/account/people/\(other)/withdraw", [:]).status == 303)
    #expect(anna.get("\(prefix)/health-metrics").status == 404)
    #expect(patient.get("/for/\(other)/health-metrics").status == 200)
  }

  @Test func `no link lifts a block, also none that the reception has made`() throws {
    let (anna, boris, mia) = try parents()
    let person = mia.dropFirst("/for/".count)
    let unused = try invitation(to: person, of: anna)
    let administrator = try portal.administrator()
    #expect(try block(boris, for: person, by: administrator).status == 303)
    #expect(boris.get(unused).status == 410)
    let later = try invitation(to: person, of: anna)
    #expect(boris.get(later).status == 409)
    #expect(try boris.submit(later, [:]).status == 409)
    #expect(boris.get("\(mia)/").status == 404)
  }

  @Test func `a parent does not enter one child twice`() throws {
    let anna = try portal.register()
    _ = try child(of: anna)
    let refused = try anna.submit("/account/people/child", Self.childFields)
    #expect(refused.refuses("name") && refused.contains("You act for Mia Cohen already"))
  }

  @Test func `a child does not replace a parent's right by a grant that it can take back`() throws {
    let (anna, _, mia) = try parents()
    let account = try accountLink(byClinicFor: mia.dropFirst("/for/".count))
    let own = portal.visitor()
    let fields = [
      "login": "mia", "email": "mia@example.org", "password": TestVisitor.password,
      "password_confirm": TestVisitor.password, "consent": "yes",
    ]
    #expect(try own.submit(account, fields).status == 303)
    let asked = try anna.submit("/account/people/ask", [:]).guardianLink()
    #expect(own.get(asked).status == 409)
  }
}
