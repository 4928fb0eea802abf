import Foundation
import Glibc
import PolyclinicCore
import PolyclinicPortal
import PolyclinicServing
import PolyclinicSystem

/// Copies the installed release that serves, so that the portal can go back to it after an upgrade.
package struct ReleaseKeeping: Sendable {
  let directory: ReleaseDirectory
  /// The path of the installed program.
  let program: String
  /// The path of the running program's bytes, even if ``program`` was replaced since.
  let content: String
  let www: String

  package init(
    directory: ReleaseDirectory, program: String, content: String = "/proc/self/exe", www: String
  ) {
    self.directory = directory
    self.program = program
    self.content = content
    self.www = www
  }

  /// Copies the release, unless it is copied already or another one is installed by now. Throws
  /// `Job.Failure` if the disk has no room or the files change meanwhile.
  package func run(at now: Instant) throws {
    try directory.whileLocked {
      let stamp = try ProgramStamp(of: content)
      guard try ProgramStamp(of: program) == stamp else { return }
      let files = try ReleaseFiles(program: program, content: content, www: www)
      let digest = try files.digest()
      let last = try directory.releases().first
      var kept = try directory.release(KeptRelease.id(of: digest))
      if let last, last.id == kept?.id, last.record.installed == stamp { return }
      // The order holds also where the clock was set back.
      let served = max(now.seconds, (last?.record.served ?? 0) + 1)
      try forgetAbandoned(besides: kept, stamp)
      kept?.record.installed = stamp
      kept?.record.served = served
      if let kept { try kept.store() } else { try copy(files, digest, stamp, served: served) }
      for old in try directory.releases().dropFirst(1 + ReleaseDirectory.limit) {
        try directory.remove(old)
      }
    }
  }

  /// Deletes the copies of releases that were rolled back, after another release was installed. The
  /// previous release is then the one that served during the rollback.
  private func forgetAbandoned(besides kept: KeptRelease?, _ stamp: ProgramStamp) throws {
    guard let choice = try ReleaseChoice.read(in: directory), choice.installed != stamp else {
      return
    }
    if let id = choice.kept, let served = try directory.release(id) {
      for other in try directory.releases()
      where other.record.served > served.record.served && other.id != kept?.id {
        try directory.remove(other)
      }
    }
    try ReleaseChoice.remove(in: directory)
  }

  /// Writes the copy under another name, and compares it with what was read before.
  private func copy(
    _ files: ReleaseFiles, _ digest: String, _ stamp: ProgramStamp, served: Int64
  ) throws {
    let room = StatusReport.freeBytes(beside: directory.choicePath) ?? 0
    guard room >= 2 * files.size else {
      throw Job.Failure("there is no room for a copy of the release, to go back to it later")
    }
    let draft = FilePath.join(directory.path, ".draft")
    try Self.remove(draft)
    do {
      try files.copy(into: draft)
      guard try ReleaseFiles(kept: draft).digest() == digest else {
        throw Job.Failure("the release changed while it was copied")
      }
      try KeptRelease(
        path: draft,
        record: .init(
          program: FilePath.name(of: program), digest: digest, installed: stamp,
          served: served)
      ).store()
    } catch {
      try Self.remove(draft)
      throw error
    }
    let path = FilePath.join(directory.path, KeptRelease.id(of: digest))
    // A copy that lost its record was on the way out.
    try Self.remove(path)
    guard rename(draft, path) == 0 else { throw SystemError("rename", on: path) }
    try OpenFile.synchronize(directory: directory.path)
  }

  private static func remove(_ path: String) throws {
    if FilePath.exists(path) { try FileManager.default.removeItem(atPath: path) }
  }
}
