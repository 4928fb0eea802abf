import Glibc
import PolyclinicCore
import PolyclinicSystem

/// A copy of a release, kept for a rollback.
package struct KeptRelease: Sendable {
  /// The file that describes the copy. It is written last: a directory without it is no release.
  package static let recordName = "release.json"
  /// The directory of the files that nginx serves itself.
  package static let wwwName = "www"
  /// The number of hexadecimal digits of the digest in a release's name.
  private static let idLength = 16

  /// The directory of the copy.
  package let path: String
  package var record: Record

  /// The description stored beside the files.
  package struct Record: Codable, Sendable {
    /// The name of the program's file.
    let program: String
    /// The digest of all names and contents.
    let digest: String
    /// The stamp of the installed program that was copied.
    package var installed: ProgramStamp
    /// The time at which it last began to serve as the installed release, in Unix seconds.
    package var served: Int64

    package init(program: String, digest: String, installed: ProgramStamp, served: Int64) {
      self.program = program
      self.digest = digest
      self.installed = installed
      self.served = served
    }
  }

  /// The release's name, for administrators and in the addresses of its files.
  package var id: String { FilePath.name(of: path) }
  package var program: String { FilePath.join(path, record.program) }
  package var www: String { FilePath.join(path, Self.wwwName) }

  package static func id(of digest: String) -> String { String(digest.prefix(idLength)) }

  /// Reads the record. Returns nil if there is none, as beside an installed program.
  package init?(at path: String) throws {
    guard let record = try Self.file(in: path).read() else { return nil }
    self.init(path: path, record: record)
  }

  private static func file(in path: String) -> JSONFile<Record> {
    JSONFile(FilePath.join(path, recordName))
  }

  package init(path: String, record: Record) {
    self.path = path
    self.record = record
  }

  /// The kept release that this process runs from; nil if it runs from the installed one.
  package static var own: KeptRelease? {
    get throws {
      try FilePath.executable.flatMap { try KeptRelease(at: FilePath.directory(of: $0)) }
    }
  }

  /// Writes the record atomically.
  package func store() throws { try Self.file(in: path).write(record) }

  /// True if the files still match the digest.
  package func isWhole() throws -> Bool { try ReleaseFiles(kept: path).digest() == record.digest }

  /// The name and the time, for a terminal.
  package var title: String {
    "\(id), which began to serve on \(LocalDateTime(Instant(record.served), in: .utc)) UTC"
  }
}

/// The size and modification time of a program's file. They change if another program is installed
/// at the path.
package struct ProgramStamp: Codable, Sendable, Equatable {
  package let size: Int64
  /// Nanoseconds since 1970.
  package let changed: Int64

  /// Throws ``SystemError`` if there is no file.
  package init(of path: String) throws(SystemError) {
    var status = stat()
    guard stat(path, &status) == 0 else { throw SystemError("stat", on: path) }
    size = Int64(status.st_size)
    changed = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
  }
}
