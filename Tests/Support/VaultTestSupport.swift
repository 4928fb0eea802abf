import PolyclinicCore
import PolyclinicVault

/// A fake database for the vault and the throttle: it recognises their statements by prefix, and
/// keeps rows as lists of values.
package final class FakeTables: Connection.StatementRunner {
  package var installation: [String: [UInt8]] = [:]
  package var throttle: [[UInt8]: [SQL.Value]] = [:]
  package var known: [[SQL.Value]] = []

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
    } else if text.hasPrefix("SELECT subject") {
      for row in values.compactMap({ throttle[bytes($0)] }) { try body(Row(FakeRow(row))) }
    } else if text.hasPrefix("INSERT INTO throttle") {
      throttle[bytes(values[0])] = values
    } else if text.hasPrefix("DELETE FROM throttle WHERE subject IN") {
      for row in known where row[0] == values[0] { throttle[bytes(row[1])] = nil }
    } else if text.hasPrefix("DELETE FROM throttle WHERE subject") {
      throttle[bytes(values[0])] = nil
    } else if text.hasPrefix("DELETE FROM throttle WHERE updated_at <") {
      throttle = throttle.filter { integer($0.value[3]) >= integer(values[0]) }
    } else {
      try runOnKnown(text, values, body)
    }
    return 1
  }

  private func runOnKnown(_ text: String, _ values: [SQL.Value], _ body: (Row) throws -> Void)
    throws
  {
    if text.hasPrefix("INSERT INTO known_addresses") {
      known.removeAll { $0[0] == values[0] && $0[1] == values[1] }
      known.append(values)
    } else if text.hasPrefix("SELECT seen_at") {
      for row in known where row[0] == values[0] && row[1] == values[1] {
        try body(Row(FakeRow([row[2]])))
      }
    } else if text.hasPrefix("DELETE FROM known_addresses WHERE account") {
      known.removeAll { $0[0] == values[0] }
    } else if text.hasPrefix("DELETE FROM known_addresses WHERE seen_at <") {
      known.removeAll { integer($0[2]) < integer(values[0]) }
    } else if text.hasPrefix("DELETE FROM known_addresses WHERE seen_at >") {
      known.removeAll { integer($0[2]) > integer(values[0]) }
    } else {
      throw DatabaseError(.other, code: 0, detail: text)
    }
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
