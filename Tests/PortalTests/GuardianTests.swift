import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import polyclinic

/// Somebody who acts for another person, in a portal with all modules.
@Suite struct GuardianTests: GuardianSuite {
  let filled: FilledPortal
  var portal: TestPortal { filled.portal }

  init() throws { filled = try FilledPortal() }

  /// The last page of a booking with the doctor of the filled portal, a Monday.
  private static let confirmation = Path("/appointments/book").query([
    "doctor": "1", "date": "2026-05-11", "time": "10:00",
  ]).description

  static func weight(_ value: String) -> [String: String] {
    ["value": value, "unit": "kg", "measured_at": "2026-05-04T08:00"]
  }

  /// Lets a new person act for the filled portal's patient, and returns both.
  func guardian(
    _ scope: GuardianScope
  ) throws -> (visitor: TestVisitor, prefix: String) {
    let anna = try portal.register(login: "anna")
    return (anna, try anna.act(for: filled.patient, scope))
  }

  /// Returns the pages that a patient can ask for, with the numbers of the first records.
  private var pages: [String] {
    portal.routes.filter { $0.methods.contains(.get) }.map {
      $0.path.replacing(#/\{\w+\}/#, with: "1")
    }
  }

  @Test func `a parent enters a child, keeps a reading for it and reads it back`() throws {
    let anna = try portal.register()
    let mia = try child(of: anna)
    #expect(anna.get("/").hasLink(to: "\(mia)/"))
    let home = anna.get("\(mia)/")
    #expect(home.status == 200 && home.contains("Mia Cohen"))
    for page in ["\(mia)/account/access-log", "\(mia)/account/sharing"] {
      #expect(home.hasLink(to: page), "\(page)")
    }
    #expect(home.hasLink(to: "/account/people/\(mia.dropFirst("/for/".count))/invite"))
    #expect(!anna.get("/").hasLink("Who looked at the data"))
    let form = "\(mia)/health-metrics/weights/new"
    let saved = try anna.submit(form, Self.weight("23.7"))
    #expect(saved.status == 303 && saved.location.hasPrefix("\(mia)/health-metrics"))
    #expect(anna.get("\(mia)/health-metrics/weights").contains("23.7"))
    #expect(!anna.get("/health-metrics/weights").contains("23.7"))
  }

  @Test func `a guardian imports a file for the person in care`() throws {
    let (anna, prefix) = try guardian(.all)
    let form = "\(prefix)/health-metrics/weights/import"
    let file = Array("measured_at,value,unit\n2026-05-02T08:00:00+03:00,64.2,kg\n".utf8)
    let preview = anna.upload(form, "file", file).location
    #expect(preview.hasPrefix("\(form)/"))
    #expect(anna.get(preview).contains("64.2"))
    let taken = try anna.submit(preview, [:])
    #expect(taken.location == "\(prefix)/health-metrics/weights?imported=1")
    #expect(filled.patient.get("/health-metrics/weights").contains("64.2"))
    #expect(!anna.get("/health-metrics/weights").contains("64.2"))
  }

  @Test func `every link on the pages of a person in care leads to that person's pages`() throws {
    let (anna, prefix) = try guardian(.all)
    let own = ["/account", "/notifications", "/login", "/logout", "/language", "/text-size"]
    for page in pages {
      let shown = anna.get(prefix + page)
      guard shown.status == 200, shown.contains("<main") else { continue }
      let main = shown.body.drop { _ in false }
      guard let start = main.range(of: "<main"), let end = main.range(of: "</main>") else {
        continue
      }
      let content = main[start.lowerBound..<end.lowerBound]
      for address in content.matches(of: #/(?:href|action)="(/[^"?#]*)/#).map({ String($0.1) })
      where !address.hasPrefix("/for/") && portal.routes.contains(where: { $0.path == address }) {
        let isOwn =
          own.contains { address.hasPrefix($0) } || address.hasPrefix("/contacts")
          || address.hasPrefix("/assets") || address.hasPrefix("/privacy")
        #expect(isOwn, "\(page) leads to \(address)")
      }
    }
  }

  @Test func `the first page of a person in care leads to nothing that is refused`() throws {
    let (anna, prefix) = try guardian(.book)
    let home = anna.get("\(prefix)/")
    #expect(home.hasLink(with: "\(prefix)/appointments"))
    #expect(!home.hasLink(to: "\(prefix)/health-metrics"))
    #expect(!home.hasLink("Who looked at the data") && home.hasLink("People I care for"))
    for path in home.main.all("a").compactMap({ $0.attributes["href"] })
    where path.hasPrefix(prefix) {
      #expect(anna.get(path).status < 400, "\(path)")
    }
  }

  @Test func `access that was taken back ends at once, in pages, forms and programs`() throws {
    let (anna, prefix) = try guardian(.all)
    let form = "\(prefix)/health-metrics/weights/new"
    let open = anna.get(form)
    let token = try anna.makeToken(["health-metrics": "write"], password: TestVisitor.password)
    let program = TestProgram(portal, token: token)
    #expect(program.get("\(prefix)/api/v1/health-metrics/weights").status == 200)
    let guardian = try portal.person(of: anna)
    #expect(
      try filled.patient.submit("/account/people/\(guardian)/withdraw", [:]).status == 303)
    #expect(anna.get("\(prefix)/").status == 404)
    #expect(filled.patient.get("/account/access-log").hasRow("own decision"))
    let typed = Self.weight("70").map { ($0.key, $0.value) }
    let sent = anna.post(form, pairs: open.hidden(of: form) + typed)
    #expect(sent.status == 404)
    #expect(program.get("\(prefix)/api/v1/health-metrics/weights").status == 404)
    #expect(!anna.get("/").hasLink(to: "\(prefix)/"))
  }

  @Test func `a parent is told of a child's appointment, by the child's name`() throws {
    let anna = try portal.register()
    let mia = try child(of: anna)
    let form = "\(mia)/appointments/book?doctor=1&date=2026-05-11&time=10:00"
    #expect(anna.get(form).fact("Patient")?.contains("Mia Cohen") == true)
    let booked = try anna.submit(form, [:])
    #expect(booked.status == 303 && booked.location.hasPrefix("\(mia)/appointments/"))
    #expect(anna.get("/notifications").contains("Mia Cohen: "))
    #expect(anna.get("\(mia)/appointments").contains("First Clinic"))
    #expect(!anna.get("/appointments").contains("First Clinic"))
  }

  @Test func `a booking asks somebody with people in care who the patient is`() throws {
    let anna = try portal.register()
    let question = "Who is the patient?"
    #expect(!anna.get(Self.confirmation).contains(question))
    let mia = try child(of: anna)
    let own = anna.get(Self.confirmation)
    #expect(own.contains(question) && own.hasLink(to: mia + Self.confirmation))
    let other = anna.get(mia + Self.confirmation)
    #expect(other.contains(question) && other.hasLink(to: Self.confirmation))
    let hidden = own.hidden(of: "/appointments/book")
    #expect(anna.post("\(mia)/appointments/book", pairs: hidden).status == 409)
    let booked = try anna.submit(mia + Self.confirmation, [:])
    #expect(booked.status == 303 && booked.location.hasPrefix("\(mia)/appointments/"))
    #expect(!anna.get("/appointments").contains("First Clinic"))
    let moving = "\(booked.location.prefix { $0 != "?" })/edit?date=2026-05-11&time=11:00"
    #expect(!anna.get(moving).contains(question))
  }

  @Test func `an appointment names the person in care wherever it stands`() throws {
    let anna = try portal.register()
    let mia = try child(of: anna)
    let booked = try anna.submit(mia + Self.confirmation, [:])
    let confirmed = anna.get(booked.location)
    #expect(confirmed.sections.contains { $0.hasPrefix("Mia Cohen · Monday, 11 May") })
    #expect(confirmed.fact("Patient") == "Mia Cohen")
    let path = String(booked.location.prefix { $0 != "?" })
    #expect(anna.get("\(path).ics").body.contains("SUMMARY:Mia Cohen: Cardiology"))
    #expect(anna.get("\(path)/cancel").main.all("p").contains { $0.text == "Mia Cohen" })
    let row = "Anna Petrova, on behalf of the patient"
    #expect(anna.get(path).hasRow(row))
    let seen = filled.doctor.get(String(path.dropFirst(mia.count)))
    #expect(seen.fact("Patient") == "Mia Cohen" && seen.hasRow(row))
  }

  @Test func `a person learns of an appointment that a guardian has booked`() throws {
    let (anna, prefix) = try guardian(.book)
    #expect(try anna.submit(prefix + Self.confirmation, [:]).status == 303)
    let told = "has booked an appointment with"
    #expect(filled.patient.get("/notifications").contains(told))
    #expect(!anna.get("/notifications").contains(told))
  }

  @Test func `a doctor for children is offered for the children in care`() throws {
    try portal.database.write {
      _ = try $0.run("UPDATE appointments_departments SET specialization = 'pediatrics'")
    }
    let anna = try portal.register(["birth_date": "1985-01-01"])
    #expect(anna.get(Self.confirmation).hasField("visitor"))
    let mia = try child(of: anna)
    let own = anna.get(Self.confirmation)
    #expect(own.hasNotice(.warning, "This doctor sees children.") && !own.hasField("visitor"))
    let question = try #require(own.body.range(of: "Who is the patient?"))
    let choices = own.body[question.upperBound...]
    let (child, adult) = (choices.range(of: mia), choices.range(of: "Anna Petrova"))
    #expect(try #require(child).lowerBound < #require(adult).lowerBound)
    #expect(!anna.get(mia + Self.confirmation).hasNotice(.warning))
    #expect(try anna.submit(Self.confirmation, [:]).status == 303)
  }

  @Test func `a form about one person is not saved for another`() throws {
    let anna = try portal.register()
    let mia = try child(of: anna)
    let form = "/health-metrics/weights/new"
    let hidden = anna.get(mia + form).hidden(of: mia + form)
    let sent = anna.post(form, pairs: hidden + Self.weight("23.7").map { ($0.key, $0.value) })
    #expect(sent.status == 409)
    #expect(!anna.get("/health-metrics/weights").contains("23.7"))
  }

  @Test func `the person reads in the access log who has acted`() throws {
    let (anna, prefix) = try guardian(.all)
    _ = anna.get("\(prefix)/health-metrics")
    let log = filled.patient.get("/account/access-log")
    #expect(log.contains("on behalf of the patient"))
    let stored = try portal.database.read {
      try $0.integer("SELECT count(*) FROM access_log WHERE reason = 'guardianship' AND count > 0")
    }
    _ = anna.get("\(prefix)/appointments")
    #expect(stored == 1)
  }

  @Test func `the person reads in the access log each change that a guardian has made`() throws {
    let (anna, prefix) = try guardian(.all)
    let list = "\(prefix)/health-metrics/weights"
    for value in ["71.5", "71.6"] {
      #expect(try anna.submit("\(list)/new", Self.weight(value)).status == 303)
    }
    #expect(try anna.submit("\(list)/1/edit", Self.weight("71.7")).status == 303)
    #expect(try anna.submit("\(list)/1/delete", [:]).status == 303)
    #expect(try anna.submit(prefix + Self.confirmation, [:]).status == 303)
    for _ in 0..<3 { _ = anna.get(list) }
    let log = filled.patient.get("/account/access-log")
    let saved = log.rows.filter { $0.contains("Measurements: The weight was saved.") }
    #expect(saved.count == 3 && saved.allSatisfy { $0.contains("Anna Petrova") })
    #expect(log.hasRow("Measurements: Delete the weight? Yes, delete"))
    #expect(log.hasRow("Appointments: The appointment is booked"))
    #expect(log.hasRow("Measurements · looked"))
    #expect(!log.rows.contains { $0.contains("looked once") })
  }

  @Test func `a change by a guardian's program stands in the access log, a refused one does not`()
    throws
  {
    let (anna, prefix) = try guardian(.all)
    let program = TestProgram(portal, token: try anna.makeToken(["health-metrics": "write"]))
    let weights = "\(prefix)/api/v1/health-metrics/weights"
    let json = #"{"value": 71.5, "unit": "kg", "measured_at": "2026-05-04T08:00:00+03:00"}"#
    let made = program.post(weights, json)
    #expect(made.status == 201)
    #expect(program.post(weights, "{}").status == 422)
    let record = program.get("\(weights)/1")
    let tag = try #require(record.header("ETag"))
    #expect(program.delete("\(weights)/1", over: tag).status < 300)
    let log = filled.patient.get("/account/access-log")
    #expect(log.rows.count { $0.contains("Measurements: Data was changed") } == 2)
  }

  @Test func `a sentence of the access log isolates a name in another script`() throws {
    let orly = try portal.register(login: "orly", ["name": "אורלי", "surname": "הדר"])
    _ = try orly.act(for: filled.patient, .read)
    let log = filled.patient.get("/account/access-log")
    #expect(log.body.contains("<strong>\u{2068}אורלי הדר\u{2069} may act for the patient"))
  }

  @Test func `the access log of a person in care names the person, and not the reader as owner`()
    throws
  {
    let (anna, prefix) = try guardian(.read)
    let log = anna.get("\(prefix)/account/access-log")
    #expect(log.heading.hasPrefix("Who looked at the data of "))
    #expect(!log.contains("your encrypted data"))
  }

  @Test func `the form of a vaccination asks on a visitor's own page alone who was vaccinated`()
    throws
  {
    let (anna, prefix) = try guardian(.all)
    let form = "/vaccination-qr/record/new"
    #expect(anna.get(form).hasField("label"))
    #expect(!anna.get(prefix + form).hasField("label"))
    let sent = ["vaccine": "Tetanus", "date": "2026-05-01"]
    #expect(try anna.submit(prefix + form, sent).status == 303)
    #expect(filled.patient.get("/vaccination-qr/record").hasRow("Tetanus"))
  }

  @Test func `a link works once, for another person, until its end`() throws {
    let patient = filled.patient
    let link = try patient.submit("/account/people/access", ["scope": "read"]).guardianLink()
    #expect(patient.get(link).status == 409)
    let (anna, boris) = (try portal.register(), try portal.register())
    #expect(try anna.submit(link, [:]).status == 303)
    #expect(boris.get(link).status == 410)
    let second = try patient.submit("/account/people/access", ["scope": "all"]).guardianLink()
    #expect(anna.get(second).status == 409)
    portal.now = portal.now + .days(8)
    #expect(try boris.signIn(boris.login).status == 303)
    #expect(boris.get(second).status == 410)
  }

  @Test func `an invented link is answered as one that was used, and delays no right one`() throws {
    let patient = filled.patient
    func offer() throws -> String {
      try patient.submit("/account/people/access", ["scope": "read"]).guardianLink()
    }
    let used = try offer()
    let (anna, boris) = (try portal.register(), try portal.register())
    #expect(try anna.submit(used, [:]).status == 303)
    let gone = boris.get(used)
    let asking = try patient.submit("/account/people/ask", [:]).guardianLink()
    let invented = ["A", String(repeating: "A", count: 43)].map { "/account/people/accept/\($0)" }
    for path in invented + [asking.replacing("/allow/", with: "/accept/")] {
      let page = boris.get(path)
      #expect(page.status == 410 && page.text == gone.text, "\(path)")
    }
    for _ in 1...40 { #expect(boris.get(invented[1]).status == 410) }
    #expect(try boris.submit(offer(), [:]).status == 303)
  }

  @Test func `an adult who is asked decides how far somebody may act`() throws {
    let anna = try portal.register()
    let link = try anna.submit("/account/people/ask", [:]).guardianLink()
    let answer = try filled.patient.submit(link, ["scope": "book", "until": "2026-05-10"])
    #expect(answer.status == 303)
    let prefix = "/for/\(try portal.person(of: filled.patient))"
    #expect(anna.get("\(prefix)/appointments").status == 200)
    #expect(anna.get("\(prefix)/health-metrics").status == 403)
    portal.now = portal.now + .days(7)
    #expect(try anna.signIn(anna.login).status == 303)
    #expect(anna.get("\(prefix)/appointments").status == 404)
  }

  @Test func `a parent reads until the age of review and acts until the child is of age`() throws {
    let anna = try portal.register()
    let mia = try child(of: anna)
    func signInAgain(_ date: String) throws {
      portal.now = try #require(ZonedTime("\(date)T12:00:00+03:00")).instant
      #expect(try anna.signIn(anna.login).status == 303)
    }
    try signInAgain("2030-03-03")
    #expect(anna.get("\(mia)/health-metrics").status == 200)
    try signInAgain("2030-03-04")
    #expect(anna.get("\(mia)/health-metrics").status == 403)
    #expect(anna.get("\(mia)/appointments").status == 200)
    try signInAgain("2037-03-04")
    #expect(anna.get("\(mia)/appointments").status == 404)
  }

  @Test func `the only guardian of a child does not leave it alone`() throws {
    let anna = try portal.register()
    let mia = try child(of: anna)
    let person = mia.dropFirst("/for/".count)
    let leave = "/account/people/\(person)/leave"
    #expect(try anna.submit(leave, [:]).status == 409)
    let boris = try portal.register()
    let invite = try invitation(to: person, of: anna)
    #expect(try boris.submit(invite, [:]).status == 303)
    #expect(try anna.submit(leave, [:]).status == 303)
    #expect(anna.get("\(mia)/").status == 404)
    #expect(boris.get("\(mia)/").status == 200)
  }

  @Test func `the clinic blocks a guardian, who then opens nothing and accepts no link`() throws {
    let (anna, prefix) = try guardian(.all)
    let (person, guardian) = (prefix.dropFirst(5), try portal.person(of: anna))
    let administrator = try portal.administrator()
    let page = "/admin/people/\(person)/guardians"
    #expect(administrator.get(page).contains("Block"))
    let fields = ["guardian": "\(guardian)"]
    #expect(try block(anna, for: person, by: administrator).status == 303)
    #expect(anna.get("\(prefix)/appointments").status == 404)
    let link = try filled.patient.submit("/account/people/access", ["scope": "book"]).guardianLink()
    #expect(anna.get(link).status == 409)
    #expect(administrator.press("\(page)/allow", on: page, fields).status == 303)
    // The adult decides whether to let the guardian in again.
    #expect(anna.get("\(prefix)/appointments").status == 404)
    #expect(try anna.submit(link, [:]).status == 303)
    #expect(anna.get("\(prefix)/appointments").status == 200)
  }

  @Test func `the clinic brings back no access that the person has taken back`() throws {
    let (anna, prefix) = try guardian(.all)
    let (person, guardian) = (prefix.dropFirst(5), try portal.person(of: anna))
    #expect(
      try filled.patient.submit("/account/people/\(guardian)/withdraw", [:]).status == 303)
    let administrator = try portal.administrator()
    let page = "/admin/people/\(person)/guardians"
    for button in ["block", "allow"] {
      let sent = administrator.press(
        "\(page)/\(button)", on: page, ["guardian": "\(guardian)"], evenIfAbsent: true)
      #expect(sent.status == 404)
    }
    #expect(anna.get("\(prefix)/appointments").status == 404)
  }

  @Test func `nobody enters an adult as a child`() throws {
    let anna = try portal.register()
    let fields = Self.childFields.merging(["birth_date": "1990-01-01"]) { $1 }
    #expect(try anna.submit("/account/people/child", fields).refuses("birth_date"))
  }

  @Test func `a guardian gets no copy of a person's key, so that none is left afterwards`() throws {
    let patient = try portal.person(of: filled.patient)
    let key = try portal.database.read {
      try $0.row("SELECT wrapped_key FROM people WHERE id_person = \(patient)") { $0.bytes(0) }
    }
    let wrapped = try #require(key)
    /// Returns how often the key is in the files, without what deleted rows have left there.
    func copies() throws -> Int {
      try portal.database.removeDeletedBytes()
      return try portal.storedBytes().ranges(of: wrapped).count
    }
    #expect(try copies() == 1)
    let (anna, prefix) = try guardian(.all)
    let saved = try anna.submit("\(prefix)/health-metrics/weights/new", Self.weight("70"))
    #expect(saved.status == 303)
    let token = try anna.makeToken(["health-metrics": "write"])
    let weights = "\(prefix)/api/v1/health-metrics/weights"
    #expect(TestProgram(portal, token: token).get(weights).status == 200)
    #expect(try copies() == 1)
    let guardian = try portal.person(of: anna)
    #expect(
      try filled.patient.submit("/account/people/\(guardian)/withdraw", [:]).status == 303)
    #expect(try copies() == 1)
    #expect(anna.get("\(prefix)/health-metrics").status == 404)
    // The only bytes of a guardianship are the code that shows a change.
    let columns = try portal.database.read { connection in
      try portal.database.tables(on: connection).first { $0.name == "guardianships" }?.columns ?? []
    }
    #expect(columns.filter { $0.type == .bytes }.map(\.name) == ["seal"])
  }

  @Test func `a guardianship that was altered in the database opens nothing`() throws {
    let (anna, prefix) = try guardian(.book)
    try portal.database.write { _ = try $0.run("UPDATE guardianships SET scope = 'all'") }
    #expect(anna.get("\(prefix)/health-metrics").status == 404)
  }
}
