import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import PolyclinicServer

@Suite struct InstallationTests {
  /// What the installation of these modules is refused for.
  private func refusal(of modules: any Module...) throws -> String {
    let installed = { (modules: [any Module]) in
      try Installation(
        builtIn: [DashboardModule()], plugins: modules, isEnabled: { _ in true },
        settings: { _ in Settings([]) })
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

  @Test func `modules that agree are installed`() throws {
    let routes: [Route] = [
      .get("", Self.page), .get("new", Self.page), .get("{id}", Self.page),
      .post("new", Self.page), .get("{id}/edit", Self.page),
    ]
    #expect(try refusal(of: SampleModule(routes: routes), module("other")) == "")
  }

  @Test func `two modules of one id are refused`() throws {
    #expect(try refusal(of: module("sample"), module("sample")).contains("two modules"))
    #expect(try refusal(of: module("home")).contains("two modules"))
  }

  @Test(arguments: [
    "", "Sample", "sample_1", "1sample", "-sample", "sample-", "a--b", "../admin", "пример",
  ])
  func `an id that is none is refused`(_ text: String) throws {
    #expect(ModuleID(text) == nil)
  }

  @Test func `a literal id that is none is refused at the start`() throws {
    #expect(try refusal(of: module("Sample_1")).contains("no module id"))
  }

  @Test func `two routes for one method of one path are refused`() throws {
    let twice = module("sample", .get("a/{id}", Self.page), .get("a/{id}", Self.page))
    #expect(try refusal(of: twice).contains("two routes answer GET /sample/a/{id}"))
  }

  @Test func `one segment by two names is refused`() throws {
    let names = module("sample", .get("{id}", Self.page), .get("{note}/edit", Self.page))
    #expect(try refusal(of: names).contains("{id} and {note}"))
  }

  @Test func `a plugin's path outside its own is refused`() throws {
    #expect(try refusal(of: module("sample", .get("/login", Self.page))).contains("relative"))
  }

  @Test func `two modules that offer the same are refused, also while one is off`() throws {
    let offer = Offer((any CareRelations).self, WardModule.Relations())
    let (one, other) = (SampleModule(id: "one", offers: [offer]), SampleModule(offers: [offer]))
    #expect(try refusal(of: one, other).contains("“one” and “sample” both offer CareRelations"))
    #expect(throws: InstallationError.self) {
      try Installation(
        builtIn: [DashboardModule()], plugins: [one, other], isEnabled: { $0 == "one" },
        settings: { _ in Settings([]) })
    }
  }

  @Test func `a role arrives at one page, also of a module that is off`() throws {
    let link = Link("title", to: "keep", access: .role(.doctor), landing: .doctor)
    let (one, other) = (SampleModule(id: "one", links: [link]), SampleModule(links: [link]))
    #expect(try refusal(of: one, other).contains("/one/keep and /sample/keep"))
    for isOn in [true, false] {
      let installation = try Installation(
        builtIn: [DashboardModule()], plugins: [one], isEnabled: { _ in isOn },
        settings: { _ in Settings([]) })
      #expect(installation.landing(of: [.patient, .doctor]) == (isOn ? "/one/keep" : "/"))
      #expect(installation.landing(of: [.patient]) == "/")
    }
  }

  @Test func `what a module offers is found while it is on`() throws {
    for isOn in [true, false] {
      let installation = try Installation(
        builtIn: [DashboardModule()], plugins: [WardModule()], isEnabled: { _ in isOn },
        settings: { _ in Settings([]) })
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
  func `a setting that is not sound is refused`(_ setting: Setting) throws {
    #expect(
      try refusal(of: SampleModule(settings: [setting])).contains("the setting “\(setting.key)”"))
  }
}
