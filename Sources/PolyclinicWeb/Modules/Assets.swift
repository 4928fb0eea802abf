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
      guard let dot = name.lastIndex(of: "."),
        let content = FileManager.default.contents(atPath: directory + "/" + name)
      else { continue }
      let hash = Array(SHA256.digest(of: content).prefix(5)).hexadecimalText
      let stem = String(name[..<dot])
      let type = String(name[name.index(after: dot)...])
      let path: Path = stem.split(separator: "/").reduce(root) { "\($0)/\(String($1))" }
      paths[name] = "\(path).\(hash).\(type)"
    }
    self.directory = directory
    self.paths = paths
    let list = FileManager.default.contents(atPath: directory + "/cities.txt") ?? Data()
    gazetteer = GazetteerFile(
      directory: directory, cities: try Cities(Array(list), limit: 4_000))
  }

  /// Returns the names of the files in the directory and in its folder `flags`.
  private static func names(in directory: String) throws -> [String] {
    let files = FileManager.default
    let flags = directory + "/flags"
    let folder = files.fileExists(atPath: flags) ? try files.contentsOfDirectory(atPath: flags) : []
    return try files.contentsOfDirectory(atPath: directory) + folder.map { "flags/" + $0 }
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
