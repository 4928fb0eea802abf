import PolyclinicCore
import PolyclinicTesting

@testable import PolyclinicStore

extension TestPortal {
  /// Makes the session through which all threads write read-only, as on a read-only disk.
  func loseWriteAccess() throws {
    _ = try database.writer.open().session.run("PRAGMA query_only = 1", for: .reading) { _ in }
  }

  func regainWriteAccess() throws {
    _ = try database.writer.open().session.run("PRAGMA query_only = 0", for: .reading) { _ in }
  }
}
