import Glibc
import PolyclinicSystem

/// A file that an administrator names on the command line.
enum NamedFile: Equatable {
  /// A file to read; a missing one is an error that the command reports.
  case existing(String)
  /// A file to write under its name and this suffix, until it is complete.
  case new(String, draftSuffix: String)

  /// Opens the file as root, for a command of another user. Returns nil if the path leads through a
  /// directory of somebody else, who could have root open any file: the user then opens it by their
  /// own rights.
  func handed(to user: uid_t) throws(SystemError) -> HandedFile? {
    switch self {
    case .existing(let name):
      let path = FilePath.absolute(name)
      let file = HandedFile.reading(path)
      return try Self.isSafe(path, leadingTo: file.identity) ? file : nil
    case .new(let name, let draftSuffix):
      let path = FilePath.absolute(name)
      var resolution = try OwnedTree.PathResolution(path: FilePath.directory(of: path), .refused)
      do throws(SystemError) { try resolution.walk() } catch { return nil }
      let status = try resolution.current.status()
      guard status.st_mode & S_IFMT == S_IFDIR, status.st_uid != user,
        try resolution.unsafeStep() == nil
      else { return nil }
      return .creating(path, draftSuffix: draftSuffix, in: resolution.current)
    }
  }

  /// Returns true if only root and the file's owner could have changed where the path leads.
  /// `identity` is that of the file; nil if root cannot open one.
  private static func isSafe(
    _ path: String, leadingTo identity: FileIdentity?
  ) throws(SystemError) -> Bool {
    var resolution = try OwnedTree.PathResolution(path: path, .refused)
    do throws(SystemError) { try resolution.walk() } catch {
      return identity == nil && resolution.steps.allSatisfy { $0.isSafe(for: 0) }
    }
    guard try FileIdentity(resolution.current.status()) == identity else { return false }
    return try resolution.unsafeStep() == nil
  }
}
