import PolyclinicCore
import PolyclinicTestSupport
import Synchronization
import Testing

@testable import PolyclinicTesting

/// The checks of the module contract, each with a module that fails it.
@Suite struct ModuleContractTests {
  private func broken(_ module: SampleModule) -> [String] {
    ModuleContract(module) { person in
      let token = person.get("/").hidden(of: "/logout")
      _ = person.post("/sample/keep", pairs: token)
    }.broken()
  }

  @Test func `a module that meets the contract passes`() throws {
    #expect(broken(SampleModule()) == [])
  }

  @Test func `catalogs that differ between languages are reported`() throws {
    var module = SampleModule()
    let (more, less) = (#"{"title": "T", "more": "{n}"}"#, #"{"title": "T", "more": "n"}"#)
    module.catalog = Catalog(en: [Array(more.utf8)], ru: [Array(more.utf8)], he: [Array(less.utf8)])
    let told = broken(module)
    #expect(told.count == 1 && told.first?.hasPrefix("catalog: ") == true)
  }

  @Test func `a page that loads a file that its module does not list is reported`() throws {
    var module = SampleModule()
    let (listed, other) = (Page.Asset("listed.js", Array("1".utf8)), Page.Asset("other.css", []))
    module.assets = [listed]
    module.routes.append(.get("page") { _ in .page(Page("title", "", assets: [listed, other])) })
    #expect(
      broken(module) == [
        "/sample/page loads /assets/modules/other.css, which `assets` does not list"
      ])
  }

  @Test func `a title missing in the catalog is reported`() throws {
    var module = SampleModule()
    module.catalog = Catalog()
    #expect(
      broken(module)
        == ["en", "ru", "he"].map { "catalog: the title is missing in “\($0)”" })
  }

  @Test func `texts missing on the portal's pages are reported`() throws {
    var module = SampleModule()
    module.personalData = PersonalData(
      .sealed("privacy.sample", until: "privacy.until-deleted"), export: SampleModule.export)
    #expect(
      broken(module) == [
        "/privacy shows ⟦privacy.sample⟧ (en, he, ru): its words or a value are missing"
      ])
  }

  @Test func `a migration that breaks the previous release is reported`() throws {
    var module = SampleModule()
    module.migrations.append(
      Migration("0002-once", "CREATE UNIQUE INDEX sample_once ON sample_kept (person)"))
    #expect(
      broken(module) == ["sample 0002-once: table sample_kept has a new unique key (person)"])
  }

  @Test func `a table without the module's prefix is reported`() throws {
    var module = SampleModule()
    module.migrations.append(
      Migration("0002-other", "CREATE TABLE other (person \(.person)) \(.strict)"))
    #expect(broken(module) == ["table other does not begin with sample_"])
  }

  @Test func `undeclared readable columns and declared missing columns are reported`() throws {
    var module = SampleModule()
    module.migrations.append(
      Migration("0002-ill", "ALTER TABLE sample_kept ADD COLUMN diagnosis TEXT"))
    let told = "column sample_kept.diagnosis is neither sealed nor declared in personalData"
    #expect(broken(module) == [told])
    module.personalData = PersonalData(
      impersonal: ["sample_kept.diagnosis": "a sample"], export: SampleModule.export)
    #expect(broken(module) == [])
    module.migrations.removeLast()
    #expect(
      broken(module) == ["sample_kept.diagnosis is declared in personalData, and is not there"])
  }

  @Test func `a module that prevents a patient's erasure is reported`() throws {
    var module = SampleModule()
    module.personalData = PersonalData(
      export: SampleModule.export, obstacle: { _, _ in "title" })
    #expect(
      broken(module) == ["a patient who has stored something of it cannot be erased"])
  }

  @Test func `rows that remain after the person is erased are reported`() throws {
    var module = SampleModule()
    module.migrations = [
      Migration(
        "0001-kept",
        "CREATE TABLE sample_kept (person \(.integer), created_at \(.integer)) \(.strict)")
    ]
    #expect(broken(module) == ["table sample_kept keeps rows of a person who was erased"])
  }

  @Test func `an export without the stored rows is reported`() throws {
    var module = SampleModule()
    module.personalData = .none
    #expect(broken(module) == [Self.missing("sample_kept")])
  }

  @Test func `an export without some of the stored rows is reported`() throws {
    var module = SampleModule()
    module.personalData = PersonalData { work, copy in
      let latest = try work.integer(
        "SELECT max(created_at) FROM sample_kept WHERE person = \(work.keys.person)")
      try copy.write("latest", .integer(Int64(latest ?? 0)))
    }
    let told = ModuleContract(module) { person in
      let token = person.get("/").hidden(of: "/logout")
      for _ in 1...2 { _ = person.post("/sample/keep", pairs: token) }
    }.broken()
    #expect(
      told == [
        "some rows of sample_kept are missing in the export, or in an index of `records`"
      ])
  }

  @Test func `an export with two members of one name is reported`() throws {
    var module = SampleModule()
    module.personalData = PersonalData { work, copy in
      try SampleModule.export(work, copy)
      try SampleModule.export(work, copy)
    }
    let told = broken(module)
    #expect(!told.isEmpty && told.allSatisfy { $0.contains("the export is not valid JSON") })
  }

  @Test func `a sealed column that the export does not open is reported`() throws {
    let export: PersonalData.Export = { work, copy in
      let count = try work.integer("SELECT count(*) FROM memos WHERE person = \(work.keys.person)")
      try copy.write("memos", .integer(Int64(count ?? 0)))
    }
    let module = MemosModule(
      personalData: PersonalData(
        impersonal: ["memos.length": "a sample of a plain column"], export: export))
    #expect(
      broken(module) == ["neither the export nor an index of `records` opens memos.sealed"])
  }

  @Test func `a fill closure that stores nothing is reported`() throws {
    let told = ModuleContract(SampleModule()) { _ in }.broken()
    #expect(told == ["the closure of ModuleContract stores nothing of a person"])
  }

  @Test func `a form of the fill closure that is refused is reported with its errors`() throws {
    let told = ModuleContract(MemosModule()) { person in
      _ = try person.submit("/memos/new", ["line": ""])
    }.broken()
    #expect(told.first?.contains("sends /memos/new, which answers 422 (line: ") == true)
    #expect(told.last == "the closure of ModuleContract stores nothing of a person")
    let corrected = ModuleContract(MemosModule()) { person in
      for line in ["", "milk"] { _ = try person.submit("/memos/new", ["line": line]) }
    }.broken()
    #expect(corrected == [])
  }

  private static func missing(_ table: String) -> String {
    "the rows of \(table) are missing in the export, or their kind in `records`"
  }

  private func broken(_ module: MemosModule, workingTables: Set<String> = []) -> [String] {
    ModuleContract(module, workingTables: workingTables) { person in
      _ = try person.submit("/memos/new", ["line": "milk"])
    }.broken()
  }

  @Test func `records with an index, a trash and an export pass`() throws {
    #expect(broken(MemosModule()) == [])
  }

  @Test func `a table missing in the export is reported, unless it is a working table`() throws {
    let module = MemosModule(
      personalData: .none(impersonal: ["memos.length": "a sample of a plain column"]))
    #expect(broken(module) == [Self.missing("memos")])
    #expect(broken(module, workingTables: ["memos"]) == [])
  }

  @Test func `an index without a rebuild is reported`() throws {
    #expect(broken(MemosModule(rebuildableIndexes: [])) == [Self.missing("memos_index")])
  }

  @Test func `deleted records that cannot be restored are reported`() throws {
    #expect(
      broken(MemosModule(trash: nil))
        == ["what is deleted of memos is not in “Recently deleted”: `records` lacks them"])
  }

  @Test func `deleted records that are never purged are reported`() throws {
    let trash = Memo.records.trash(leadingTo: "")
    let keeping = Trash(
      list: trash.list, restore: trash.restore, purge: trash.purge, purgeAll: { _, _ in })
    #expect(
      broken(MemosModule(trash: keeping)) == ["what is deleted of memos is never purged"])
  }

  @Test func `an export without the deleted records is reported`() {
    let export: PersonalData.Export = { work, copy in
      try copy.writeArray("memos") { list in
        try Memo.records.forEach(in: work) { _, memo in
          try list.append(.string(memo.line))
        }
      }
    }
    let module = MemosModule(
      personalData: PersonalData(
        impersonal: ["memos.length": "a sample of a plain column"], export: export))
    #expect(broken(module) == ["the export lacks what is in “Recently deleted” of memos"])
  }

  @Test func `an index that does not match the records is reported`() throws {
    let unsound = RebuildableIndex("index", isSound: { _ in false }, rebuild: { _ in })
    let told = broken(
      MemosModule(rebuildableIndexes: [Memo.records.rebuildableIndex, unsound]))
    #expect(told.contains { $0.hasPrefix("`polyclinic check` complains: person ") })
  }

  @Test func `texts missing on a record's page are reported by key`() throws {
    var module = SampleModule()
    module.routes.append(
      .get("{id}") { context in
        try context.id() as ID<Memo> == ID(1)
          ? .page("title", "<p>\(context.text("sample.row"))</p>") : .text("another")
      })
    #expect(
      broken(module) == [
        "/sample/1 shows ⟦sample.row⟧ (en, he, ru): its words or a value are missing"
      ])
  }

  @Test func `texts missing on a page that only a link leads to are reported`() throws {
    var module = SampleModule()
    module.routes += [
      .get("") { _ in
        .page("title", "<p><a class=\"more\" href=\"/sample/days/2026-05-04\">1</a></p>")
      },
      .get("days/{day}") { context in
        let day: CalendarDate = try context.value("day")
        return .page("title", "<p>\(context.text("sample.day")) \(context.formats.date(day))</p>")
      },
    ]
    #expect(
      broken(module) == [
        "/sample/days/2026-05-04 shows ⟦sample.day⟧ (en, he, ru): its words or a value are missing"
      ])
  }

  @Test func `a missing placeholder value is reported`() throws {
    var module = SampleModule()
    module.catalog = .titled("Sample", #""hello": "Hello {name}""#)
    module.routes.append(
      .get("hello", access: .role(.doctor)) { .page("title", "\($0.text("hello"))") })
    #expect(
      broken(module) == [
        "/sample/hello shows ⟦name⟧ (en, he, ru): its words or a value are missing"
      ])
  }

  @Test func `texts missing in the OpenAPI description are reported`() throws {
    struct Row: Sendable { var at = "" }
    struct Draft: Sendable { var rows: [Row] = [] }
    let form = Form(Draft(), .rows(\.rows, "time", limit: 3, of: Form(Row(), .text(\.at, "at"))))
    var module = SampleModule()
    module.resources = [
      Resource(
        called: "Sample", about: .init("Nothing."), form: form,
        .init(
          list: { _, _, _ in [] }, find: { _, _ in nil },
          create: { _, _ in throw Refusal.notFound },
          replace: { _, _, _ in throw Refusal.notFound },
          delete: { _, _ in throw Refusal.notFound }))
    ]
    let told = broken(module)
    #expect(told.contains { $0.hasPrefix("/api/v1/openapi.json shows ⟦field.time_at⟧") })
  }

  @Test func `a failing page, dashboard card or offline card is reported`() throws {
    var module = SampleModule()
    module.routes.append(.get("{id}") { _ in throw DecodingFailure() })
    #expect(
      broken(module).filter { $0.hasPrefix("GET /sample/1 ") }
        == ["en", "ru", "he"].map { "GET /sample/1 fails in “\($0)”: DecodingFailure()" })
    module = SampleModule()
    module.cards = [Card("title") { _ in throw DecodingFailure() }]
    #expect(broken(module).contains("GET / fails in “en”: DecodingFailure()"))
    module = SampleModule()
    module.offlineCards = [Card("title") { _ in throw DecodingFailure() }]
    #expect(
      broken(module).contains("GET /account/offline/copy fails in “en”: DecodingFailure()"))
  }

  /// Returns a job that sends a notice to everybody who has stored something for a number of days.
  private func reminder(
    after days: Int, _ kind: Notice.Kind, _ text: Text = "title"
  ) -> Job {
    Job("remind") { portal in
      try portal.write { work in
        let latest = portal.now - .days(days)
        let person: ID<Person>? = try work.row(
          "SELECT person FROM sample_kept WHERE created_at <= \(latest)"
        ) { $0.id(0) }
        let notice = Notice(kind, text, leadingTo: "/", once: "remind")
        if let person { try portal.notify(person, notice, in: work) }
      }
      return portal.now + .days(1)
    }
  }

  @Test(arguments: [0, 30])
  func `a job that throws is reported, also if it throws weeks later`(_ days: Int) throws {
    let start = TestPortal.start
    var module = SampleModule()
    module.jobs = [
      Job("refresh") { portal in
        if portal.now >= start + .days(days) { throw Job.Failure("no source") }
        return portal.now + .days(1)
      }
    ]
    let later = days == 0 ? "" : "31 days later, "
    #expect(broken(module) == ["\(later)the job “refresh” fails: no source"])
  }

  @Test(arguments: [0, 30])
  func `a notice of a kind that the module does not list is reported`(_ days: Int) throws {
    var module = SampleModule()
    module.jobs = [reminder(after: days, Notice.Kind("unlisted", "title"))]
    let told = broken(module)
    #expect(told.count == 1 && told.first?.contains("the job “remind” fails: ") == true)
  }

  @Test func `a notice without words is reported`() throws {
    let kind = Notice.Kind("reminder", "title")
    var module = SampleModule()
    module.noticeKinds = [kind]
    module.jobs = [reminder(after: 30, kind)]
    #expect(broken(module) == [])
    module.jobs = [reminder(after: 30, kind, "notice.text")]
    #expect(
      broken(module) == [
        "/notifications shows ⟦notice.text⟧ (en, he, ru): its words or a value are missing"
      ])
  }

  @Test func `a failing health check is reported`() throws {
    var module = SampleModule()
    module.checks = [HealthCheck("sample") { _ in throw DecodingFailure() }]
    #expect(broken(module) == ["the check “sample” fails: DecodingFailure()"])
    module.checks = [HealthCheck("sample", { _ in nil }, details: { _ in throw DecodingFailure() })]
    #expect(broken(module) == ["the check “sample” fails: DecodingFailure()"])
  }

  @Test func `a form that cannot be shown again without its token is reported`() throws {
    struct Broken: RoutedForm {
      struct Draft: Sendable { var text = "" }
      static let address: Address<Void> = "/sample/new"
      static let title: Text = "title"
      static let form = Form(Draft(), .choice(\.text, "text") { _ in throw DecodingFailure() })
      static let cancel: Path = "/sample"
      init(_ context: Context) {}
      func save(_ draft: Draft, in context: Context) -> Redirect { Redirect(to: Self.cancel) }
    }
    var module = SampleModule()
    module.routes.append(Broken.route)
    #expect(
      broken(module).contains("POST /sample/new is done without its anti-forgery token"))
  }

  @Test func `a path that the portal answers while the module is off is reported`() throws {
    let module = SampleModule(id: "healthz", routes: [.post("", SampleModule.keep)])
    #expect(broken(module).contains("POST /healthz answers 405 while it is off"))
  }

  @Test func `conflicting routes are reported`() throws {
    let module = SampleModule(routes: [
      .post("keep", SampleModule.keep), .post("keep", SampleModule.keep),
    ])
    #expect(
      broken(module)
        == ["the portal does not start with it: two routes answer POST /sample/keep"])
  }

  @Test func `a page that answers without sign-in is reported`() throws {
    var module = SampleModule()
    module.routes += [
      .get("{id}") { _ in .text("for those who signed in") },
      .get("999999", access: .everyone) { _ in .text("for everyone") },
    ]
    #expect(
      broken(module)
        == ["GET /sample/999999 answers 200 to who has not signed in, not 303"])
  }

  @Test func `a page that answers users without its role is reported`() throws {
    var module = SampleModule()
    module.routes += [
      .get("{id}", access: .role(.doctor)) { _ in .text("for doctors") },
      .get("999999") { _ in .text("for patients") },
    ]
    let told = "GET /sample/999999 is not refused to "
    #expect(
      broken(module)
        == ["who lacks the role", "the role administrator", "the role receptionist"]
        .map { told + $0 })
  }

  @Test func `a page that answers a different role is reported`() throws {
    var module = SampleModule()
    module.routes += [
      .get("{id}", access: .role(.doctor)) { _ in .text("for doctors") },
      .get("999999", access: .role(.receptionist)) { _ in .text("for the desk") },
    ]
    #expect(
      broken(module).contains("GET /sample/999999 is not refused to the role receptionist"))
  }

  @Test func `a broken link and a landing page closed to its role are reported`() throws {
    var module = SampleModule()
    module.routes += [.get("desk", access: .role(.receptionist)) { _ in .text("the desk") }]
    module.links = [Link("title", to: "desk", access: .role(.receptionist), landing: .receptionist)]
    #expect(broken(module) == [])
    module.links = [
      Link("title", to: "desk", access: .role(.receptionist), landing: .doctor),
      Link("title", to: "desk", actions: [Link("title", to: "new")]),
    ]
    #expect(
      broken(module) == [
        "/sample/desk answers 403 to the role doctor, which arrives there",
        "the link to /sample/desk leads nowhere: it answers 403",
        "the link to /sample/new leads nowhere: it answers 404",
        "/ links to /sample/new, which answers 404",
      ])
  }

  @Test func `a capability that is offered twice is reported`() throws {
    let offer = Offer((any CareRelations).self, WardModule.Relations())
    let told = broken(SampleModule(offers: [offer, offer]))
    #expect(told.count == 1 && told.first?.contains("both offer CareRelations") == true)
  }

  @Test func `commands with a taken name, an invalid name or no description are reported`() throws {
    let nothing: Command.Action = { _, _ in [] }
    var module = SampleModule()
    module.commands = [
      Command("count", "Counts.", .flag("all", "Everything."), run: nothing),
      Command("count", "", run: nothing),
      Command("a b", "Counts.", .option("config", "A file."), .argument("x", ""), run: nothing),
    ]
    #expect(
      broken(module) == [
        "command “count”: the name is taken", "command “count”: nothing says what it is",
        "command “a b”: no name to be typed", "parameter of a b “config”: the name is taken",
        "parameter of a b “x”: nothing says what it is",
      ])
  }

  @Test func `personal data that needs an account to be read is reported`() throws {
    var module = SampleModule()
    module.personalData = PersonalData { work, copy in
      let login = try work.integer(
        "SELECT person FROM accounts WHERE person = \(work.keys.person)")
      if login == nil { throw DecodingFailure() }
      try SampleModule.export(work, copy)
    }
    #expect(
      broken(module) == [
        "of a person without an account, the export fails: DecodingFailure()"
      ])
  }

  @Test func `retained records that name an erased person and never end are reported`() throws {
    var module = SampleModule()
    module.migrations.append(
      Migration(
        "0002-kept-by-law",
        "CREATE TABLE sample_law (person \(.actor), sealed \(.bytes)) \(.strict)"))
    module.retention = PersonalData.Retention(
      "retention.sample",
      keep: { person, _, work in
        try work.run("INSERT INTO sample_law (person) VALUES (\(person))")
      }, purge: { _ in })
    #expect(
      broken(module) == [
        "catalog: retention.sample is missing in “en”",
        "catalog: retention.sample is missing in “ru”",
        "catalog: retention.sample is missing in “he”",
        "table sample_law keeps rows of a person who was erased, and can name that person",
        "table sample_law keeps rows of a person who was erased for longer than it says",
      ])
  }

  private static let spoilingTrigger: StaticString = """
    CREATE TRIGGER sample_spoil AFTER INSERT ON profiles BEGIN
      UPDATE profiles SET sealed_name = zeroblob(40), sealed = zeroblob(40);
    END
    """
  private static let spoilingFunction: StaticString = """
    CREATE FUNCTION sample_spoil() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE profiles
      SET sealed_name = decode(repeat('00', 40), 'hex'), sealed = decode(repeat('00', 40), 'hex');
      RETURN NULL;
    END
    $$
    """
  private static let spoilingCall: StaticString = """
    CREATE TRIGGER sample_spoil AFTER INSERT ON profiles
    FOR EACH ROW EXECUTE FUNCTION sample_spoil()
    """

  @Test func `a dashboard that fails while the module is off is reported`() throws {
    var module = SampleModule()
    module.migrations.append(
      Migration(
        "0002-spoil", "\(sqlite: "SELECT 1", postgresql: Self.spoilingFunction)",
        "\(sqlite: Self.spoilingTrigger, postgresql: Self.spoilingCall)"))
    #expect(broken(module).contains("the dashboard fails while it is off"))
  }

  @Test func `a table that is missing while the module is off is reported`() throws {
    let contract = ModuleContract(ForgetfulModule()) { _ in }
    #expect(
      try contract.cannotBeSwitchedOff() == ["table forgetful is missing while it is off"])
  }
}

/// A module that returns no migrations until its portal's database is made.
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
    if count < 3 { return [] }
    return [Migration("0001-forgetful", "CREATE TABLE forgetful (at \(.integer)) \(.strict)")]
  }
}
