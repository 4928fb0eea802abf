import PolyclinicCore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@Suite struct LandingTests {
  /// Returns the page that a person with these roles reaches after sign-in.
  private func arrival(_ roles: [Role], in portal: TestPortal) throws -> String {
    let login = "person-\(roles.map(\.rawValue).joined(separator: "-"))"
    _ = try portal.register(login: login)
    for role in roles { try portal.grant(role, to: login) }
    return try portal.visitor().signIn(login).location
  }

  @Test(arguments: [
    ([Role](), "/"), ([.doctor], "/"), ([.receptionist], "/desk"),
    ([.doctor, .receptionist], "/desk"), ([.administrator], "/admin"),
    ([.receptionist, .administrator], "/admin"),
  ])
  func `sign-in redirects each role to its start page`(roles: [Role], path: String) throws {
    #expect(try arrival(roles, in: TestPortal(DeskModule())) == path)
  }

  @Test func `a receptionist reaches the dashboard when no module has a desk`() throws {
    #expect(try arrival([.receptionist], in: TestPortal()) == "/")
    #expect(try arrival([.receptionist], in: TestPortal(DeskModule(), disabled: ["desk"])) == "/")
  }
}

private struct DeskModule: Module {
  let id: ModuleID = "desk"
  var title: Text { "title" }
  var catalog: Catalog { .titled("Desk") }
  var personalData: PersonalData { .none }
  var routes: [Route] { [.get("", access: .role(.receptionist)) { _ in .page("title", "") }] }
  var links: [Link] {
    [Link(title, to: "", access: .role(.receptionist), landing: .receptionist)]
  }
}
