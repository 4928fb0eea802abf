import PolyclinicCore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@testable import PolyclinicPortal
@testable import PolyclinicWeb

@Suite struct InstallationTests {
  /// Returns the error of installing these modules, or an empty string.
  private func refusal(of modules: any Module...) throws -> String {
    let installed = { (modules: [any Module]) in
      try Installation(
        builtIn: [DashboardModule()], plugins: modules,
        isEnabled: { _ in true },
        settings: { _ in Portal.Settings([]) })
    }
    do { _ = try installed(modules) } catch let error as InstallationError {
      return error.description
    }
    return ""
  }

  private func module(_ id: ModuleID, _ routes: Route...) -> SampleModule {
    SampleModule(id: id, routes: routes)
  }

  private static func page(_ context: Context) throws -> Response { .page("title", "") }

  @Test func `modules without conflicts are installed`() throws {
    let routes: [Route] = [
      .get("", Self.page), .get("new", Self.page), .get("{id}", Self.page),
      .post("new", Self.page), .get("{id}/edit", Self.page),
    ]
    #expect(try refusal(of: SampleModule(routes: routes), module("other")) == "")
  }

  @Test func `two modules with the same id are refused`() throws {
    #expect(try refusal(of: module("sample"), module("sample")).contains("two modules"))
    #expect(try refusal(of: module("home")).contains("two modules"))
  }

  @Test(arguments: [
    "", "Sample", "sample_1", "1sample", "-sample", "sample-", "a--b", "../admin", "пример",
  ])
  func `an invalid module id is refused`(_ text: String) throws {
    #expect(ModuleID(text) == nil)
  }

  @Test func `an invalid literal module id is refused at start`() throws {
    #expect(try refusal(of: module("Sample_1")).contains("no module id"))
  }

  @Test func `two routes with the same method and path are refused`() throws {
    let twice = module("sample", .get("a/{id}", Self.page), .get("a/{id}", Self.page))
    #expect(try refusal(of: twice).contains("two routes answer GET /sample/a/{id}"))
  }

  @Test func `a path segment with two parameter names is refused`() throws {
    let names = module("sample", .get("{id}", Self.page), .get("{note}/edit", Self.page))
    #expect(try refusal(of: names).contains("{id} and {note}"))
  }

  @Test func `a route of a plugin outside of its own path is refused`() throws {
    #expect(
      try refusal(of: module("sample", .get("/login", Self.page))).contains("begin with /sample"))
  }

  @Test func `two modules that offer the same capability are refused, even if one is off`() throws {
    let offer = Offer((any CareRelations).self, WardModule.Relations())
    let (one, other) = (SampleModule(id: "one", offers: [offer]), SampleModule(offers: [offer]))
    #expect(try refusal(of: one, other).contains("“one” and “sample” both offer CareRelations"))
    #expect(throws: InstallationError.self) {
      try Installation(
        builtIn: [DashboardModule()], plugins: [one, other],
        isEnabled: { $0 == "one" },
        settings: { _ in Portal.Settings([]) })
    }
  }

  @Test func `two landing pages of a role are refused, and a disabled one is ignored`() throws {
    let link = Link("title", to: "keep", access: .role(.doctor), landing: .doctor)
    let (one, other) = (SampleModule(id: "one", links: [link]), SampleModule(links: [link]))
    #expect(try refusal(of: one, other).contains("/one/keep and /sample/keep"))
    for isOn in [true, false] {
      let installation = try Installation(
        builtIn: [DashboardModule()], plugins: [one],
        isEnabled: { _ in isOn },
        settings: { _ in Portal.Settings([]) })
      #expect(installation.landing(of: [.patient, .doctor]) == (isOn ? "/one/keep" : "/"))
      #expect(installation.landing(of: [.patient]) == "/")
    }
  }

  @Test func `a module's offer is found only while the module is on`() throws {
    for isOn in [true, false] {
      let installation = try Installation(
        builtIn: [DashboardModule()], plugins: [WardModule()],
        isEnabled: { _ in isOn },
        settings: { _ in Portal.Settings([]) })
      #expect((installation.offers.find((any CareRelations).self) != nil) == isOn)
    }
  }

  @Test func `a default out of bounds is refused with the value and the bounds`() throws {
    let minutes = Setting("minutes", .integer(5...120), default: 150)
    #expect(
      try refusal(of: SampleModule(settings: [minutes]))
        == "the module “sample” declares the setting “minutes” with the default 150, which is not an "
        + "integer from 5 to 120")
  }

  @Test(arguments: [
    Setting("minutes", .integer(5...120), default: .integer(4)),
    Setting("enabled", .boolean, default: .boolean(true)),
    Setting("Minutes", .boolean, default: .boolean(true)),
    Setting("", .boolean, default: .boolean(true)),
    Setting("country", .choice(["RU"]), default: .text("BY")),
    Setting("flag", .boolean, default: .text("yes")),
  ])
  func `an invalid setting is refused with its key`(_ setting: Setting) throws {
    #expect(
      try refusal(of: SampleModule(settings: [setting])).contains("the setting “\(setting.key)”"))
  }
}
