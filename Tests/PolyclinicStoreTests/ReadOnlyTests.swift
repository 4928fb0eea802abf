import Foundation
import Glibc
import PolyclinicCore
import PolyclinicStore
import Testing

@Suite struct ReadOnlyTests {
  /// Removes root's right to ignore file permissions from the calling thread.
  ///
  /// Swift's Glibc does not import `setfsuid`, which changes only the calling thread.
  private static func becomeNobody() throws {
    guard geteuid() == 0 else { return }
    typealias SetFSUID = @convention(c) (uid_t) -> Int32
    let symbol = try #require(dlsym(nil, "setfsuid"))
    _ = unsafeBitCast(symbol, to: SetFSUID.self)(65_534)
  }

  @Test func `a read-only file can be read, and a write fails as read-only`() throws {
    let fixture = try Fixture()
    let made = try fixture.database()
    try made.add("a")
    try made.checkpointTruncate()
    made.close()
    try FileManager.default.removeItem(atPath: fixture.path + ".lock")
    #expect(chmod(fixture.directory, 0o777) == 0)
    #expect(chmod(fixture.path, 0o444) == 0)
    let path = fixture.path
    try onThreads(1) { _ in
      try Self.becomeNobody()
      let database = try SQLiteDatabase.open(path)
      #expect(try database.names() == ["a"])
      #expect(kind { try database.add("b") } == .readOnly)
      #expect(try database.names() == ["a"])
    }
  }
}
