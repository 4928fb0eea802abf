import PolyclinicCore
import PolyclinicImports
import PolyclinicTesting

/// A test module that imports songs, one title a line. Titles that begin with `!` are refused.
struct SongsModule: Module {
  var tolerance = FileImport<SongOptions, String>.Tolerance.leavingOutTheRefused
  /// Called after a file was read and before its rows are stored.
  var whenRead: @Sendable (Context) throws -> Void = { _ in }
  let id: ModuleID = "songs"
  var title: Text { "title" }
  var catalog: Catalog {
    let words = Array(
      """
      {"title": "Songs", "import.title": "Bring songs", "import.about": "A title a line",
       "field.case": "Letters", "case.as-they-are": "As they are", "case.lower": "Lower",
       "case.ask": "Not said yet", "loud": "Too loud", "privacy.songs": "Songs",
       "ask": "Say how letters are to be read", "not-songs": "This is no list of songs"}
      """.utf8)
    return Catalog(en: [words], ru: [words], he: [words])
  }
  var personalData: PersonalData {
    PersonalData(
      .plain("privacy.songs", until: "privacy.until-deleted"), export: { _, _ in })
  }
  var migrations: [Migration] {
    [
      Migration(
        "0001-songs",
        "CREATE TABLE songs (person \(.person), title TEXT NOT NULL, UNIQUE (person, title)) \(.strict)"
      )
    ]
  }
  var routes: [Route] {
    [.get("") { _ in .page("title", "<p>all</p>") }]
      + Route.fileImport(
        "import",
        FileImport(
          title: "import.title", about: "import.about", accept: ".txt", limit: 1 << 20,
          tolerance: tolerance, options: SongOptions.form, read: read, version: version,
          save: save), cancel: "")
  }

  private func read(
    _ file: [UInt8], _ options: SongOptions, _ context: Context
  ) throws -> ImportReading<SongOptions, String> {
    guard let text = String(validating: file, as: UTF8.self) else {
      throw Refusal.invalid("file", "not-songs")
    }
    guard options.letters != .ask else { throw Refusal.invalid("case", "ask") }
    let person = try context.keys.person
    let titles = try context.rows("SELECT title FROM songs WHERE person = \(person)") {
      $0.string(0)
    }
    let stored = Set(titles)
    try whenRead(context)
    let rows = text.split(separator: "\n").enumerated().map { index, line in
      let title = options.letters == .lower ? line.lowercased() : String(line)
      let outcome: ImportRow<String>.Outcome =
        title.hasPrefix("!") ? .refused("loud") : stored.contains(title) ? .duplicate : .new(title)
      return ImportRow(line: index + 1, title: title, outcome)
    }
    return ImportReading(rows)
  }

  private func version(_ context: Context) throws -> [UInt8] {
    let count = try context.integer("SELECT count(*) FROM songs") ?? 0
    return Array(String(count).utf8)
  }

  private func save(
    _ titles: [String], _ context: Context
  ) throws -> (Connection) throws -> Path {
    let person = try context.keys.person
    return { work in
      for title in titles {
        try work.run("INSERT INTO songs (person, title) VALUES (\(person), \(title))")
      }
      let list: Path = ""
      return list.query(["new": String(titles.count)])
    }
  }
}

struct SongOptions: Sendable {
  var letters = Letters.asTheyAre

  enum Letters: String, CaseIterable, Sendable {
    case asTheyAre = "as-they-are"
    case lower
    case ask
  }

  static let form = Form(SongOptions(), .choice(\.letters, "case"))
}
