import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import polyclinic

/// Deleted records of a person in care, and addresses that work without a session.
extension GuardianTests {
  private static let deleted = "/account/deleted"
  private static let names: Set = ["module", "kind", "item"]

  /// Returns the fields that name a deleted record of a module on a page; nil without a button for
  /// one.
  private func item(of module: String, on page: TestPage) -> [(String, String)]? {
    let forms = page.main.all("form").map { form in
      form.all("input").map { ($0.attributes["name"] ?? "", $0.attributes["value"] ?? "") }
    }
    return forms.first { $0.contains { $0 == ("module", module) } }?
      .filter { Self.names.contains($0.0) }
  }

  /// Has a guardian send the button of another record with these fields.
  private func send(
    _ item: [(String, String)], to button: String, by guardian: TestVisitor, _ prefix: String
  ) -> TestPage {
    // A guardian who may restore nothing is shown no such form, but others with the same hidden
    // fields.
    let form = "\(prefix)/appointments/1/cancel"
    let hidden = guardian.get(form).hidden(of: form).filter { $0.0 != "sequence" }
    return guardian.post("\(prefix)\(Self.deleted)/\(button)", pairs: hidden + item)
  }

  @Test func `the list of people in care links to what a guardian who reads may open`() throws {
    let (anna, prefix) = try guardian(.read)
    let list = anna.get("/account/people")
    let booker = try portal.register(login: "booker")
    #expect(try booker.act(for: filled.patient, .book) == prefix)
    for page in ["/account/access-log", "/account/sharing", Self.deleted] {
      #expect(list.hasLink(to: prefix + page) && anna.get(prefix + page).status == 200)
      #expect(!booker.get("/account/people").hasLink(to: prefix + page))
    }
  }

  @Test func `a guardian undoes a deletion right after it`() throws {
    let (anna, prefix) = try guardian(.all)
    let list = "\(prefix)/health-metrics/weights"
    let gone = try anna.submit("\(list)/1/delete", [:])
    #expect(gone.status == 303 && !anna.get(list).contains("72.5"))
    let restored = anna.press("\(prefix)\(Self.deleted)/restore", on: gone.location)
    #expect(restored.status == 303 && restored.location.hasPrefix("\(prefix)/health-metrics"))
    #expect(anna.get(list).contains("72.5"))
    let log = filled.patient.get("/account/access-log")
    #expect(log.hasRow("Measurements: The weight was restored."))
  }

  @Test func `a guardian deletes a record for good after a question`() throws {
    let (anna, prefix) = try guardian(.all)
    let page = prefix + Self.deleted
    let before = anna.get(page)
    #expect(item(of: "appointments", on: before) != nil)
    let question = anna.press("\(page)/purge", on: page)
    let purged = anna.press("\(page)/purge", on: question, ["confirm": "yes"])
    #expect(question.status == 200 && purged.location == page)
    #expect(item(of: "appointments", on: anna.get(page)) == nil)
    let log = filled.patient.get("/account/access-log")
    #expect(log.hasRow("Appointments: An entry was deleted for good"))
  }

  @Test func `a guardian neither sees nor restores the contacts of the person in care`() throws {
    let (anna, prefix) = try guardian(.all)
    let contact = try #require(item(of: "contacts", on: filled.patient.get(Self.deleted)))
    let page = anna.get(prefix + Self.deleted)
    #expect(page.status == 200 && page.hasSection("Appointments"))
    #expect(!page.hasSection("Contacts") && item(of: "contacts", on: page) == nil)
    for button in ["restore", "purge"] {
      #expect(send(contact, to: button, by: anna, prefix).status == 404)
    }
    #expect(item(of: "contacts", on: filled.patient.get(Self.deleted)) != nil)
  }

  @Test func `each right reaches those deleted records that it reaches otherwise`() throws {
    let patient = filled.patient
    #expect(try patient.submit("/health-metrics/weights/1/delete", [:]).status == 303)
    let records = try ["health-metrics", "appointments"].map {
      try #require(item(of: $0, on: patient.get(Self.deleted)))
    }
    let (reader, prefix) = try guardian(.read)
    let booker = try portal.register(login: "booker")
    #expect(try booker.act(for: patient, .book) == prefix)
    let shown = reader.get(prefix + Self.deleted)
    #expect(shown.contains("72.5") && shown.hasSection("Appointments"))
    let hidden = booker.get(prefix + Self.deleted)
    #expect(!hidden.contains("72.5") && !hidden.hasSection("Appointments"))
    for visitor in [reader, booker] {
      for record in records {
        #expect(item(of: record[0].1, on: visitor.get(prefix + Self.deleted)) == nil)
        for button in ["restore", "purge"] {
          #expect(send(record, to: button, by: visitor, prefix).status == 404)
        }
      }
    }
    let helper = try portal.register(login: "helper")
    #expect(try helper.act(for: patient, .all) == prefix)
    #expect(send(records[1], to: "restore", by: helper, prefix).status == 303)
  }

  @Test func `no address that works without a session is made for a person in care`() throws {
    let (anna, prefix) = try guardian(.all)
    func count() throws -> Int? {
      try portal.database.read {
        try $0.integer(
          "SELECT (SELECT count(*) FROM secret_addresses) + (SELECT count(*) FROM api_tokens)")
      }
    }
    let before = try count()
    let hidden = anna.get("/account").hidden(of: "/logout")
    let fields = [("whose", "patient"), ("detail", "full"), ("name", "Phone")]
    for page in ["/appointments/calendar", "/account/tokens"] {
      #expect(anna.get(prefix + page).status == 403)
      #expect(anna.post("\(prefix)\(page)/new", pairs: hidden + fields).status == 403)
    }
    #expect(try count() == before)
    #expect(!anna.get("\(prefix)/appointments").hasLink(to: "\(prefix)/appointments/calendar"))
  }
}
