import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import polyclinic

/// Records that a patient shows a doctor until a day, in a portal with all modules.
@Suite struct SharingTests {
  private let filled: FilledPortal
  private var portal: TestPortal { filled.portal }
  private var patient: TestVisitor { filled.patient }
  private var doctor: TestVisitor { filled.doctor }

  init() throws { filled = try FilledPortal() }

  /// The beginning of the patient's addresses for others.
  private var prefix: String { get throws { "/for/\(try portal.person(of: patient))" } }

  /// Shows the patient's measurements to the doctor until the end of a day.
  private func share(until day: String = "2026-05-31") throws {
    let fields = [
      "module": "health-metrics", "reader": "\(try portal.person(of: doctor))", "until": day,
    ]
    #expect(try patient.submit("/account/sharing/records", fields).status == 303)
  }

  @Test func `a doctor reads the records that a patient shows, and nothing else`() throws {
    let prefix = try prefix
    #expect(doctor.get("\(prefix)/health-metrics/weights").status == 404)
    try share()
    let shown = doctor.get("\(prefix)/health-metrics/weights")
    #expect(shown.status == 200 && shown.contains("72.5"))
    #expect(shown.contains("shows you these pages"))
    for page in [
      "/", "/vaccination-qr", "/contacts", "/appointments", "/account", "/account/sharing",
    ] {
      #expect(doctor.get(prefix + page).status == 404, "\(page)")
    }
    #expect(try portal.administrator().get("\(prefix)/health-metrics").status == 404)
  }

  @Test func `the doctor's page of an appointment leads to the records that the patient shows`()
    throws
  {
    #expect(doctor.get("/appointments/1").fact("Records shown to you") == nil)
    try share()
    let page = doctor.get("/appointments/1")
    #expect(page.fact("Records shown to you") == "Measurements until 31 May 2026")
    #expect(page.hasLink(to: "\(try prefix)/health-metrics"))
    #expect(filled.receptionist.get("/appointments/1").fact("Records shown to you") == nil)
  }

  @Test func `a reader changes nothing and is shown no button that does`() throws {
    try share()
    let prefix = try prefix
    let page = doctor.get("\(prefix)/health-metrics/weights")
    #expect(!page.hasLink(to: "\(prefix)/health-metrics/weights/new"))
    #expect(!page.hasLink(to: "/health-metrics/weights/new"))
    for form in ["new", "1/edit", "1/delete"] {
      #expect(doctor.get("\(prefix)/health-metrics/weights/\(form)").status == 404)
    }
    let fields = doctor.get("/account").hidden(of: "/logout")
    let sent = doctor.post("\(prefix)/health-metrics/weights/1/delete", pairs: fields)
    #expect(sent.status == 404)
    #expect(patient.get("/health-metrics/weights").contains("72.5"))
  }

  @Test func `a reader opens the certificates that are shown, and adds none`() throws {
    let fields = [
      "module": "vaccination-qr", "reader": "\(try portal.person(of: doctor))",
      "until": "2026-05-31",
    ]
    #expect(try patient.submit("/account/sharing/records", fields).status == 303)
    let list = try prefix + "/vaccination-qr"
    let page = doctor.get(list)
    #expect(page.status == 200 && page.hasRow("\(FilledPortal.secret) certificate"))
    #expect(!page.hasLink(to: "\(list)/new") && doctor.get("\(list)/new").status == 404)
  }

  @Test func `the access log says what was read, why and by whom`() throws {
    try share()
    let prefix = try prefix
    for _ in 0..<2 { _ = doctor.get("\(prefix)/health-metrics/weights") }
    _ = doctor.get("/appointments/day?date=2026-05-05")
    let log = patient.get("/account/access-log")
    #expect(log.hasRow("shown by the patient · Weight"))
    #expect(log.hasRow("treatment · Your appointment, in the list of a day"))
    #expect(!log.hasRow("treatment · Weight"))
  }

  @Test func `what is shown ends with its day, at once when it is stopped, and with the role`()
    throws
  {
    try share(until: "2026-05-05")
    let page = try prefix + "/health-metrics"
    func signInAgain(_ time: String) throws {
      portal.now = try #require(ZonedTime("\(time):00+03:00")).instant
      for visitor in [doctor, patient] {
        #expect(try visitor.signIn(visitor.login).status == 303)
      }
    }
    try signInAgain("2026-05-05T23:59")
    #expect(doctor.get(page).status == 200)
    try signInAgain("2026-05-06T00:00")
    #expect(doctor.get(page).status == 404)
    try share()
    #expect(doctor.get(page).status == 200)
    let fields = [
      "reader": "\(try portal.person(of: doctor))", "module": "health-metrics",
    ]
    let stopped = patient.press("/account/sharing/withdraw", on: "/account/sharing", fields)
    #expect(stopped.status == 303)
    #expect(patient.get("/account/sharing").hasNotice(.success, "This is no longer shown."))
    #expect(doctor.get(page).status == 404)
    #expect(!doctor.get("/account/shared-with-me").hasLink(with: "/for/"))
    #expect(doctor.get("/notifications").contains("has stopped showing you records"))
    let left = try portal.database.read { try $0.integer("SELECT count(*) FROM consents") }
    #expect(left == 0)
  }

  @Test func `the doctor is told, and finds the patient's name without an entry in the log`() throws
  {
    try share()
    #expect(doctor.get("/notifications").contains("A patient shows you records"))
    let list = doctor.get("/account/shared-with-me")
    let shown = try prefix + "/health-metrics"
    #expect(list.hasLink(to: shown) && doctor.get("/").hasLink(to: shown))
    #expect(!patient.get("/account/access-log").contains("shown by the patient"))
  }

  @Test func `a doctor has the public name and the specialization among the readers`() throws {
    let name = "Dr. House · Cardiology"
    #expect(patient.get("/account/sharing/records").contains(name))
    try share()
    #expect(patient.get("/account/sharing").hasRow(name))
  }

  @Test func `a patient shows records to own doctors alone, and for a year at most`() throws {
    let boris = try portal.register()
    let empty = boris.get("/account/sharing/records")
    #expect(empty.contains("You have no doctor here yet"))
    let fields = [
      "module": "health-metrics", "reader": "\(try portal.person(of: doctor))",
      "until": "2026-05-31",
    ]
    #expect(try boris.submit("/account/sharing/records", fields).refuses("reader"))
    for (until, field) in [("2026-05-03", "until"), ("2027-06-01", "until"), ("", "until")] {
      let refused = try patient.submit(
        "/account/sharing/records", fields.merging(["until": until]) { $1 })
      #expect(refused.refuses(field), "\(until)")
    }
    for module in ["contacts", "appointments", "account", "covid-stats"] {
      let refused = try patient.submit(
        "/account/sharing/records", fields.merging(["module": module]) { $1 })
      #expect(refused.refuses("module"), "\(module)")
    }
  }

  @Test func `an administrator sees the access log that a person shows, and no records`() throws {
    let chief = try portal.administrator()
    let page = try prefix + "/account/access-log"
    #expect(chief.get(page).status == 404)
    let fields = ["reader": "\(try portal.person(of: chief))", "until": "2026-05-31"]
    #expect(try patient.submit("/account/sharing/log", fields).status == 303)
    #expect(chief.get(page).contains("Who looked at the data of"))
    #expect(chief.get("/account/shared-with-me").hasLink(to: page))
    for other in ["/health-metrics", "/account/export", "/account/sharing", "/account", "/"] {
      #expect(chief.get(try prefix + other).status == 404, "\(other)")
    }
    #expect(patient.get("/account/access-log").contains("managing accounts"))
  }

  @Test func `a parent shows a child's records, and the child's log names the parent`() throws {
    let anna = try portal.register(login: "anna", ["name": "Anna"])
    let made = try patient.submit("/account/people/access", ["scope": "all"])
    let link = try #require(made.body.firstMatch(of: #//account/people/accept/[\w-]+/#))
    #expect(try anna.submit(String(link.output), [:]).status == 303)
    let fields = [
      "module": "vaccination-qr", "reader": "\(try portal.person(of: doctor))",
      "until": "2026-05-31",
    ]
    let prefix = try prefix
    #expect(try anna.submit("\(prefix)/account/sharing/records", fields).status == 303)
    #expect(doctor.get("\(prefix)/vaccination-qr").status == 200)
    let words = "Shown to Dr. House · Cardiology until 31 May 2026: "
    #expect(anna.get("\(prefix)/account/access-log").contains(words))
    let log = patient.get("/account/access-log")
    #expect(log.rows.count { $0.contains(words) } == 1)
    #expect(!log.contains("Show records to a doctor") && !log.contains("Your profile: "))
    #expect(log.hasBadge("Acts for you") && !log.hasBadge("Patient"))
  }

  @Test func `the pages of what is shown name the person in care, and offer what is allowed`()
    throws
  {
    let prefix = try prefix
    for (scope, login) in [(GuardianScope.all, "anna"), (.read, "boris")] {
      let visitor = try portal.register(login: login)
      _ = try visitor.act(for: patient, scope)
      let list = visitor.get("\(prefix)/account/sharing")
      #expect(list.heading.hasPrefix("Records of ") && !list.text.contains("doctor of yours"))
      #expect(list.text.contains("You can stop at any time") == (scope == .all))
      let isOffered = list.hasLink(to: "\(prefix)/account/sharing/records")
      #expect(isOffered == (scope == .all))
      if scope == .read { continue }
      for form in ["records", "log"] {
        let page = visitor.get("\(prefix)/account/sharing/\(form)").text
        #expect(!page.contains("treat you") && !page.contains("your data"), "\(form)")
      }
    }
  }

  @Test func `a guardian's own visits are folded below those of others, newest first`() throws {
    let anna = try portal.register(login: "anna", ["name": "Olga", "surname": "Cohen"])
    _ = try anna.act(for: patient, .all)
    try share()
    let prefix = try prefix
    _ = doctor.get("\(prefix)/health-metrics/weights")
    portal.now = portal.now + .minutes(30)
    let weight = ["value": "71.5", "unit": "kg", "measured_at": "2026-05-04T08:00"]
    #expect(try anna.submit("\(prefix)/health-metrics/weights/new", weight).status == 303)
    let log = anna.get("\(prefix)/account/access-log")
    let own = try #require(log.main.first { $0.name == "details" })
    #expect(own.text.contains("Your own visits and changes: "))
    #expect(own.text.contains("The weight was saved."))
    #expect(log.hasRow("shown by the patient") && !own.text.contains("shown by the patient"))
    // The doctor looked earlier, in an hour that is not over yet.
    portal.now = portal.now + .minutes(1)
    let rows = patient.get("/account/access-log").rows
    let looked = try #require(rows.firstIndex { $0.contains("shown by the patient") })
    let saved = try #require(rows.firstIndex { $0.contains("The weight was saved.") })
    #expect(looked < saved)
  }

  @Test func `a permission that was altered in the database opens nothing`() throws {
    try share()
    try portal.database.write {
      _ = try $0.run("UPDATE consents SET module = 'vaccination-qr'")
    }
    #expect(doctor.get("\(try prefix)/vaccination-qr").status == 404)
  }

  @Test func `a guardian and a doctor are shown no form that they may not send`() throws {
    let anna = try portal.register(login: "anna")
    let made = try patient.submit("/account/people/access", ["scope": "read"])
    let link = try #require(made.body.firstMatch(of: #//account/people/accept/[\w-]+/#))
    #expect(try anna.submit(String(link.output), [:]).status == 303)
    let list = try prefix + "/health-metrics/weights"
    let page = anna.get(list)
    #expect(page.status == 200 && !page.hasLink(to: "\(list)/new"))
    #expect(anna.get("\(list)/new").status == 403)
  }
}
