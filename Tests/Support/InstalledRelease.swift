import Foundation
import PolyclinicCore
import PolyclinicServer
import PolyclinicServing
import PolyclinicSystem

/// An installed release in its own directory: a program, the decoder beside it, and `www`.
package struct InstalledRelease {
  package let directory: String
  package var program: String { directory + "/bin/polyclinic" }
  package var www: String { directory + "/www" }
  package var releases: ReleaseDirectory {
    ReleaseDirectory(in: directory)
  }

  package init(in directory: String) throws {
    self.directory = FilePath.real(directory) ?? directory
    for part in ["bin", "www/flags", "www/styles"] {
      try FileManager.default.createDirectory(
        atPath: "\(directory)/\(part)", withIntermediateDirectories: true)
    }
    try write("decoder", to: "bin/polyclinic-decode")
    try write("something else", to: "bin/unrelated")
    try write("flag", to: "www/flags/by.png")
  }

  package func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: URL(filePath: "\(directory)/\(name)"))
  }

  /// Replaces the installed release by one whose files contain `number`.
  package func install(_ number: Int) throws {
    try write("program \(number)\(String(repeating: "!", count: number))", to: "bin/polyclinic")
    chmod(program, 0o755)
    try write("body { order: \(number) }", to: "www/styles/style.css")
  }

  /// Keeps the installed release, as the jobs process does at its start.
  package func keep(at seconds: Int64) throws {
    try ReleaseKeeping(directory: releases, program: program, content: program, www: www)
      .run(at: Instant(seconds))
  }

  /// Returns the styles of the kept releases, the last to serve first.
  package func keptStyles() throws -> [String] {
    try releases.releases().map { try Self.text($0.www + "/styles/style.css") }
  }

  package static func text(_ path: String) throws -> String {
    try String(contentsOfFile: path, encoding: .utf8)
  }
}
