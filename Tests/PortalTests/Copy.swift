import Foundation
import PolyclinicTesting
import Testing

/// A person's data export, downloaded from the export page.
struct Copy {
  /// The files by name.
  let files: [String: [UInt8]]

  /// Downloads the archive and unpacks it with Python's `zipfile`.
  init(of visitor: TestVisitor) throws {
    let hidden = visitor.get("/account/export").hidden(of: "/account/export")
    let archive = visitor.postForBytes("/account/export", pairs: hidden)
    let directory = URL.temporaryDirectory.appending(path: "copy-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { _ = unlinkTree(directory) }
    let file = directory.appending(path: "copy.zip")
    try Data(archive).write(to: file)
    let python = Process()
    python.executableURL = URL(filePath: "/usr/bin/env")
    python.arguments = ["python3", "-m", "zipfile", "-e", file.path, directory.path]
    try python.run()
    python.waitUntilExit()
    #expect(python.terminationStatus == 0)
    try FileManager.default.removeItem(at: file)
    var files: [String: [UInt8]] = [:]
    let names = try FileManager.default.subpathsOfDirectory(atPath: directory.path)
    for name in names where !name.hasSuffix("certificates") {
      files[name] = [UInt8](try Data(contentsOf: directory.appending(path: name)))
    }
    self.files = files
  }
}

/// Removes a temporary directory; returns false if some of it remains, which is harmless.
private func unlinkTree(_ directory: URL) -> Bool {
  do { try FileManager.default.removeItem(at: directory) } catch { return false }
  return true
}
