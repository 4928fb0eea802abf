import PolyclinicCore
import PolyclinicStore
import PolyclinicTesting

extension TestPortal {
  /// Makes the session through which all threads write read-only, as on a read-only disk.
  package func loseWriteAccess() throws {
    _ = try database.writer.open().session.run("PRAGMA query_only = 1", for: .reading) { _ in }
  }

  package func regainWriteAccess() throws {
    _ = try database.writer.open().session.run("PRAGMA query_only = 0", for: .reading) { _ in }
  }
}
