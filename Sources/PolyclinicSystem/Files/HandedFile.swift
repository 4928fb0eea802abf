import Glibc

/// A file that root's process has opened for a program of another user, because an administrator
/// named it on the command line. Only the descriptor passes on, so that the program can use no
/// other file of root.
package struct HandedFile: Sendable {
  /// The descriptor, or the error of opening the file.
  enum Opening: Sendable {
    case descriptor(Int32)
    case failed(Int32)
  }

  /// The absolute path, as the program names it.
  let path: String
  let opening: Opening
  /// The names of a new file in a directory that root has opened; nil for a file to read.
  private let names: Names?

  private struct Names: Sendable {
    let directory: Int32
    let draft: String
    let final: String
  }

  /// Opens a file to read. An error is passed on too, because the program may not even see that a
  /// file is missing.
  package static func reading(_ path: String) -> HandedFile {
    do throws(SystemError) {
      let descriptor = try kept(OpenFile.reading(path))
      return HandedFile(path: path, opening: .descriptor(descriptor), names: nil)
    } catch {
      return HandedFile(path: path, opening: .failed(error.code), names: nil)
    }
  }

  /// Creates the draft of a ``NewFile`` for the directory's owner, in a directory that is already
  /// open: its path may lead elsewhere meanwhile.
  package static func creating(
    _ path: String, draftSuffix: String, in directory: borrowing OpenFile
  ) -> HandedFile {
    do throws(SystemError) {
      let place = try kept(directory)
      let name = FilePath.name(of: path)
      let new = try NewFile("/proc/self/fd/\(place)/\(name)", draftSuffix: draftSuffix)
      try new.file.give(to: directory.status())
      return HandedFile(
        path: path, opening: .descriptor(try kept(new.file)),
        names: Names(directory: place, draft: name + draftSuffix, final: name))
    } catch {
      return HandedFile(path: path, opening: .failed(error.code), names: nil)
    }
  }

  /// The identity of the open file; nil if it could not be opened.
  package var identity: FileIdentity? {
    guard case .descriptor(let descriptor) = opening else { return nil }
    return FileIdentity(path: "/proc/self/fd/\(descriptor)")
  }

  /// Gives a new file its name. Returns 0, or the code of the error.
  func complete() -> Int32 {
    guard let names else { return EINVAL }
    guard renameat(names.directory, names.draft, names.directory, names.final) == 0,
      fsync(names.directory) == 0
    else { return errno }
    return 0
  }

  /// Removes the draft of a new file that the program has not completed.
  func discard() {
    if let names { unlinkat(names.directory, names.draft, 0) }
  }

  /// Returns a copy of the descriptor above those that a started program gets.
  private static func kept(_ file: borrowing OpenFile) throws(SystemError) -> Int32 {
    let copy = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 100)
    guard copy >= 0 else { throw SystemError("fcntl") }
    return copy
  }
}
