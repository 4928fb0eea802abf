import PolyclinicStore
import PolyclinicTestSupport
import Testing

@testable import PolyclinicServer

@Suite struct ConfigurationDatabaseEditTests {
  private static let url = "postgresql://portal@db.example/portal"

  private func edited(_ text: String, to database: Configuration.Database? = nil) throws -> String?
  {
    let edit = ConfigurationEdit(
      path: "/srv/portal/polyclinic.yaml", modules: Sample.modules, environment: [:])
    let server = Configuration.Database.postgresql(try PostgreSQLAddress(parsing: Self.url))
    return try ConfigurationDatabaseEdit(edit: edit).text(
      Sample.least + text, with: database ?? server)
  }

  @Test(arguments: [
    (
      "database:\n  # the file\n  url: \"sqlite:data/p.sqlite\"\n# next\n",
      "database:\n  # the file\n  url: \"\(url)\"\n# next\n"
    ),
    ("database: { url: \"sqlite:data/p.sqlite\" }\n", "database:\n  url: \"\(url)\"\n"),
    ("# end", "# end\ndatabase:\n  url: \"\(url)\"\n"),
  ])
  func `another database changes only its section`(before: String, after: String) throws {
    #expect(try edited(before) == Sample.least + after)
  }

  @Test func `a file takes the place of a server and its password file`() throws {
    let text = "database:\n  url: \"\(Self.url)\"\n  password_file: x # secret\n"
    // The password file is read with the configuration.
    #expect(throws: ConfigurationError.self) {
      try edited(text, to: .sqlite(path: "/srv/portal/data/p.sqlite"))
    }
    let without = "database:\n  url: \"\(Self.url)\"\n"
    #expect(
      try edited(without, to: .sqlite(path: "/srv/portal/data/p.sqlite")) == Sample.least
        + "database:\n  url: \"sqlite:/srv/portal/data/p.sqlite\"\n")
  }

  @Test(arguments: [
    // The data directory would be another one.
    "database: { url: \"sqlite:elsewhere/p.sqlite\" }\n",
    // A comment would be lost.
    "database: { url: \"sqlite:data/p.sqlite\" } # the file\n",
    "database: {\n  url: \"sqlite:data/p.sqlite\" }\n",
  ])
  func `a file that cannot be changed safely is left`(text: String) throws {
    #expect(try edited(text) == nil)
  }
}
