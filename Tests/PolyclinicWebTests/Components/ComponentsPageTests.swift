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

  @Test(arguments: Language.allCases)
  func `the page says in each language what each icon stands for`(_ language: Language) {
    let page = portal.visitor(language: language).get("/components")
    for icon in Icon.allCases {
      #expect(page.body.contains("#\(icon.rawValue)\"/></svg><span>"))
    }
    // The mark of a key without a phrase
    #expect(!page.body.contains("⟦"))
  }

  @Test(arguments: [
    "turn", "start", "day-tile", "days", "tiles", "notice", "segments", "pages", "details", "data",
    "folded", "fold", "spark", "ghosts", "scene", "space-s6", "size-huge", "ground-sun",
  ])
  func `the page shows the component of each style`(_ style: String) {
    let main = portal.visitor().get("/components").main
    #expect(main.first { $0.hasClass(style) } != nil)
  }

  @Test func `no link leads to the page of components`() throws {
    let visitor = portal.visitor().get("/")
    #expect(!visitor.hasLink(to: "/components"))
    let patient = try portal.register()
    let home = patient.get("/")
    #expect(!home.hasLink(to: "/components"))
  }
}
