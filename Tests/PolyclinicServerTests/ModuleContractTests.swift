import PolyclinicCore
import Synchronization
import Testing

@testable import PolyclinicTesting

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
      try broken(module) == [
        "/privacy shows ⟦privacy.sample⟧ (en, he, ru): its words or a value are missing"
      ])
  }

  @Test func `a table without the prefix is told, unless its name is given`() throws {
    var module = SampleModule()
    module.migrations.append(
      Migration("0002-other", "CREATE TABLE other (person \(.person)) \(.strict)"))
    #expect(try broken(module) == ["table other does not begin with sample_"])
    #expect(try broken(module, foreignTables: ["other"]) == [])
  }

  @Test
  func
    `a readable column that people are not told of is told, and a declared one that is not there`()
    throws
  {
    var module = SampleModule()
    module.migrations.append(
      Migration("0002-ill", "ALTER TABLE sample_kept ADD COLUMN diagnosis TEXT"))
    let told = "column sample_kept.diagnosis is neither sealed nor declared in personalData"
    #expect(try broken(module) == [told])
    module.personalData = PersonalData(
      impersonal: ["sample_kept.diagnosis": "a sample"], export: SampleModule.export)
    #expect(try broken(module) == [])
    module.migrations.removeLast()
    #expect(
      try broken(module) == ["sample_kept.diagnosis is declared in personalData, and is not there"])
  }

  @Test func `a module that keeps a patient from being erased is told`() throws {
    var module = SampleModule()
    module.personalData = PersonalData(
      export: SampleModule.export, obstacle: { _, _, _ in "title" })
    #expect(
      try broken(module) == ["a patient who has stored something of it cannot be erased"])
  }

  @Test func `data that stays when the person is erased is told`() throws {
    var module = SampleModule()
    module.migrations = [
      Migration(
        "0001-kept",
        "CREATE TABLE sample_kept (person \(.integer), created_at \(.integer)) \(.strict)")
    ]
    #expect(try broken(module) == ["table sample_kept keeps rows of a person who was erased"])
  }

  @Test func `an export that lacks what was stored is told`() throws {
    var module = SampleModule()
    module.personalData = .none
    #expect(try broken(module) == [Self.missing("sample_kept")])
  }

  @Test func `an export of nothing, because nothing was stored, is told`() throws {
    let told = try ModuleContract(SampleModule()) { _ in }.broken()
    #expect(told == ["`fill` stores nothing of a person"])
  }

  private static func missing(_ table: String) -> String {
    "the rows of \(table) are missing in the export, or their index in `derived`"
  }

  private func broken(_ module: MemosModule, workingTables: Set<String> = []) throws -> [String] {
    try ModuleContract(module, workingTables: workingTables) { person in
      _ = try person.submit("/memos/new", ["line": "milk"])
    }.broken()
  }

  @Test func `records with an index, a trash and an export pass`() throws {
    #expect(try broken(MemosModule()) == [])
  }

  @Test func `a table that the export leaves out is told, unless it is named`() throws {
    let module = MemosModule(
      personalData: .none(impersonal: ["memos.length": "a sample of a plain column"]))
    #expect(try broken(module) == [Self.missing("memos")])
    #expect(try broken(module, workingTables: ["memos"]) == [])
  }

  @Test func `an index that nothing makes anew is told`() throws {
    #expect(try broken(MemosModule(derived: [])) == [Self.missing("memos_index")])
  }

  @Test func `deleted records that nobody can take back are told`() throws {
    #expect(
      try broken(MemosModule(trash: nil))
        == ["what is deleted of memos is not in “Recently deleted”: `trash` lacks it"])
  }

  @Test func `deleted records that are never purged are told`() throws {
    let trash = Memo.records.trash(leadingTo: "")
    let keeping = Trash(
      list: trash.list, restore: trash.restore, purge: trash.purge, purgeAll: { _, _ in })
    #expect(
      try broken(MemosModule(trash: keeping)) == ["what is deleted of memos is never purged"])
  }

  @Test func `an index that does not agree with the records is told`() throws {
    let derived = Derived("index", isSound: { _, _ in false }, rebuild: { _, _ in })
    let told = try broken(MemosModule(derived: [Memo.records.derived, derived]))
    #expect(told.contains { $0.hasPrefix("`polyclinic check` complains: person ") })
  }

  @Test func `words that are missing on a page of a record are told by key`() throws {
    var module = SampleModule()
    module.routes.append(
      .get("{id}") { context in
        try context.id() as ID<Memo> == ID(1)
          ? .page("title", "<p>\(context.text("sample.row"))</p>") : .text("another")
      })
    #expect(
      try broken(module) == [
        "/sample/1 shows ⟦sample.row⟧ (en, he, ru): its words or a value are missing"
      ])
  }

  @Test func `a value that a text lacks is told`() throws {
    var module = SampleModule()
    module.catalog = .titled("Sample", #""hello": "Hello {name}""#)
    module.routes.append(
      .get("hello", access: .role(.doctor)) { .page("title", "\($0.text("hello"))") })
    #expect(
      try broken(module) == [
        "/sample/hello shows ⟦name⟧ (en, he, ru): its words or a value are missing"
      ])
  }

  @Test func `words that the description of the API lacks are told`() throws {
    struct Row: Sendable { var at = "" }
    struct Draft: Sendable { var rows: [Row] = [] }
    let form = Form(Draft(), .rows(\.rows, "time", limit: 3, of: Form(Row(), .text(\.at, "at"))))
    var module = SampleModule()
    module.resources = [
      Resource(
        called: "Sample", about: .init("Nothing."), form: form,
        .init(
          list: { _, _, _, _ in [] }, find: { _, _, _ in nil },
          create: { _, _, _ in throw Refusal.notFound },
          replace: { _, _, _, _ in throw Refusal.notFound },
          delete: { _, _, _ in throw Refusal.notFound }))
    ]
    let told = try broken(module)
    #expect(told.contains { $0.hasPrefix("/api/v1/openapi.json shows ⟦field.time_at⟧") })
  }

  @Test func `a page that fails is told, and a card of the dashboard`() throws {
    var module = SampleModule()
    module.routes.append(.get("{id}") { _ in throw DecodingFailure() })
    #expect(
      try broken(module).filter { $0.hasPrefix("GET /sample/1 ") }
        == ["en", "ru", "he"].map { "GET /sample/1 fails in “\($0)”" })
    module = SampleModule()
    module.cards = [Card("title") { _ in throw DecodingFailure() }]
    #expect(try broken(module).contains("GET / fails in “en”"))
  }

  @Test func `a job that sends a notice of no listed kind is told, and a check that fails`() throws
  {
    var module = SampleModule()
    module.jobs = [
      Job("remind") { portal in
        try portal.database.write { connection in
          let person: ID<Person>? = try connection.row("SELECT person FROM sample_kept") {
            $0.id(0)
          }
          let notice = Notice(NoticeKind("unlisted", "title"), "title", leadingTo: "")
          if let person { try portal.notify(person, notice, on: connection) }
        }
        return portal.now
      }
    ]
    #expect(try broken(module).contains { $0.hasPrefix("a job or a check fails: ") })
    module.jobs = []
    module.checks = [HealthCheck("sample") { _ in throw DecodingFailure() }]
    #expect(try broken(module) == ["a job or a check fails: DecodingFailure()"])
  }

  @Test func `a form that cannot be shown again without its token is told`() throws {
    struct Draft: Sendable { var text = "" }
    let form = Form(Draft(), .choice(\.text, "text") { _ in throw DecodingFailure() })
    var module = SampleModule()
    module.routes.append(.form("new", form, title: "title", cancel: "") { _, _, _ in "" })
    #expect(
      try broken(module).contains("POST /sample/new is done without its anti-forgery token"))
  }

  @Test func `an address that is somebody else's while the module is off is told`() throws {
    let module = SampleModule(id: "healthz", routes: [.post("", SampleModule.keep)])
    #expect(try broken(module).contains("POST /healthz answers 405 while it is off"))
  }

  @Test func `routes that clash are told`() throws {
    let module = SampleModule(routes: [
      .post("keep", SampleModule.keep), .post("keep", SampleModule.keep),
    ])
    #expect(
      try broken(module)
        == ["the portal does not start with it: two routes answer POST /sample/keep"])
  }

  @Test func `a page that answers who has not signed in is told`() throws {
    var module = SampleModule()
    module.routes += [
      .get("{id}") { _ in .text("for those who signed in") },
      .get("999999", access: .everyone) { _ in .text("for everyone") },
    ]
    #expect(
      try broken(module)
        == ["GET /sample/999999 answers 200 to who has not signed in, not 303"])
  }

  @Test func `a page that answers who lacks the role is told`() throws {
    var module = SampleModule()
    module.routes += [
      .get("{id}", access: .role(.doctor)) { _ in .text("for doctors") },
      .get("999999") { _ in .text("for patients") },
    ]
    let told = "GET /sample/999999 is not refused to "
    #expect(
      try broken(module)
        == ["who lacks the role", "the role administrator", "the role receptionist"]
        .map { told + $0 })
  }

  @Test func `a page for one role that answers another is told`() throws {
    var module = SampleModule()
    module.routes += [
      .get("{id}", access: .role(.doctor)) { _ in .text("for doctors") },
      .get("999999", access: .role(.receptionist)) { _ in .text("for the desk") },
    ]
    #expect(
      try broken(module).contains("GET /sample/999999 is not refused to the role receptionist"))
  }

  @Test func `a link that leads nowhere is told, and a landing that is closed`() throws {
    var module = SampleModule()
    module.routes += [.get("desk", access: .role(.receptionist)) { _ in .text("the desk") }]
    module.links = [Link("title", to: "desk", access: .role(.receptionist), landing: .receptionist)]
    #expect(try broken(module) == [])
    module.links = [
      Link("title", to: "desk", access: .role(.receptionist), landing: .doctor),
      Link("title", to: "desk", actions: [Link("title", to: "new")]),
    ]
    #expect(
      try broken(module) == [
        "/sample/desk answers 403 to the role doctor, which arrives there",
        "the link to /sample/desk leads nowhere",
        "the link to /sample/new leads nowhere",
      ])
  }

  @Test func `one capability offered twice is told`() throws {
    let offer = Offer((any CareRelations).self, WardModule.Relations())
    let told = try broken(SampleModule(offers: [offer, offer]))
    #expect(told.count == 1 && told.first?.contains("both offer CareRelations") == true)
  }

  @Test func `commands that cannot be told apart, typed or understood are told`() throws {
    let nothing: Command.Action = { _, _ in [] }
    var module = SampleModule()
    module.commands = [
      Command("count", "Counts.", .flag("all", "Everything."), run: nothing),
      Command("count", "", run: nothing),
      Command("a b", "Counts.", .option("config", "A file."), .argument("x", ""), run: nothing),
    ]
    #expect(
      try broken(module) == [
        "command “count”: the name is taken", "command “count”: nothing says what it is",
        "command “a b”: no name to be typed", "parameter of a b “config”: the name is taken",
        "parameter of a b “x”: nothing says what it is",
      ])
  }

  @Test func `data that cannot be read for who has no account is told`() throws {
    var module = SampleModule()
    module.personalData = PersonalData { keys, connection, copy in
      let login = try connection.integer(
        "SELECT person FROM accounts WHERE person = \(keys.person)")
      if login == nil { throw DecodingFailure() }
      try SampleModule.export(keys, connection, copy)
    }
    #expect(
      try broken(module) == [
        "the data of who has no account cannot be read: DecodingFailure"
      ])
  }

  @Test func `a dashboard that fails while the module is off is told`() throws {
    var module = SampleModule()
    module.migrations.append(
      Migration(
        "0002-spoil",
        """
        CREATE TRIGGER sample_spoil AFTER INSERT ON profiles BEGIN
          UPDATE profiles SET sealed_name = zeroblob(40), sealed = zeroblob(40);
        END
        """))
    #expect(try broken(module).contains("the dashboard fails while it is off"))
  }

  @Test func `a table that is not made while the module is off is told`() throws {
    let contract = ModuleContract(ForgetfulModule()) { _ in }
    #expect(
      try contract.cannotBeSwitchedOff() == ["table forgetful is missing while it is off"])
  }
}

/// A module that names its schema only once.
private final class ForgetfulModule: Module {
  let id: ModuleID = "forgetful"
  var title: Text { "title" }
  var catalog: Catalog { .titled("Forgetful") }
  var personalData: PersonalData { .none }
  private let wasAsked = Mutex(0)

  var migrations: [Migration] {
    let count = wasAsked.withLock { count in
      count += 1
      return count
    }
    if count < 2 { return [] }
    return [Migration("0001-forgetful", "CREATE TABLE forgetful (at \(.integer)) \(.strict)")]
  }
}
