import PolyclinicCore
import PolyclinicDemonstration
import PolyclinicTesting
import Testing

/// The page with every component, which a demonstration portal has.
@Suite struct ComponentsPageTests {
  private let portal: TestPortal

  init() throws { portal = try TestPortal(all: [ComponentsModule()]) }

  @Test(arguments: ["/components", "/components/form", "/components/question"])
  func `the page of components opens for everyone`(_ path: String) {
    let page = portal.visitor().get(path)
    #expect(page.status == 200)
    #expect(page.heading != "")
  }

  @Test func `no link leads to the page of components`() throws {
    let visitor = portal.visitor().get("/")
    #expect(!visitor.hasLink(to: "/components"))
    let patient = try portal.register()
    let home = patient.get("/")
    #expect(!home.hasLink(to: "/components"))
  }
}
