import Crypto
import Foundation
import PolyclinicCore

/// The files of `www`, each served under a name with its content's hash, so that browsers keep it for
/// ever and still never see an old one.
struct Assets: Sendable {
  private let directory: String
  private let paths: [String: Path]
  /// The large towns that a form suggests where no script can look for them.
  let cities: Cities
  /// Where towns lie.
  let gazetteer: GazetteerFile

  /// Reads the directory's files. A missing directory is an error: pages without their style sheet help nobody.
  init(directory: String) throws {
    var paths: [String: Path] = [:]
    for name in try Self.names(in: directory) {
      guard let dot = name.lastIndex(of: "."),
        let content = FileManager.default.contents(atPath: directory + "/" + name)
      else { continue }
      let hash = Array(SHA256.hash(data: content).prefix(5)).hexadecimalText
      let stem = String(name[..<dot])
      let type = String(name[name.index(after: dot)...])
      paths[name] = "/assets/\(stem).\(hash).\(type)"
    }
    self.directory = directory
    self.paths = paths
    let list = FileManager.default.contents(atPath: directory + "/cities.txt") ?? Data()
    cities = try Cities(Array(list), limit: 4_000)
    gazetteer = GazetteerFile(directory: directory)
  }

  /// The files of the directory and of its folder of flags, by their paths.
  private static func names(in directory: String) throws -> [String] {
    let files = FileManager.default
    let flags = directory + "/flags"
    let folder = files.fileExists(atPath: flags) ? try files.contentsOfDirectory(atPath: flags) : []
    return try files.contentsOfDirectory(atPath: directory) + folder.map { "flags/" + $0 }
  }

  /// Where a file is served; under its plain name when it is not there, so that the web server says so.
  func path(of name: String) -> Path { paths[name] ?? "/assets/\(name)" }

  /// The bytes of a file as it is now; nil for one that was not there when they were listed.
  func content(of name: String) -> [UInt8]? {
    if paths[name] == nil { return nil }
    return FileManager.default.contents(atPath: directory + "/" + name).map { Array($0) }
  }
}
