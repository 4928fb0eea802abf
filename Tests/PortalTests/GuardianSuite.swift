import PolyclinicCore
import PolyclinicTesting
import Testing

/// A parent with a child who has an account.
struct Family {
  let parent: TestVisitor
  let child: TestVisitor
  /// The beginning of the child's addresses.
  let prefix: String

  /// The child's number.
  var person: Substring { prefix.dropFirst("/for/".count) }
}

/// Tests of people who act for others.
protocol GuardianSuite {
  var portal: TestPortal { get }
}

extension GuardianSuite {
  /// The fields of a child of seven years.
  static var childFields: [String: String] {
    [
      "name": "Mia", "surname": "Cohen", "birth_date": "2019-03-04", "sex": "female",
      "is_guardian": "yes",
    ]
  }

  static var account: [String: String] {
    [
      "login": "mia", "email": "mia@example.org", "password": TestVisitor.password,
      "password_confirm": TestVisitor.password, "consent": "yes",
    ]
  }

  /// Registers a parent whose name differs from that of other people.
  func parent(_ name: String = "Olga") throws -> TestVisitor {
    try portal.register(login: name.lowercased(), ["name": name, "surname": "Cohen"])
  }

  /// Has the clinic let a parent read on after the review.
  func letReadOn(_ parent: TestVisitor, for person: some StringProtocol) throws {
    let page = "/admin/people/\(person)/guardians"
    let fields = ["guardian": "\(try portal.person(of: parent))"]
    #expect(try portal.administrator().press("\(page)/agree", on: page, fields).status == 303)
  }

  /// Has an administrator end the access of a guardian.
  func block(
    _ guardian: TestVisitor, for person: some StringProtocol, by administrator: TestVisitor
  ) throws -> TestPage {
    let guardian = try portal.person(of: guardian)
    return try administrator.submit(
      "/admin/people/\(person)/guardians/block?guardian=\(guardian)", [:])
  }

  /// Returns the path of a link with which a child makes an account, made by the clinic.
  func accountLink(byClinicFor person: some StringProtocol) throws -> String {
    let page = "/admin/people/\(person)"
    let made = try portal.administrator().press("\(page)/invite", on: page)
    let found = made.body.firstMatch(of: #//invitation/[\w-]+/#)
    return try String(#require(found).output)
  }

  /// Has a parent invite a child to an account, and returns the path of the link.
  func accountLink(of parent: TestVisitor, for person: some StringProtocol) throws -> String {
    let made = try parent.submit("/account/people/\(person)/account", [:])
    let found = made.body.firstMatch(of: #//invitation/[\w-]+/#)
    return try String(#require(found).output)
  }

  /// Has a parent enter a child of seven years, who then makes an account as an administrator lets
  /// it, because a parent cannot at that age.
  func family() throws -> Family {
    let parent = try parent()
    let prefix = try child(of: parent)
    let child = portal.visitor()
    let link = try accountLink(byClinicFor: prefix.dropFirst("/for/".count))
    #expect(try child.submit(link, Self.account).status == 303)
    #expect(try child.signIn("mia").status == 303)
    return Family(parent: parent, child: child, prefix: prefix)
  }

  /// Sets the time and signs people in again.
  func set(_ time: String, _ visitors: TestVisitor...) throws {
    portal.now = try #require(ZonedTime(time)).instant
    for visitor in visitors { #expect(try visitor.signIn(visitor.login).status == 303) }
  }

  /// Has a guardian of a child make a link for another one, and returns its path.
  func invitation(
    to child: some StringProtocol, of guardian: TestVisitor, _ scope: GuardianScope = .all
  ) throws -> String {
    let form = "/account/people/\(child)/invite"
    return try guardian.submit(form, ["scope": scope.rawValue]).guardianLink()
  }

  /// Has a visitor enter a child, and returns the beginning of the child's addresses.
  func child(of parent: TestVisitor) throws -> String {
    let before = try portal.database.read { try $0.integer("SELECT max(id_person) FROM people") }
    #expect(try parent.submit("/account/people/child", Self.childFields).status == 303)
    let after = try portal.database.read { try $0.integer("SELECT max(id_person) FROM people") }
    let person = try #require(after)
    #expect(person != before)
    return "/for/\(person)"
  }
}
