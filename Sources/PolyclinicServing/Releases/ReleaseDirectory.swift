import Foundation
import PolyclinicCore
import PolyclinicSystem

/// The directory of the kept releases, in the portal's data directory.
package struct ReleaseDirectory: Sendable {
  package let path: String

  /// The number of releases kept besides the one that serves.
  package static let limit = 3

  package init(in data: String) { path = FilePath.join(data, "releases") }

  /// The path of the ``ReleaseChoice``.
  package var choicePath: String { FilePath.join(path, "choice.json") }

  /// Returns the kept releases, the most recently served one first.
  package func releases() throws -> [KeptRelease] {
    guard FilePath.exists(path) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: path)
      .filter { !$0.hasPrefix(".") }
      .compactMap { try KeptRelease(at: FilePath.join(path, $0)) }
      .sorted { ($0.record.served, $0.id) > ($1.record.served, $1.id) }
  }

  /// Returns the release of that name; nil if none is kept.
  package func release(_ id: String) throws -> KeptRelease? {
    try KeptRelease(at: FilePath.join(path, id))
  }

  /// Runs `body` while no other process keeps a release or rolls back. Creates the directory if
  /// missing.
  ///
  /// Throws ``SystemError`` with EWOULDBLOCK if another process holds the lock for five seconds.
  package func whileLocked<Value>(_ body: () throws -> Value) throws -> Value {
    try OpenFile.make(directory: path)
    try OpenFile.give(path, toOwnerOf: FilePath.directory(of: path))
    return try OpenFile(path, O_RDONLY | O_DIRECTORY).whileLocked(body)
  }

  package func remove(_ release: KeptRelease) throws {
    // Removes the record first, so that an interrupted removal leaves no release.
    unlink(FilePath.join(release.path, KeptRelease.recordName))
    try FileManager.default.removeItem(atPath: release.path)
  }
}
