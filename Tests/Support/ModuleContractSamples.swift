import PolyclinicCore

extension Catalog {
  /// Returns a catalog with the same title and other members in each language.
  package static func titled(_ title: String, _ others: String...) -> Catalog {
    let members = (["\"title\": \"\(title)\""] + others).joined(separator: ", ")
    let words = Array("{\(members)}".utf8)
    return Catalog(en: [words], ru: [words], he: [words])
  }
}

/// A test module that stores a row for each user who asks. Tests give it faulty parts.
package struct SampleModule: Module {
  package let id: ModuleID
  package var catalog = Catalog.titled("Sample")
  package var migrations: [Migration] = [SampleModule.kept]
  package var routes: [Route]
  package var assets: [Page.Asset] = []
  package var settings: [Setting]
  package var resources: [Resource] = []
  package var cards: [Card] = []
  package var offlineCards: [Card] = []
  package var jobs: [Job] = []
  package var noticeKinds: [Notice.Kind] = []
  package var checks: [HealthCheck] = []
  package var offers: [Offer]
  package var links: [Link]
  package var commands: [Command] = []
  package var retention: PersonalData.Retention?
  package var personalData = PersonalData(export: SampleModule.export)
  package var title: Text { "title" }

  package init(
    id: ModuleID = "sample", routes: [Route] = [.post("keep", SampleModule.keep)],
    settings: [Setting] = [], offers: [Offer] = [], links: [Link] = []
  ) {
    self.id = id
    self.routes = routes
    self.settings = settings
    self.offers = offers
    self.links = links
  }

  package static let kept = Migration(
    "0001-kept",
    """
    CREATE TABLE sample_kept (
      id_kept \(.identity), person \(.person), created_at \(.integer)
    ) \(.strict)
    """)

  package static func keep(_ context: Context) throws -> Response {
    try context.write {
      try $0.run(
        """
        INSERT INTO sample_kept (person, created_at)
        VALUES (\(try context.keys.person), \(context.now))
        """)
    }
    return .redirect(to: "/")
  }

  package static func export(_ work: Work, _ copy: JSON.Writer) throws {
    let count = try work.integer(
      "SELECT count(*) FROM sample_kept WHERE person = \(work.keys.person)")
    try copy.write("kept", .integer(Int64(count ?? 0)))
  }
}
