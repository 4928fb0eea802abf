import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import polyclinic

/// The reception's links for a parent of a child and for an account, in a portal with all modules.
@Suite struct ReceptionLinkTests: GuardianSuite {
  private let filled: FilledPortal
  var portal: TestPortal { filled.portal }
  private var desk: TestVisitor { filled.receptionist }

  init() throws { filled = try FilledPortal() }

  private static let proof = ["is_proved": "yes"]

  /// Has the reception book for a new patient, and returns the patient's number and the
  /// appointment's address.
  private func enter(
    born: String, on date: String = "2026-05-11", at time: String = "10:00"
  ) throws -> (person: Int, appointment: String) {
    let booked = try desk.submit(
      "/appointments/desk/new?doctor=1&date=\(date)&time=\(time)",
      ["name": "Mia", "surname": "Cohen", "birth_date": born, "instead": "new-patient"])
    #expect(booked.status == 303)
    return try portal.read { work in
      let person = try work.integer("SELECT max(id_person) FROM people") ?? 0
      let last = try work.integer("SELECT max(id_appointment) FROM appointments") ?? 0
      return (person, "/appointments/\(last)")
    }
  }

  /// Returns the address of the first link that begins so.
  private func address(_ start: String, on page: TestPage) throws -> String {
    let from = try #require(page.body.firstRange(of: "href=\"\(start)"))
    return start + page.body[from.upperBound...].prefix { $0 != "\"" }
  }

  @Test func `the reception connects a child with a parent, whose name staff then reads`() throws {
    let (person, appointment) = try enter(born: "2020-03-04")
    let form = try address("/account/people/\(person)/connect?next=", on: desk.get(appointment))
    #expect(desk.get(form).contains("Mia Cohen"))
    #expect(try desk.submit(form, [:]).refuses("is_proved"))
    let made = try desk.submit(form, Self.proof)
    #expect(made.status == 200 && made.contains("<div class=\"qr\"><svg"))
    #expect(made.contains("This link is for a parent or guardian of Mia Cohen."))
    #expect(made.hasLink(to: appointment))
    #expect(made.contains("data-print") && made.contains("works until 11 May 2026 at 12:00."))
    for page in [desk.get(form), made] {
      #expect(page.fact("Date of birth") == "4 March 2020")
      #expect(page.fact("Acts for this child") == "Nobody yet")
    }
    let olga = try parent()
    #expect(try olga.submit(made.guardianLink(), [:]).status == 303)
    #expect(desk.get(form).fact("Acts for this child") == "Olga Cohen")
    #expect(olga.get("/for/\(person)/").contains("Mia Cohen"))
    for staff in [desk, filled.doctor] {
      #expect(staff.get(appointment).fact("Acts for this child") == "Olga Cohen (since 4 May 2026)")
    }
    let log = olga.get("/account/access-log")
    #expect(log.contains("Your name, as that of somebody who acts for a child"))
  }

  @Test func `an adult's grant is not shown to staff`() throws {
    let olga = try parent()
    _ = try olga.act(for: filled.patient, .all)
    #expect(!desk.get("/appointments/1").contains("Olga Cohen"))
    #expect(!filled.doctor.get("/appointments/1").contains("Olga Cohen"))
  }

  @Test func `the file of a patient leads to the link for a new password, and back`() throws {
    let found = desk.press(
      "/appointments/desk/search", on: "/appointments/desk/book", ["q": filled.patient.login])
    let chosen = try #require(
      desk.get(found.location).body.firstMatch(of: /patient_id=[A-Za-z0-9_-]+/))
    let file = desk.get("/appointments/desk/book?\(chosen.output)")
    let patient = try portal.person(of: filled.patient)
    let form = try address("/account/people/\(patient)/password?next=", on: file)
    #expect(desk.get(form).hasLink(with: "/appointments/desk/book?patient_id="))
    let made = try desk.submit(form, Self.proof)
    #expect(made.contains("/reset/"))
    let back = try address("/appointments/desk/book?patient_id=", on: made)
    #expect(desk.get(back).hasLink("Forgotten password"))
    #expect(filled.patient.get("/account/access-log").contains("Your details at the reception"))
  }

  @Test func `the way back leads to no other site`() throws {
    let page = "/account/people/\(try portal.person(of: filled.patient))/password"
    let made = try desk.submit("\(page)?next=//evil.example/", Self.proof)
    #expect(made.contains("/reset/") && !made.contains("evil") && made.hasLink(to: "/"))
  }

  @Test func `the reception invites a patient of 13 to an account, and parents are told`() throws {
    let (person, appointment) = try enter(born: "2013-05-04")
    let olga = try parent()
    let link = try desk.submit("/account/people/\(person)/connect", Self.proof).guardianLink()
    #expect(try olga.submit(link, [:]).status == 303)
    let form = try address("/account/people/\(person)/invitation?next=", on: desk.get(appointment))
    #expect(try desk.submit(form, [:]).refuses("is_proved"))
    let made = try desk.submit(form, Self.proof)
    let found = try #require(made.body.firstMatch(of: #//invitation/[\w-]+/#))
    #expect(made.hasLink(to: appointment) && made.contains("Let Mia Cohen scan the code"))
    #expect(olga.get("/notifications").contains("Another guardian or the clinic has made a link"))
    let child = portal.visitor()
    #expect(try child.submit(String(found.output), Self.account).status == 303)
    #expect(try child.signIn("mia").status == 303)
    #expect("\(try portal.person(of: child))" == "\(person)")
    #expect(child.get("/account/access-log").contains("The reception has made a link with which"))
    #expect(desk.get("/account/people/\(person)/invitation").status == 404)
    let file = desk.get(appointment)
    #expect(file.hasLink("Forgotten password"))
    #expect(file.contains("Mia Cohen has an account: they correct their details and choose"))
    #expect(file.contains("The reception can help with a forgotten password."))
    let list = olga.get("/account/people")
    #expect(list.contains("Mia Cohen has an account, and corrects their name and date of birth"))
    #expect(!list.contains("ask the clinic’s reception"))
  }

  @Test func `the reception invites no younger child, and only patients of its own`() throws {
    let (young, appointment) = try enter(born: "2013-05-05")
    #expect(!desk.get(appointment).hasLink("Invite to an account"))
    let refused = desk.get("/account/people/\(young)/invitation")
    #expect(refused.status == 409 && refused.contains("from the age of 13"))
    let (old, _) = try enter(born: "1980-05-05", at: "10:10")
    let page = "/account/people/\(old)/invitation"
    #expect(desk.get(page).status == 200)
    #expect(try portal.receptionist().get(page).status == 404)
    #expect(filled.patient.get(page).status == 403)
    #expect(desk.get("/account/people/\(old)/connect").status == 409)
  }

  // MARK: Unused links

  private static let cancelling = "/account/people/links/cancel"

  @Test func `the reception sees the unused links of a file and cancels each`() throws {
    let (person, appointment) = try enter(born: "2012-03-04")
    let olga = try parent()
    let kinds = [
      (
        "connect",
        "Link for a parent, made 4 May 2026 at 12:00 by Anna Petrova, works until 11 May 2026"
      ),
      (
        "invitation",
        """
        Link for an account of the patient’s own, made 4 May 2026 at 12:00 by Anna Petrova, \
        works until 5 May 2026
        """
      ),
    ]
    for (page, words) in kinds {
      #expect(!desk.get(appointment).hasButton("Cancel the link"))
      let form = try address(
        "/account/people/\(person)/\(page)?next=", on: desk.get(appointment))
      let made = try desk.submit(form, Self.proof)
      let link = try #require(
        made.body.firstMatch(of: #//(?:invitation|account/people/accept)/[\w-]+/#))
      #expect(desk.get(appointment).hasRow(words))
      let cancelled = desk.press(Self.cancelling, on: appointment)
      #expect(cancelled.status == 303 && cancelled.location == appointment)
      let file = desk.get(appointment)
      #expect(file.hasNotice(.success, "The link is cancelled."))
      #expect(!file.hasRow(words) && !file.hasButton("Cancel the link"))
      #expect(olga.get(String(link.output)).status == 410)
    }
  }

  @Test func `a parent reads in the child's log that the reception has cancelled a link`() throws {
    let (person, appointment) = try enter(born: "2020-03-04")
    let form = "/account/people/\(person)/connect"
    _ = try desk.submit(form, Self.proof)
    #expect(desk.press(Self.cancelling, on: appointment).status == 303)
    let olga = try parent()
    #expect(try olga.submit(desk.submit(form, Self.proof).guardianLink(), [:]).status == 303)
    // A used link is no unused one.
    #expect(!desk.get(appointment).hasButton("Cancel the link"))
    let log = olga.get("/for/\(person)/account/access-log")
    #expect(log.contains("The reception has cancelled a link that nobody had used"))
  }

  @Test func `nobody but the patient's reception sees or cancels a link of the clinic`() throws {
    let (person, appointment) = try enter(born: "2020-03-04")
    let made = try desk.submit("/account/people/\(person)/connect", Self.proof)
    let found = try #require(
      desk.get(appointment).body.firstMatch(of: /name="link" value="([0-9a-f]+)"/))
    for other in [try portal.receptionist(), filled.doctor, filled.patient] {
      let refused = other.press(
        Self.cancelling, on: "/account/people", ["link": String(found.output.1)],
        evenIfAbsent: true)
      #expect(refused.status == 303 && refused.location == "/account/people")
      #expect(!other.get("/account/people").contains("The link is cancelled."))
    }
    #expect(!filled.doctor.get(appointment).hasButton("Cancel the link"))
    #expect(try parent().get(made.guardianLink()).status == 200)
  }

  @Test func `a parent's own links are none of the reception's`() throws {
    let (person, appointment) = try enter(born: "2020-03-04")
    let olga = try parent()
    let link = try desk.submit("/account/people/\(person)/connect", Self.proof).guardianLink()
    #expect(try olga.submit(link, [:]).status == 303)
    _ = try invitation(to: "\(person)", of: olga)
    #expect(!desk.get(appointment).hasButton("Cancel the link"))
  }

  @Test func `the reception reads who is blocked, and no link lifts a block`() throws {
    let (person, appointment) = try enter(born: "2020-03-04")
    let olga = try parent()
    let form = "/account/people/\(person)/connect"
    #expect(try olga.submit(desk.submit(form, Self.proof).guardianLink(), [:]).status == 303)
    #expect(desk.get(appointment).fact("Cannot act for this child") == nil)
    let administrator = try portal.administrator()
    #expect(try block(olga, for: "\(person)", by: administrator).status == 303)
    let audit = administrator.get("/admin/audit")
    #expect(audit.hasRow("Guardian’s access blocked"))
    #expect(audit.hasRow("Guardian: Olga Cohen"))
    let guardian = try portal.person(of: olga)
    let own = administrator.get("/admin/people/\(guardian)/guardians")
    #expect(own.sections == ["Olga Cohen acts for"])
    #expect(own.contains("href=\"/admin/people/\(person)/guardians\""))
    let file = desk.get(appointment)
    #expect(file.fact("Cannot act for this child") == "Olga Cohen (blocked by the administrator)")
    #expect(file.fact("Acts for this child") == nil)
    #expect(!filled.doctor.get(appointment).contains("Olga Cohen"))
    let again = try desk.submit(form, Self.proof).guardianLink()
    #expect(olga.get(again).status == 409)
  }

  // MARK: Used links

  /// Has the reception connect a child of six years with a parent.
  private func connect(
    _ parent: TestVisitor, on date: String = "2026-05-11"
  ) throws -> (person: Int, appointment: String) {
    let (person, appointment) = try enter(born: "2020-03-04", on: date)
    let made = try desk.submit("/account/people/\(person)/connect", Self.proof)
    #expect(try parent.submit(made.guardianLink(), [:]).status == 303)
    return (person, appointment)
  }

  @Test func `within a week, the reception ends what its own link gave the wrong person`() throws {
    let (max, olga) = (try parent("Max"), try parent())
    let (person, appointment) = try connect(max)
    let made = try desk.submit("/account/people/\(person)/connect", Self.proof)
    #expect(try olga.submit(made.guardianLink(), [:]).status == 303)
    let spare = try desk.submit("/account/people/\(person)/connect", Self.proof).guardianLink()
    #expect(desk.get(appointment).hasLink("End the access of Max Cohen"))
    #expect(!filled.doctor.get(appointment).hasLink("End the access of Max Cohen"))
    let page = "/account/people/\(person)/disconnect?guardian=\(try portal.person(of: max))"
    let form = try address(
      "/account/people/\(person)/disconnect?guardian=", on: desk.get(appointment)
    ).replacing("&amp;", with: "&")
    #expect(form.hasPrefix(page))
    let question = desk.get(form)
    #expect(question.contains("Max Cohen has used a link of the reception."))
    #expect(question.contains("will not act for Mia Cohen any more"))
    let ended = try desk.submit(form, [:])
    #expect(ended.status == 303 && ended.location == appointment)
    #expect(max.get("/for/\(person)/").status == 404)
    #expect(olga.get("/for/\(person)/").status == 200)
    #expect(try parent("Vera").get(spare).status == 410)
    #expect(max.get("/notifications").contains("The clinic has ended your access to the pages of"))
    #expect(olga.get("/notifications").contains("The clinic has ended the access of Max Cohen"))
    let log = olga.get("/for/\(person)/account/access-log")
    #expect(log.contains("The reception has ended the access of Max Cohen"))
    let audit = try portal.administrator().get("/admin/audit")
    #expect(audit.hasRow("Guardian’s access ended at the reception"))
    #expect(desk.get(form).status == 404)
    // The right person, or the same one after new proof, can be connected again.
    let again = try desk.submit("/account/people/\(person)/connect", Self.proof).guardianLink()
    #expect(try max.submit(again, [:]).status == 303)
  }

  @Test func `only the patient's reception ends what a link of the reception gave`() throws {
    let olga = try parent()
    let (person, _) = try connect(olga)
    let page = "/account/people/\(person)/disconnect?guardian=\(try portal.person(of: olga))"
    #expect(desk.get(page).status == 200)
    let other = try portal.receptionist()
    #expect(other.get(page).status == 404)
    let sent = other.press(
      "/account/people/\(person)/disconnect", on: "/account/people",
      ["guardian": "\(try portal.person(of: olga))"], evenIfAbsent: true)
    #expect(sent.status == 404)
    #expect(filled.patient.get(page).status == 403 && filled.doctor.get(page).status == 403)
    #expect(olga.get("/for/\(person)/").status == 200)
  }

  @Test func `after the week, the reception reads that an administrator can end the access`() throws
  {
    let olga = try parent()
    // A week later, the appointment is still ahead.
    let (person, appointment) = try connect(olga, on: "2026-05-18")
    let page = "/account/people/\(person)/disconnect?guardian=\(try portal.person(of: olga))"
    portal.now = portal.now + .days(7) + .minutes(1)
    #expect(try desk.signIn(desk.login).status == 303)
    let file = desk.get(appointment)
    #expect(
      file.fact("Acts for this child")
        == "Olga Cohen (since 4 May 2026). An administrator can end this.")
    #expect(!file.hasLink("End the access of Olga Cohen"))
    #expect(desk.get(page).status == 404)
  }

  @Test func `whom the wrong person has invited loses the access at the reception, too`() throws {
    let (max, rita) = (try parent("Max"), try parent("Rita"))
    let (person, appointment) = try connect(max)
    #expect(try rita.submit(invitation(to: "\(person)", of: max), [:]).status == 303)
    let form = try address(
      "/account/people/\(person)/disconnect?guardian=", on: desk.get(appointment)
    ).replacing("&amp;", with: "&")
    #expect(desk.get(form).contains("and lose theirs too: Rita Cohen."))
    #expect(try desk.submit(form, [:]).status == 303)
    for guardian in [max, rita] { #expect(guardian.get("/for/\(person)/").status == 404) }
    let audit = try portal.administrator().get("/admin/audit")
    #expect(audit.hasRow("Link for a parent made at the reception"))
    #expect(audit.hasRow("Guardian: Rita Cohen"))
  }

  @Test func `the reception ends no right that a parent's link has given`() throws {
    let (olga, boris) = (try parent(), try parent("Boris"))
    let (person, appointment) = try connect(olga)
    let link = try olga.submit(
      "/account/people/\(person)/invite", ["scope": "all"]
    ).guardianLink()
    #expect(try boris.submit(link, [:]).status == 303)
    let file = desk.get(appointment)
    #expect(file.contains("Boris Cohen (since 4 May 2026). An administrator can end this."))
    let page = "/account/people/\(person)/disconnect?guardian=\(try portal.person(of: boris))"
    #expect(desk.get(page).status == 404)
  }

  // MARK: Details

  @Test func `a parent corrects no child whose details the reception keeps`() throws {
    let (person, _) = try enter(born: "2020-03-04")
    let olga = try parent()
    let link = try desk.submit("/account/people/\(person)/connect", Self.proof).guardianLink()
    #expect(try olga.submit(link, [:]).status == 303)
    let form = "/for/\(person)/account/child"
    let refused = olga.get(form)
    #expect(refused.status == 409 && refused.contains("ask the clinic’s reception"))
    let list = olga.get("/account/people")
    #expect(list.contains("ask the clinic’s reception") && !list.hasLink(to: form))
    #expect(list.contains("while the child has an appointment there, and for a week after it"))
  }

  @Test func `a parent's rights follow a birth date that the reception corrects`() throws {
    let (person, appointment) = try enter(born: "2020-03-04")
    let olga = try parent()
    let link = try desk.submit("/account/people/\(person)/connect", Self.proof).guardianLink()
    #expect(try olga.submit(link, [:]).status == 303)
    #expect(olga.get("/account/people").contains("until 3 March 2038"))
    let form = try address("/appointments/desk/patients/\(person)/edit", on: desk.get(appointment))
    let corrected = try desk.submit(
      form, ["name": "Mia", "surname": "Cohen", "birth_date": "2019-06-07"])
    #expect(corrected.status == 303)
    let list = olga.get("/account/people")
    #expect(list.contains("until 6 June 2037"))
    #expect(list.contains("from the birthday on 7 June 2030: only appointments"))
    #expect(
      olga.get("/notifications").contains("The clinic has corrected the date of birth of Mia Cohen")
    )
  }

  @Test(arguments: [
    ("2005-03-04", "is 21 years old, and Olga Cohen no longer acts for Mia Cohen."),
    ("2014-03-04", "is 12 years old, and Olga Cohen only books appointments for Mia Cohen."),
  ])
  func `a birth date that changes what a parent may is saved only after a tick`(
    _ date: String, _ sentence: String
  ) throws {
    let olga = try parent()
    let (person, appointment) = try connect(olga)
    let form = try address("/appointments/desk/patients/\(person)/edit", on: desk.get(appointment))
    let path = "/appointments/desk/patients/\(person)/edit"
    let typed = ["name": "Mia", "surname": "Cohen", "birth_date": date]
    let asked = try desk.submit(form, typed)
    #expect(asked.status == 409 && asked.hasNotice(.warning, "Check the date of birth"))
    #expect(asked.contains("With this date Mia Cohen \(sentence)"))
    #expect(asked.hasField("date_is_right"))
    #expect(desk.press(path, on: asked, typed).status == 409)
    // A tick holds for the date that was asked about, and for no other.
    let other = typed.merging(["birth_date": "2004-01-02", "date_is_right": "1"]) { $1 }
    #expect(desk.press(path, on: asked, other).status == 409)
    #expect(olga.get("/account/people").contains("until 3 March 2038"))
    #expect(!olga.get("/notifications").contains("has corrected the date of birth"))
    let saved = desk.press(path, on: asked, typed.merging(["date_is_right": "1"]) { $1 })
    #expect(saved.status == 303)
    #expect(!olga.get("/account/people").contains("until 3 March 2038"))
    #expect(
      olga.get("/notifications").contains("The clinic has corrected the date of birth of Mia Cohen")
    )
  }

  @Test func `a birth date that gives a parent more rights is asked about too`() throws {
    let olga = try parent()
    let (person, _) = try connect(olga)
    let path = "/appointments/desk/patients/\(person)/edit"
    let older = ["name": "Mia", "surname": "Cohen", "birth_date": "2005-03-04"]
    let asked = try desk.submit(path, older)
    #expect(desk.press(path, on: asked, older.merging(["date_is_right": "1"]) { $1 }).status == 303)
    let younger = older.merging(["birth_date": "2020-03-04"]) { $1 }
    let again = try desk.submit(path, younger)
    #expect(again.status == 409 && again.contains("Olga Cohen acts for Mia Cohen again."))
    #expect(
      desk.press(path, on: again, younger.merging(["date_is_right": "1"]) { $1 }).status == 303)
    #expect(olga.get("/for/\(person)/").status == 200)
  }
}
