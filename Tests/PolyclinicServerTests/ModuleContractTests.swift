import PolyclinicCore
import PolyclinicTesting
import Testing

/// Each check of the contract is shown failing.
@Suite struct ModuleContractTests {
  private func broken(
    _ module: SampleModule, foreignTables: Set<String> = []
  ) throws -> [String] {
    try ModuleContract(module, foreignTables: foreignTables) { person in
      let token = person.get("/account").hidden(of: "/logout")
      _ = person.post("/sample/keep", pairs: token)
    }.broken()
  }

  @Test func `a module that keeps its promises passes`() throws {
    #expect(try broken(SampleModule()) == [])
  }

  @Test func `catalogs that differ are told`() throws {
    var module = SampleModule()
    let (more, less) = (#"{"title": "T", "more": "{n}"}"#, #"{"title": "T", "more": "n"}"#)
    module.catalog = Catalog(en: [Array(more.utf8)], ru: [Array(more.utf8)], he: [Array(less.utf8)])
    let told = try broken(module)
    #expect(told.count == 1 && told.first?.hasPrefix("catalog: ") == true)
  }

  @Test func `a title without words is told`() throws {
    var module = SampleModule()
    module.catalog = Catalog()
    #expect(
      try broken(module)
        == ["en", "ru", "he"].map { "catalog: the title is missing in “\($0)”" })
  }

  @Test func `words that are missing on the portal's pages are told`() throws {
    var module = SampleModule()
    module.personalData = PersonalData(
      .sealed("privacy.sample", until: "privacy.until-deleted"), export: SampleModule.export)
    #expect(
      try broken(module) == ["/privacy shows a text of the module that its catalog lacks"])
  }

  @Test func `a table without the prefix is told, unless its name is given`() throws {
    var module = SampleModule()
    module.migrations.append(
      Migration("0002-other", "CREATE TABLE other (person \(.person)) \(.strict)"))
    #expect(try broken(module) == ["table other does not begin with sample_"])
    #expect(try broken(module, foreignTables: ["other"]) == [])
  }

  @Test func `data that stays when the person is erased is told`() throws {
    var module = SampleModule()
    module.migrations = [
      Migration(
        "0001-kept", "CREATE TABLE sample_kept (person \(.integer), at \(.integer)) \(.strict)")
    ]
    #expect(try broken(module) == ["table sample_kept keeps rows of a person who was erased"])
  }

  @Test func `an export that lacks what was stored is told`() throws {
    var module = SampleModule()
    module.personalData = .none
    #expect(try broken(module) == ["the export lacks what was stored"])
  }

  @Test func `an export of nothing, because nothing was stored, is told`() throws {
    let told = try ModuleContract(SampleModule()) { _ in }.broken()
    #expect(told == ["the export lacks what was stored"])
  }

  @Test func `a form that cannot be shown again without its token is told`() throws {
    struct Draft: Sendable { var text = "" }
    let form = Form(Draft(), .choice(\.text, "text") { _ in throw DecodingFailure() })
    var module = SampleModule()
    module.routes.append(.form("new", form, title: "title", cancel: "") { _, _, _ in "" })
    #expect(
      try broken(module) == ["POST /sample/new is done without its anti-forgery token"])
  }

  @Test func `an address that is somebody else's while the module is off is told`() throws {
    let module = SampleModule(id: "healthz", routes: [.post("", SampleModule.keep)])
    #expect(try broken(module).contains("POST /healthz answers 405 while it is off"))
  }
}
