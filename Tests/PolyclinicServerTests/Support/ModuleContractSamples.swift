import PolyclinicCore

extension Catalog {
  /// Returns a catalog with the same title and other members in each language.
  static func titled(_ title: String, _ others: String...) -> Catalog {
    let members = (["\"title\": \"\(title)\""] + others).joined(separator: ", ")
    let words = Array("{\(members)}".utf8)
    return Catalog(en: [words], ru: [words], he: [words])
  }
}

/// A test module that stores a row for each user who asks. Tests give it faulty parts.
struct SampleModule: Module {
  var id: ModuleID = "sample"
  var catalog = Catalog.titled("Sample")
  var migrations: [Migration] = [SampleModule.kept]
  var routes: [Route] = [.post("keep", SampleModule.keep)]
  var assets: [Page.Asset] = []
  var settings: [Setting] = []
  var resources: [Resource] = []
  var cards: [Card] = []
  var offlineCards: [Card] = []
  var jobs: [Job] = []
  var noticeKinds: [Notice.Kind] = []
  var checks: [HealthCheck] = []
  var offers: [Offer] = []
  var links: [Link] = []
  var commands: [Command] = []
  var retention: PersonalData.Retention?
  var personalData = PersonalData(export: SampleModule.export)
  var title: Text { "title" }

  static let kept = Migration(
    "0001-kept", "CREATE TABLE sample_kept (person \(.person), created_at \(.integer)) \(.strict)")

  static func keep(_ context: Context) throws -> Response {
    try context.write {
      try $0.run(
        """
        INSERT INTO sample_kept (person, created_at)
        VALUES (\(try context.keys.person), \(context.now))
        """)
    }
    return .redirect(to: "/")
  }

  static func export(_ work: Work, _ copy: JSON.Writer) throws {
    let count = try work.integer(
      "SELECT count(*) FROM sample_kept WHERE person = \(work.keys.person)")
    try copy.write("kept", .integer(Int64(count ?? 0)))
  }
}
