import PolyclinicCore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

/// The people around the patient of a filled portal: guardians, readers and children, and the links
/// that lead to them. An ``AccessMatrix`` asks for the pages about them.
struct PeopleAroundPatient: GuardianSuite {
  typealias Asker = AccessMatrix.Asker

  let filled: FilledPortal
  let administrator: TestVisitor

  var portal: TestPortal { filled.portal }
  private var patient: TestVisitor { filled.patient }

  /// Returns visitors who act for the patient, and two who did.
  func guardians() throws -> [Asker] {
    let kinds: [(Asker.Kind, GuardianScope)] = [
      (.bookingGuardian, .book), (.readingGuardian, .read), (.actingGuardian, .all),
      (.formerGuardian, .all), (.blockedGuardian, .all),
    ]
    let person = try portal.person(of: patient)
    return try kinds.map { kind, scope in
      let visitor = try portal.register()
      _ = try visitor.act(for: patient, scope)
      if kind == .formerGuardian {
        let number = try portal.person(of: visitor)
        let ended = try patient.submit("/account/people/\(number)/withdraw", [:])
        #expect(ended.status == 303)
      }
      if kind == .blockedGuardian {
        let ended = try block(visitor, for: "\(person)", by: administrator)
        #expect(ended.status == 303)
      }
      return Asker(kind: kind, visitor: visitor, roles: [.patient])
    }
  }

  /// Returns a doctor to whom the patient shows measurements, and an administrator to whom the
  /// patient shows the access log.
  func readers() throws -> [Asker] {
    let doctor = try portal.doctor()
    let reader = try portal.administrator()
    try portal.show("health-metrics", of: patient, to: doctor, until: portal.now + .days(30))
    let fields = ["reader": "\(try portal.person(of: reader))", "until": "2026-05-31"]
    let shown = try patient.submit("/account/sharing/log", fields)
    #expect(shown.status == 303)
    return [
      Asker(kind: .readingDoctor, visitor: doctor, roles: [.patient, .doctor]),
      Asker(kind: .readingAdministrator, visitor: reader, roles: [.patient, .administrator]),
    ]
  }

  /// Returns a child with an account, for whom the patient acts.
  func childWithAccount() throws -> Asker {
    let person = try enter("Max", at: "10:10")
    try connect(patient, with: person)
    let link = try accountLink(byClinicFor: "\(person)")
    let child = portal.visitor()
    let opened = try child.submit(link, Self.account)
    #expect(opened.status == 303)
    let signedIn = try child.signIn("mia")
    #expect(signedIn.status == 303)
    return Asker(kind: .child, visitor: child, roles: [.patient])
  }

  /// Gives the patient a passkey, and another visitor the codes of an app.
  func keepSecondFactors(with other: TestVisitor) throws {
    let added = try patient.add(TestPasskey(), named: "\(FilledPortal.secret) key")
    #expect(added.status == 303)
    _ = try other.enrol(in: portal)
  }

  /// Returns the paths that lead to guardianships and one-time links, by the paths of the routes.
  ///
  /// - Parameters:
  ///   - guardians: The visitors who act for the patient.
  ///   - other: The maker of the link with which somebody asks to act for an adult.
  ///   - member: A person for whom an administrator makes a link for a new password.
  func paths(
    guardians: [TestVisitor], other: TestVisitor, member: TestVisitor
  ) throws -> [String: [String]] {
    let own = try portal.person(of: patient)
    let numbers = try guardians.map { try portal.person(of: $0) }
    // After the guardians whose right has ended, because that ends the patient's unused links.
    let offer = try patient.submit("/account/people/access", ["scope": "book"]).guardianLink()
    let request = try other.submit("/account/people/ask", [:]).guardianLink()
    let ofChild = try pathsOfChildWithoutAccount()
    let others: [String: [String]] = [
      "/account/people/{person}/change": numbers.map { "/account/people/\($0)/change" },
      "/account/people/{person}/withdraw": numbers.map { "/account/people/\($0)/withdraw" },
      "/account/people/{person}/agree": ["/account/people/\(own)/agree"],
      "/admin/people/{id}/guardians/block": numbers.map {
        "/admin/people/\(own)/guardians/block?guardian=\($0)"
      },
      "/account/people/accept/{token}": [offer],
      "/account/people/allow/{token}": [request],
      "/reset/{token}": [try passwordLink(for: member)],
    ]
    return ofChild.merging(others) { $1 }
  }

  /// Has the patient, somebody whom the reception has connected and somebody whom the patient has
  /// invited act for a child without an account.
  private func pathsOfChildWithoutAccount() throws -> [String: [String]] {
    let (connected, invited) = (try portal.register(), try portal.register())
    let child = try enter("Nina", at: "10:00")
    for guardian in [patient, connected] { try connect(guardian, with: child) }
    // A guardian who only books for a child invites nobody to an account.
    try letReadOn(patient, for: "\(child)")
    let link = try invitation(to: "\(child)", of: patient, .book)
    let accepted = try invited.submit(link, [:])
    #expect(accepted.status == 303)
    let page = "/account/people/\(child)"
    return [
      "/account/people/{person}/invite": ["\(page)/invite"],
      "/account/people/{person}/account": ["\(page)/account"],
      "/account/people/{person}/connect": ["\(page)/connect"],
      "/account/people/{person}/invitation": ["\(page)/invitation"],
      "/account/people/{person}/undo": [
        "\(page)/undo?guardian=\(try portal.person(of: invited))"
      ],
      "/account/people/{person}/disconnect": [
        "\(page)/disconnect?guardian=\(try portal.person(of: connected))"
      ],
      "/invitation/{token}": [try accountLink(byClinicFor: "\(child)")],
    ]
  }

  /// Has the reception book for a child of thirteen years, and returns the child's number.
  private func enter(_ name: String, at time: String) throws -> Int {
    let booked = try filled.receptionist.submit(
      "/appointments/desk/new?doctor=1&date=2026-05-11&time=\(time)",
      ["name": name, "surname": "Cohen", "birth_date": "2013-03-04", "instead": "new-patient"])
    #expect(booked.status == 303)
    let child = try portal.database.read {
      try $0.integer("SELECT max(id_person) FROM people")
    }
    return try #require(child)
  }

  /// Has the reception make a link for a parent of a child, and a visitor use it.
  private func connect(_ guardian: TestVisitor, with child: Int) throws {
    let form = "/account/people/\(child)/connect"
    let made = try filled.receptionist.submit(form, ["is_proved": "yes"])
    let accepted = try guardian.submit(made.guardianLink(), [:])
    #expect(accepted.status == 303)
  }

  /// Has an administrator make a link for a new password, and returns its path.
  private func passwordLink(for visitor: TestVisitor) throws -> String {
    let page = "/admin/people/\(try portal.person(of: visitor))"
    let made = administrator.press("\(page)/link", on: page)
    let found = made.body.firstMatch(of: #//reset/[\w-]+/#)
    return try String(#require(found).output)
  }
}
