import PolyclinicCore
import Testing

@testable import PolyclinicStore

@Suite struct WriteAttemptsTests {
  private let conflict = DatabaseError(sqlState: "40001", detail: "")

  @Test func `the tenth run is made alone, and is the last`() {
    var attempts = WriteAttempts(.together, at: 0, isUnlimited: false)
    for _ in 2...9 {
      #expect(attempts.pause(after: conflict, at: 0) != nil)
      #expect(attempts.manner == .together)
    }
    #expect(attempts.pause(after: conflict, at: 0) != nil)
    #expect(attempts.manner == .alone)
    #expect(attempts.pause(after: conflict, at: 0) == nil)
  }

  @Test func `a run after four seconds is made alone, except in a migration`() {
    for isUnlimited in [false, true] {
      var attempts = WriteAttempts(.together, at: 1_000, isUnlimited: isUnlimited)
      #expect(attempts.pause(after: conflict, at: 5_000) != nil)
      #expect((attempts.manner == .alone) == !isUnlimited)
    }
  }

  @Test(arguments: ["23505", "25006", "0A000"])
  func `an error that may not be the write's own is repeated once`(state: String) {
    let error = DatabaseError(sqlState: state, detail: "")
    #expect(error.sqlState == state)
    var attempts = WriteAttempts(.together, at: 0, isUnlimited: false)
    #expect(attempts.pause(after: error, at: 0) != nil)
    #expect(attempts.pause(after: error, at: 0) == nil)
    var others = WriteAttempts(.ifFree, at: 0, isUnlimited: false)
    #expect(others.pause(after: error, at: 0) == nil)
  }

  @Test(
    arguments: [
      ("23505", .unique), ("23503", .foreignKey), ("23514", .constraint), ("22P02", .constraint),
      ("40001", .busy), ("40P01", .busy), ("55P03", .busy), ("53300", .busy), ("53100", .full),
      ("25006", .readOnly), ("42501", .readOnly), ("08006", .missing), ("57P01", .missing),
      ("XX001", .corrupt), ("58030", .corrupt), ("42P01", .other),
    ] as [(String, DatabaseError.Kind)])
  func `an SQLSTATE has its kind`(state: String, kind: DatabaseError.Kind) {
    #expect(DatabaseError(sqlState: state, detail: "").kind == kind)
  }

  @Test(arguments: [
    ("SELECT 1", true), ("  select 'DELETE'", true), ("VALUES (1)", true),
    ("WITH a AS (SELECT 'x; DELETE') SELECT \"update\" FROM a", true),
    ("WITH a AS (DELETE FROM b RETURNING c) SELECT * FROM a", false), ("INSERT INTO a", false),
    ("CREATE TABLE a (b TEXT)", false), ("", false), ("COMMIT", false),
  ])
  func `a statement that changes something is known by its words`(text: String, isReading: Bool) {
    #expect(ServerStatement(text, name: "").isReadOnly == isReading)
  }
}
