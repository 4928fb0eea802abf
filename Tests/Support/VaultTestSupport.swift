import PolyclinicCore
import PolyclinicVault

/// A fake database for the vault, whose statements it recognises by their prefix.
package final class FakeTables: Connection.StatementRunner {
  package var installation: [String: [UInt8]] = [:]

  package init() {}

  package var connection: Connection { Connection(self) }

  package func insert(_ statement: SQL) throws -> Int64 {
    throw DatabaseError(.other, code: 0, detail: "these tables give no identities")
  }

  package func reserve(_ count: Int, in table: SQL) throws -> [Int64] {
    throw DatabaseError(.other, code: 0, detail: "these tables give no identities")
  }

  package func run(_ statement: SQL, _ body: (Row) throws -> Void) throws -> Int {
    let (text, values) = statement.rendered(.sqlite)
    if text.hasPrefix("INSERT INTO installation"), case .text(let name) = values[0] {
      guard installation[name] == nil else {
        throw DatabaseError(.unique, code: 1555, detail: "installation")
      }
      installation[name] = bytes(values[1])
    } else if text.hasPrefix("SELECT value FROM installation"), case .text(let name) = values[0] {
      if let value = installation[name] { try body(Row(FakeRow([.bytes(value)]))) }
    } else {
      throw DatabaseError(.other, code: 0, detail: text)
    }
    return 1
  }
}

private func bytes(_ value: SQL.Value) -> [UInt8] {
  if case .bytes(let bytes) = value { bytes } else { [] }
}

private func integer(_ value: SQL.Value) -> Int64 {
  if case .integer(let integer) = value { integer } else { 0 }
}

private final class FakeRow: Row.Source {
  private let values: [SQL.Value]

  init(_ values: [SQL.Value]) { self.values = values }

  func isNull(_ column: Int) -> Bool { values[column] == .null }
  func integer(_ column: Int) -> Int64 { PolyclinicTestSupport.integer(values[column]) }
  func real(_ column: Int) -> Double { 0 }
  func text(_ column: Int) -> String {
    if case .text(let text) = values[column] { text } else { "" }
  }
  func bytes(_ column: Int) -> [UInt8] { PolyclinicTestSupport.bytes(values[column]) }
}

extension KeyRing {
  /// Returns a ring of `older` and a new random key, without a file.
  package static func test(older: [KeyRing.Key] = []) -> KeyRing {
    KeyRing(newest: .random(created: .test), older: older, path: "keys/master.key")
  }
}

extension CalendarDate {
  package static var test: CalendarDate { CalendarDate(daysSince1970: 20_000) }
}

extension [UInt8] {
  /// All variants of the bytes with one byte changed, the end missing, or one byte added.
  package var damaged: [[UInt8]] {
    let flipped = indices.map { index in
      var copy = self
      copy[index] ^= 1
      return copy
    }
    return flipped + indices.map { Array(prefix($0)) } + [self + [0]]
  }
}
