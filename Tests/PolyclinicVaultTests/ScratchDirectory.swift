import Foundation

/// A temporary directory for one test, removed with the last reference to it.
final class ScratchDirectory {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    path = url.path
  }

  deinit { unlinkAll() }

  private func unlinkAll() {
    do {
      try FileManager.default.removeItem(atPath: path)
    } catch {
      FileHandle.standardError.write(Data("\(path) stays: \(error)\n".utf8))
    }
  }

  func file(_ name: String) -> String { path + "/" + name }
}
