import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import polyclinic

/// The form with which a parent corrects a child's name, birth date and sex.
@Suite struct ChildCorrectionTests: GuardianSuite {
  private let filled: FilledPortal
  var portal: TestPortal { filled.portal }

  init() throws { filled = try FilledPortal() }

  private static let people = "/account/people"

  private static func details(_ changes: [String: String] = [:]) -> [String: String] {
    let present = [
      "name": "Mia", "surname": "Cohen", "birth_date": "2019-03-04", "sex": "female",
    ]
    return present.merging(changes) { $1 }
  }

  /// Registers two parents of a child of seven years, and returns them with the form's address.
  private func parents() throws -> (anna: TestVisitor, boris: TestVisitor, form: String) {
    let (anna, boris) = (try parent(), try parent("Boris"))
    let mia = try child(of: anna)
    let link = try invitation(to: mia.dropFirst("/for/".count), of: anna)
    #expect(try boris.submit(link, [:]).status == 303)
    return (anna, boris, "\(mia)/account/child")
  }

  @Test func `a parent corrects a child's details, and the ages follow the birth date`() throws {
    let (anna, boris, form) = try parents()
    #expect(anna.get(Self.people).hasLink(to: form))
    #expect(anna.get(form).contains("2019-03-04"))
    let changes = ["name": "Maya", "birth_date": "2018-04-05"]
    let saved = try anna.submit(form, Self.details(changes))
    #expect(saved.status == 303 && saved.location == Self.people)
    for parent in [anna, boris] {
      let list = parent.get(Self.people)
      #expect(list.contains("Maya Cohen") && !list.contains("Mia Cohen"))
      #expect(list.contains("from the birthday on 5 April 2029: only appointments"))
      #expect(list.contains("until 4 April 2036"))
    }
    let mia = form.dropLast("/account/child".count)
    #expect(anna.get("\(mia)/account/access-log").contains("Correct a child’s details"))
    let told = "Olga Cohen has corrected the name, the date of birth or the sex of Mia Cohen."
    #expect(boris.get("/notifications").contains(told))
    #expect(!anna.get("/notifications").contains(told))
  }

  private static let question = "With this date, Mia is 12 years old. From the age of 11 on"

  /// Sends a form, and once more in answer to its question about the birth date.
  private func sendTwice(
    _ form: String, _ fields: [String: String], by visitor: TestVisitor
  ) throws -> TestPage {
    let asked = try visitor.submit(form, fields)
    #expect(asked.status == 422 && asked.contains(Self.question))
    let typed = fields.map { ($0.key, $0.value) }
    return visitor.post(form, pairs: asked.hidden(of: form) + typed)
  }

  @Test func `a date by which parents only book is asked about, and each puts it right`() throws {
    let (anna, boris, form) = try parents()
    let older = Self.details(["birth_date": "2014-03-04"])
    #expect(try anna.submit(form, older).contains(Self.question))
    #expect(anna.get(Self.people).contains("until 3 March 2037"))
    #expect(try sendTwice(form, older, by: anna).status == 303)
    let mia = form.dropLast("/account/child".count)
    for parent in [anna, boris] {
      #expect(parent.get("\(mia)/health-metrics").status == 403)
      #expect(parent.get("\(mia)/account/access-log").status == 403)
      #expect(parent.get(form).status == 200)
      let list = parent.get(Self.people)
      #expect(list.hasLink(to: form) && !list.hasLink(to: "\(mia)/account/access-log"))
    }
    // A further correction that leaves the age asks nothing.
    let renamed = Self.details(["birth_date": "2014-03-05", "name": "Maya"])
    #expect(try boris.submit(form, renamed).status == 303)
    #expect(try boris.submit(form, Self.details()).status == 303)
    for parent in [anna, boris] {
      #expect(parent.get("\(mia)/health-metrics").status == 200)
    }
  }

  @Test func `after a week, a parent gives no date that changes what parents may do`() throws {
    let (anna, _, form) = try parents()
    portal.now = portal.now + .days(7) + .minutes(1)
    #expect(try anna.signIn(anna.login).status == 303)
    let older = Self.details(["birth_date": "2014-03-04"])
    let asked = try anna.submit(form, older)
    let typed = older.map { ($0.key, $0.value) }
    let refused = anna.post(form, pairs: asked.hidden(of: form) + typed)
    #expect(refused.refuses("birth_date") && refused.contains("the reception of a clinic does"))
    #expect(try anna.submit(form, Self.details(["birth_date": "2018-04-05"])).status == 303)
  }

  @Test func `a parent gives no date that opens more once a doctor treats the child`() throws {
    let anna = try parent()
    let new = "\(Self.people)/child"
    let older = Self.childFields.merging(["birth_date": "2014-02-20"]) { $1 }
    #expect(try sendTwice(new, older, by: anna).status == 303)
    let last = try portal.database.read { try $0.integer("SELECT max(id_person) FROM people") }
    let mia = "/for/\(try #require(last))"
    let form = "\(mia)/account/child"
    let booking = "\(mia)/appointments/book?doctor=1&date=2026-05-11&time=10:00"
    #expect(try anna.submit(booking, [:]).status == 303)
    let younger = Self.details(["birth_date": "2016-02-20"])
    #expect(try anna.submit(form, younger).refuses("birth_date"))
    #expect(anna.get("\(mia)/health-metrics").status == 403)
    let same = Self.details(["birth_date": "2014-02-21"])
    #expect(try anna.submit(form, same).status == 303)
  }

  @Test func `a child who is entered with such a date is asked about too`() throws {
    let anna = try parent()
    let new = "\(Self.people)/child"
    let older = Self.childFields.merging(["birth_date": "2014-03-04"]) { $1 }
    #expect(try anna.submit(new, older).contains(Self.question))
    #expect(!anna.get(Self.people).contains("Mia Cohen"))
    #expect(try sendTwice(new, older, by: anna).status == 303)
    let list = anna.get(Self.people)
    #expect(list.hasNotice(.success, "The child was added."))
    #expect(list.contains("Mia Cohen") && list.hasLink(with: "/account/child"))
  }

  @Test func `who was given fewer rights corrects nothing`() throws {
    let anna = try parent()
    let mia = try child(of: anna)
    let form = "\(mia)/account/child"
    for (name, scope) in [("Rita", GuardianScope.read), ("Vera", .book)] {
      let guardian = try parent(name)
      let link = try invitation(to: mia.dropFirst("/for/".count), of: anna, scope)
      #expect(try guardian.submit(link, [:]).status == 303)
      #expect(guardian.get(form).status == 409)
      #expect(!guardian.get(Self.people).hasLink(to: form))
    }
  }

  @Test func `nobody is told of a form that changes nothing`() throws {
    let (anna, boris, form) = try parents()
    #expect(try anna.submit(form, Self.details()).status == 303)
    #expect(!boris.get("/notifications").contains("has corrected"))
  }

  @Test func `no child is born in the future, of age, or the same as another one`() throws {
    let (anna, _, form) = try parents()
    let other = Self.childFields.merging(["name": "Noa"]) { $1 }
    #expect(try anna.submit("\(Self.people)/child", other).status == 303)
    let refused = ["2026-05-05", "2008-05-04", ""]
    for date in refused {
      let answer = try anna.submit(form, Self.details(["birth_date": date]))
      #expect(answer.refuses("birth_date"), "\(date)")
    }
    let adult = try anna.submit(form, Self.details(["birth_date": "2008-05-04"]))
    #expect(adult.contains("Somebody aged 18 or more is an adult"))
    #expect(try anna.submit(form, Self.details(["name": "Noa"])).refuses("name"))
    #expect(anna.get(form).contains("2019-03-04"))
    #expect(anna.get(Self.people).contains("until 3 March 2037"))
  }

  @Test func `of two parents who correct a child at once, the second sees both`() throws {
    let (anna, boris, form) = try parents()
    let hidden = boris.get(form).hidden(of: form)
    #expect(try anna.submit(form, Self.details(["name": "Maya"])).status == 303)
    let typed = Self.details(["name": "Mira"]).map { ($0.key, $0.value) }
    let second = boris.post(form, pairs: hidden + typed)
    #expect(second.status == 409 && second.contains("Maya") && second.contains("Mira"))
    #expect(anna.get(Self.people).contains("Maya Cohen"))
  }

  @Test func `nobody corrects themselves, an adult or somebody else's child there`() throws {
    let (anna, boris, form) = try parents()
    #expect(anna.get("/account/child").status == 404)
    let friend = try portal.register()
    let adult = try friend.act(for: filled.patient, .all)
    #expect(friend.get("\(adult)/account/child").status == 404)
    #expect(friend.get(form).status == 404)
    let open = boris.get(form)
    let person = form.split(separator: "/")[1]
    #expect(try boris.submit("\(Self.people)/\(person)/leave", [:]).status == 303)
    let typed = Self.details(["name": "Mira"]).map { ($0.key, $0.value) }
    #expect(boris.post(form, pairs: open.hidden(of: form) + typed).status == 404)
    #expect(anna.get(Self.people).contains("Mia Cohen"))
  }

  @Test func `a child with an account corrects their own profile`() throws {
    let family = try family()
    let form = "\(family.prefix)/account/child"
    let refused = family.parent.get(form)
    #expect(
      refused.status == 409 && refused.contains("corrects these details in their own profile"))
    #expect(!family.parent.get(Self.people).hasLink(to: form))
  }

  @Test func `a parent corrects nothing while the child may use a link to an account`() throws {
    let anna = try parent()
    let mia = try child(of: anna)
    let form = "\(mia)/account/child"
    let open = anna.get(form)
    _ = try accountLink(byClinicFor: mia.dropFirst("/for/".count))
    #expect(anna.get(form).status == 409)
    let typed = Self.details(["birth_date": "2020-03-04"]).map { ($0.key, $0.value) }
    #expect(anna.post(form, pairs: open.hidden(of: form) + typed).status == 409)
  }

  @Test func `parents' rights follow the birth date that the child corrects`() throws {
    let family = try family()
    let records = "\(family.prefix)/health-metrics"
    #expect(family.parent.get(records).status == 200)
    var profile = TestVisitor.registration(login: "mia")
    for (field, value) in Self.details(["birth_date": "2013-03-04"]) { profile[field] = value }
    profile["email"] = Self.account["email"]
    #expect(try family.child.submit("/account/edit", profile).status == 303)
    #expect(family.parent.get(records).status == 403)
    let told = "Mia Cohen has corrected their date of birth, on which your rights depend."
    #expect(family.parent.get("/notifications").contains(told))
    // Nobody acts for an adult as a parent.
    profile["birth_date"] = "1990-03-04"
    #expect(try family.child.submit("/account/edit", profile).status == 303)
    #expect(family.parent.get(records).status == 404)
  }
}
