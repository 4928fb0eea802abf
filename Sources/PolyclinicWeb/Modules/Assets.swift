import Foundation
import PolyclinicCore
import PolyclinicCryptography
import PolyclinicPlaces

/// The static files of `www`. The name of each contains a hash of its content, so that browsers can
/// cache it forever and never use an outdated version.
package struct Assets: AssetSource {
  private let directory: String
  /// The path below which the files are served.
  private let root: Path
  private let paths: [String: Path]
  /// The gazetteer: towns and their coordinates.
  let gazetteer: GazetteerFile

  /// Reads the directory's files. Throws if the directory is missing, because pages are unusable
  /// without their style sheet.
  ///
  /// `release` names the stored release that the files belong to; nil for the installed release,
  /// whose files nginx serves.
  package init(directory: String, of release: String? = nil) throws {
    let root: Path = release.map { "/releases/\($0)" } ?? "/assets"
    self.root = root
    var paths: [String: Path] = [:]
    for name in try Self.names(in: directory) {
      guard let content = FileManager.default.contents(atPath: directory + "/" + name) else {
        continue
      }
      paths[name] = Self.path(of: name, below: root, hashing: content)
    }
    self.directory = directory
    self.paths = paths
    let list = FileManager.default.contents(atPath: directory + "/data/cities.txt") ?? Data()
    gazetteer = GazetteerFile(
      directory: directory, cities: try Cities(Array(list), limit: 4_000))
  }

  /// Returns the paths of the files that pages name: those in the folders, and the list of cities.
  private static func names(in directory: String) throws -> [String] {
    let files = FileManager.default
    let folders = try files.contentsOfDirectory(atPath: directory)
      .filter(["flags", "icons", "scripts", "styles"].contains)
    return try folders.flatMap { folder in
      try files.contentsOfDirectory(atPath: directory + "/" + folder).map { folder + "/" + $0 }
    } + ["data/cities.txt"]
  }

  /// Returns the path of a file with its content's hash before the ending, such as
  /// `/assets/styles/style.3f1c9a2b01.css`.
  static func path(of name: String, below root: Path, hashing content: some DataProtocol) -> Path {
    let hash = Array(SHA256.digest(of: content).prefix(5)).hexadecimalText
    let dot = name.lastIndex(of: ".") ?? name.endIndex
    let stem = name[..<dot].split(separator: "/").reduce(root) { "\($0)/\(String($1))" }
    return "\(stem).\(hash).\(String(name[dot...].dropFirst()))"
  }

  /// Returns the path that serves a file. An unknown file keeps its plain name, so that the web
  /// server answers 404.
  package func path(of name: String) -> Path { paths[name] ?? "\(root)/\(name)" }

  /// Returns the current content of a file; nil if it did not exist when the files were listed.
  package func content(of name: String) -> [UInt8]? {
    if paths[name] == nil { return nil }
    return FileManager.default.contents(atPath: directory + "/" + name).map { Array($0) }
  }
}
