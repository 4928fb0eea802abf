import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import polyclinic

/// The reception's link for a patient who has forgotten the password, in a portal with all modules.
@Suite struct PatientPasswordLinkTests {
  private let filled: FilledPortal
  private let page: String
  private var portal: TestPortal { filled.portal }

  init() throws {
    filled = try FilledPortal()
    page = "/account/people/\(try filled.portal.person(of: filled.patient))/password"
  }

  private static let proof = ["is_proved": "yes"]

  /// Has the reception make a link, and returns its path.
  private func link() throws -> String {
    let made = try filled.receptionist.submit(page, Self.proof)
    #expect(made.status == 200)
    let found = made.body.firstMatch(of: #//reset/[\w-]+/#)
    return try String(#require(found).output)
  }

  @Test func `a patient sets a new password with the reception's link, and is told of it`() throws {
    #expect(filled.receptionist.get(page).contains("Anna"))
    let link = try link()
    let other = portal.visitor()
    let password = "umbrella quietly orbits tea"
    let fields = ["password": password, "password_confirm": password]
    #expect(try other.submit(link, fields).status == 303)
    #expect(other.get(link).status == 410)
    #expect(try portal.visitor().signIn("patient", password).status == 303)
    #expect(other.get("/notifications").contains("A one-time link to set a new password"))
    let log = other.get("/account/access-log")
    #expect(log.contains("A one-time link to set a new password was created"))
    #expect(log.contains("Receptionist"))
  }

  @Test func `without proof there is no link`() throws {
    #expect(try filled.receptionist.submit(page, [:]).refuses("is_proved"))
  }

  @Test func `a link of the reception asks for the code of an account that has codes`() throws {
    let patient = filled.patient
    _ = try patient.enrol(in: portal)
    let link = try link()
    #expect(portal.visitor().get(link).hasField("code"))
  }

  @Test func `the reception makes no link for staff, or for others than its patients`() throws {
    let elsewhere = try portal.receptionist()
    #expect(elsewhere.get(page).status == 404)
    #expect(filled.patient.get(page).status == 403)
    let anna = try portal.register()
    let unknown = "/account/people/\(try portal.person(of: anna))/password"
    #expect(filled.receptionist.get(unknown).status == 404)
    let open = filled.receptionist.get(page)
    try portal.grant(.doctor, to: "patient")
    #expect(filled.receptionist.get(page).status == 409)
    let hidden = open.hidden(of: page) + [("is_proved", "yes")]
    let sent = filled.receptionist.post(page, pairs: hidden)
    #expect(sent.status == 409 && !sent.contains("/reset/"))
  }

  @Test func `the reception's page of an appointment leads there`() throws {
    let shown = filled.receptionist.get("/appointments/1")
    #expect(shown.hasLink(with: "\(page)?next="))
  }
}
