import PolyclinicStore
import PolyclinicSystem

/// The section `database`.
extension ConfigurationReader {
  func database() -> Configuration.Database {
    let section = root.section("database", known: ["url", "password_file"])
    let url = section.text("url", limit: 2_000) ?? "sqlite:data/polyclinic.sqlite"
    if url.hasPrefix("postgresql:") || url.hasPrefix("postgres:") { return server(url, section) }
    guard url.hasPrefix("sqlite:"), url.utf8.count > "sqlite:".utf8.count else {
      section.refuse("url", "must be sqlite: and a path, or postgresql://USER@HOST/DATABASE")
      return .sqlite(path: "")
    }
    if section.has("password_file") {
      section.refuse("password_file", "is for PostgreSQL alone; leave it out with SQLite")
    }
    return .sqlite(path: absolute(String(url.dropFirst("sqlite:".count))))
  }

  private func server(
    _ url: String, _ section: ConfigurationSection
  ) -> Configuration.Database {
    let passwordFile = section.text("password_file").map(absolute)
    do {
      // First without the file, so that its mistakes are told at its key.
      let address = try PostgreSQLAddress(parsing: url)
      guard let passwordFile else { return .postgresql(address) }
      do {
        return .postgresql(try PostgreSQLAddress(parsing: url, passwordFile: passwordFile))
      } catch { section.refuse("password_file", "\(error)") }
    } catch { section.refuse("url", "\(error)") }
    return .sqlite(path: "")
  }
}
