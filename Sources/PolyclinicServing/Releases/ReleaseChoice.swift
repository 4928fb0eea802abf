import Glibc
import PolyclinicCore
import PolyclinicSystem

/// The administrator's choice of the release that serves: the installed one, or a kept one instead.
///
/// It is valid only for the installed program for which it was made. The command writes it, and the
/// supervisor confirms it by a reload. The next start drops an unconfirmed choice.
package struct ReleaseChoice: Codable, Sendable, Equatable {
  /// The kept release; nil for the installed one.
  package let kept: String?
  /// The stamp of the installed program for which the choice was made.
  package let installed: ProgramStamp
  /// True if a reload has confirmed the choice: the workers of its release became ready.
  package var isProven: Bool
  /// The previous choice; nil for the installed release.
  package let before: String?

  package init(kept: String?, installed: ProgramStamp, isProven: Bool, before: String?) {
    self.kept = kept
    self.installed = installed
    self.isProven = isProven
    self.before = before
  }

  package static func read(in directory: ReleaseDirectory) throws -> ReleaseChoice? {
    try JSONFile(directory.choicePath).read()
  }

  package func store(in directory: ReleaseDirectory) throws {
    try JSONFile(directory.choicePath).write(self)
  }

  package static func remove(in directory: ReleaseDirectory) throws {
    guard unlink(directory.choicePath) == 0 || errno == ENOENT else {
      throw SystemError("unlink", on: directory.choicePath)
    }
    try OpenFile.synchronize(directory: directory.path)
  }

  /// Stores the choice as confirmed. Choosing the installed release needs no file.
  package func prove(in directory: ReleaseDirectory) throws {
    try Self.settle(on: kept, installed, in: directory)
  }

  /// Restores the previous choice.
  func takeBack(in directory: ReleaseDirectory) throws {
    try Self.settle(on: before, installed, in: directory)
  }

  private static func settle(
    on kept: String?, _ installed: ProgramStamp, in directory: ReleaseDirectory
  ) throws {
    guard let kept else { return try remove(in: directory) }
    try ReleaseChoice(kept: kept, installed: installed, isProven: true, before: nil)
      .store(in: directory)
  }
}
