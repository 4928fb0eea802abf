import PolyclinicCore

/// A test module of a diary, of which a test can replace the parts with faulty ones.
struct DiaryModule: Module {
  let id: ModuleID = "diary"
  var list: @Sendable (ID<Person>) -> SQL = {
    "SELECT id_entry, text FROM diary WHERE person = \($0) ORDER BY id_entry"
  }
  var beforeSaving: @Sendable (ID<Person>) -> SQL = {
    "DELETE FROM diary WHERE text = '' AND person = \($0)"
  }
  var deletion: @Sendable (ID<DiaryEntry>, ID<Person>) -> SQL = {
    "DELETE FROM diary WHERE id_entry = \($0) AND person = \($1)"
  }
  var furtherRoutes: [Route] = []
  var jobs: [Job] = []
  var files: [ExportFile] = []
  var attachments: PersonalData.Attached = { _ in [] }
  var fhir: PersonalData.Export?
  var export: PersonalData.Export = { work, copy in
    let texts = try work.rows(
      "SELECT text FROM diary WHERE person = \(work.keys.person) ORDER BY id_entry"
    ) { JSON.string($0.string(0)) }
    try copy.write("entries", .array(texts))
  }

  var title: Text { "title" }
  var catalog: Catalog {
    let words = Array(
      #"""
      {"title": "Diary", "privacy.entries": "Entries", "kind.reminder": "Reminders",
        "reminder": "Write something", "field.text": "Text"}
      """#.utf8)
    return Catalog(en: [words], ru: [words], he: [words])
  }
  var migrations: [Migration] {
    [
      Migration(
        "0001-diary",
        """
        CREATE TABLE diary (
          id_entry \(.identity), person \(.person), text TEXT NOT NULL, created_at \(.integer)
        ) \(.strict)
        """)
    ]
  }
  var noticeKinds: [Notice.Kind] { [.reminder] }
  var personalData: PersonalData {
    PersonalData(
      .plain("privacy.entries", until: "privacy.until-deleted", columns: ["diary.text"]),
      export: export, files: files, attachments: attachments, fhir: fhir)
  }
  var offers: [Offer] { [Offer(DiaryModule.self, self)] }
  var routes: [Route] {
    [
      .get("", show), DiaryEntry.route, .post("{id}/delete", save: delete),
    ] + furtherRoutes
  }

  @Sendable
  private func show(_ context: Context) throws -> Response {
    let entries = try context.rows(list(context.keys.person)) {
      (id: $0.int(0), text: $0.string(1))
    }
    let rows: [HTML] = entries.map { entry in
      """
      <li>\(entry.text)<form method="post" action="/diary/\(entry.id)/delete">\
      \(context.hiddenFields())<button>Delete</button></form></li>
      """
    }
    return .page("title", "<ul>\(rows)</ul><a href=\"/diary/new\">New</a>")
  }

  @Sendable
  private func delete(_ context: Context) throws -> Path {
    let deleted = try context.runCounting(deletion(try context.id(), try context.keys.person))
    if deleted == 0 { throw Refusal.notFound }
    return ""
  }
}

/// The form of ``DiaryModule``.
struct DiaryEntry: RoutedForm {
  static let address: Address<Void> = "/diary/new"
  static let title: Text = "title"
  static let form = Form(Draft(), .text(\.text, "text", required: true, limit: 100))
  static let cancel: Path = "/diary"

  struct Draft: Sendable { var text = "" }

  private let diary: DiaryModule

  init(_ context: Context) throws {
    guard let diary = context.portal.find(DiaryModule.self) else { throw Refusal.notFound }
    self.diary = diary
  }

  func save(_ entry: Draft, in context: Context) throws -> Redirect {
    let person = try context.keys.person
    try context.run(diary.beforeSaving(person))
    try context.run(
      """
      INSERT INTO diary (person, text, created_at)
      VALUES (\(person), \(entry.text), \(context.now))
      """)
    return Redirect(to: Self.cancel)
  }
}

extension Notice.Kind {
  static let reminder = Notice.Kind("reminder", "kind.reminder")
}
