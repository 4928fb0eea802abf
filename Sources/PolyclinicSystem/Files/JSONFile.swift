import FoundationEssentials
import Glibc

/// A small JSON file that is replaced as a whole.
package struct JSONFile<Content: Codable> {
  private let path: String

  package init(_ path: String) { self.path = path }

  /// Writes the content and waits until it is on the disk. Readers find either the old or the new
  /// content. Throws ``SystemError``.
  package func write(_ content: Content) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let draft = "\(path).new"
    do {
      let file = try OpenFile(draft, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW)
      try file.write(Array(try encoder.encode(content)))
      try file.synchronize()
      guard rename(draft, path) == 0 else { throw SystemError("rename", on: path) }
    } catch {
      unlink(draft)
      throw error
    }
    try OpenFile.synchronize(directory: FilePath.directory(of: path))
  }

  /// Returns the content; nil if there is no file.
  package func read() throws -> Content? {
    guard FilePath.exists(path) else { return nil }
    return try JSONDecoder().decode(Content.self, from: Data(contentsOf: URL(filePath: path)))
  }
}
