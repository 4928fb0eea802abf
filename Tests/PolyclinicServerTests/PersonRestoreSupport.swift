import Foundation
import PolyclinicCore
import PolyclinicStore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@testable import PolyclinicServer

/// A portal with Anna's memos, and the restore of her records from a backup.
protocol PersonRestoreSuite {
  var portal: TestPortal { get }
  var anna: TestVisitor { get }
  var keys: Keys { get }
}

extension PersonRestoreSuite {
  // MARK: Anna's memos

  @discardableResult
  func add(_ line: String, by keys: Keys? = nil) throws -> ID<Memo> {
    let keys = keys ?? self.keys
    return try portal.write {
      try Memo.records.insert(Memo(line: line), in: $0.with(keys))
    }
  }

  func change(_ id: ID<Memo>, to line: String) throws {
    try portal.write {
      try Memo.records.replace(id, with: Memo(line: line), in: $0.with(keys))
    }
  }

  func delete(_ id: ID<Memo>) throws {
    try portal.write {
      try Memo.records.delete(id, in: $0.with(keys))
    }
  }

  func purge(_ id: ID<Memo>) throws {
    try delete(id)
    try portal.write {
      try Memo.records.trash(leadingTo: "").purge(id.rawValue, $0.with(keys))
    }
  }

  /// Returns the memos that are not deleted, by ID.
  func memos() throws -> [Int64: String] {
    var found: [Int64: String] = [:]
    try portal.read { connection in
      try Memo.records.forEach(in: connection.with(keys)) { found[$0.rawValue] = $1.line }
    }
    return found
  }

  // MARK: The administrator's restore

  func restore(
    _ manner: Recovery.Manner = .store, login: String = "anna", from backup: String,
    target: ScratchInstallation? = nil
  ) throws -> Recovery.Count {
    let target = target ?? ScratchInstallation(of: portal)
    let restore = try target.localInstallation(MemosModule()).restore(of: login, from: backup)
    let outcome = try restore.run(manner, at: portal.now)
    #expect(outcome.counts.map(\.name) == ["memos"])
    return try #require(outcome.counts.first).count
  }

  func count(
    same: Int = 0, deleted: Int = 0, changed: Int = 0, unreadable: Int = 0
  ) -> Recovery.Count {
    var count = Recovery.Count()
    (count.same, count.deleted, count.changed) = (same, deleted, changed)
    count.unreadable = unreadable
    return count
  }

  /// Requires that the body changes no row and leaves no file of the backup behind.
  func requireUntouched(_ body: () throws -> Void) throws {
    let before = try contents()
    try body()
    #expect(try contents() == before)
    let files = try FileManager.default.contentsOfDirectory(atPath: portal.directory)
    #expect(!files.contains { $0.contains("looked-into") })
  }

  /// Returns a hash of each table's stored rows, leaving out the rows of `person`.
  func contents(besides person: ID<Person>? = nil) throws -> [String: Int] {
    let left = person.map { SQL.Value.integer($0.rawValue) }
    return try portal.database.read { connection in
      try portal.database.tables(on: connection).reduce(into: [:]) { hashes, table in
        let owner = table.columns.firstIndex { $0.name == "person" }
        var rows: Set<[SQL.Value]> = []
        try table.forEachRow(on: connection) { row in
          let values = table.values(of: row)
          if left == nil || owner.map({ values[$0] }) != left { rows.insert(values) }
        }
        hashes[table.name] = rows.hashValue
      }
    }
  }
}
