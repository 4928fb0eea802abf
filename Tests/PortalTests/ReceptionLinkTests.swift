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
    born: String, at time: String = "10:00"
  ) throws -> (person: Int, appointment: String) {
    let booked = try desk.submit(
      "/appointments/desk/new?doctor=1&date=2026-05-11&time=\(time)",
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
    #expect(made.hasLink(to: appointment))
    let olga = try parent()
    #expect(try olga.submit(made.guardianLink(), [:]).status == 303)
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
    #expect(made.hasLink(to: appointment))
    #expect(olga.get("/notifications").contains("Another guardian or the clinic has made a link"))
    let child = portal.visitor()
    #expect(try child.submit(String(found.output), Self.account).status == 303)
    #expect(try child.signIn("mia").status == 303)
    #expect("\(try portal.person(of: child))" == "\(person)")
    #expect(child.get("/account/access-log").contains("The reception has made a link with which"))
    #expect(desk.get("/account/people/\(person)/invitation").status == 404)
    #expect(desk.get(appointment).hasLink("Forgotten password"))
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
}
