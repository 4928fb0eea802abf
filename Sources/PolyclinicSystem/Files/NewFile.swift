import Glibc

/// A file that gets its name when it is complete and on the disk. Until then it is a draft beside
/// its place.
package struct NewFile: ~Copyable {
  package let file: OpenFile
  private let path: String
  private let draft: String
  /// True if root's process has made the draft and will give it its name.
  private let isHanded: Bool

  /// Creates the draft. Throws ``SystemError`` with EEXIST if there is a file at the path, and with
  /// EWOULDBLOCK if another process is writing it.
  package init(_ path: String, draftSuffix: String) throws(SystemError) {
    self.path = path
    draft = path + draftSuffix
    isHanded = HandedFiles.received?.has(path) == true
    file = try Self.open(path, draft)
  }

  private static func open(_ path: String, _ draft: String) throws(SystemError) -> OpenFile {
    if let handed = try HandedFiles.received?.file(at: path) { return handed }
    guard !FilePath.exists(path) else { throw SystemError("create", EEXIST, on: path) }
    try OpenFile.whileAbandoned(draft) { () throws(SystemError) in
      guard unlink(draft) == 0 || errno == ENOENT else { throw SystemError("unlink", on: draft) }
    }
    guard !FilePath.exists(draft) else { throw SystemError("create", EWOULDBLOCK, on: path) }
    return try OpenFile.draft(draft)
  }

  /// Waits until the content is on the disk, and gives the file its name. The file then belongs to
  /// the owner of its directory.
  package func complete() throws(SystemError) {
    try file.synchronize()
    if isHanded {
      try HandedFiles.received?.complete(path)
      return
    }
    try file.give(toOwnerOf: FilePath.directory(of: path))
    guard rename(draft, path) == 0 else { throw SystemError("rename", on: draft) }
    try OpenFile.synchronize(directory: FilePath.directory(of: path))
  }

  /// Removes the draft.
  package func discard() {
    if !isHanded { unlink(draft) }
  }
}
