import CPostgreSQL
import PolyclinicCore

/// A type of the server, of those whose values the driver reads and writes in binary form
/// (their numbers: pg_type.dat).
enum ServerType {
  case int8, int4, int2, bool, float8, float4, numeric, text, bytea, other

  init(_ type: Oid) {
    switch type {
    case 20: self = .int8
    case 23: self = .int4
    case 21: self = .int2
    case 16: self = .bool
    case 701: self = .float8
    case 700: self = .float4
    case 1700: self = .numeric
    // text, varchar, bpchar, name, and a literal without a type.
    case 25, 1043, 1042, 19, 705: self = .text
    case 17: self = .bytea
    default: self = .other
    }
  }
}

/// A statement of a session, prepared at the server or about to be.
final class ServerStatement: CachedStatement {
  let name: String
  let text: String
  /// True if it changes nothing. The server refuses changes in a read of its own, but knows nothing
  /// of a read inside a write.
  let isReadOnly: Bool
  /// True if it changes rows, and nothing that other statements are prepared for.
  let changesRows: Bool
  /// The types of its parameters; nil until the server has prepared it.
  var parameters: [ServerType]?
  var lastUse = 0

  init(_ text: String, name: String) {
    self.name = name
    self.text = text
    isReadOnly = Self.isReadOnly(text)
    changesRows = ["INSERT", "UPDATE", "DELETE"].contains { text.hasPrefix($0) }
  }

  /// Returns true for a statement that changes nothing.
  static func isReadOnly(_ sql: SQL) -> Bool { isReadOnly(sql.rendered(.postgresql).text) }

  private static func isReadOnly(_ text: String) -> Bool {
    let words = words(of: text)
    switch words.first {
    // With those of a cursor.
    case "SELECT", "VALUES", "SHOW", "EXPLAIN", "DECLARE", "FETCH", "CLOSE": return true
    case "WITH": return !words.contains { ["INSERT", "UPDATE", "DELETE", "MERGE"].contains($0) }
    default: return false
    }
  }

  /// The words of a statement in capitals, without its literals and quoted names.
  private static func words(of text: String) -> [String] {
    var plain: [UInt8] = []
    var quote: UInt8?
    for byte in text.utf8 {
      if byte == quote {
        quote = nil
      } else if quote == nil, byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
        quote = byte
      } else if quote == nil {
        plain.append(byte)
      }
    }
    let words = plain.split { !Character(Unicode.Scalar($0)).isASCIIWordPart }
    return words.map { String(decoding: $0, as: UTF8.self).uppercased() }
  }
}

extension Character {
  fileprivate var isASCIIWordPart: Bool { isASCII && (isLetter || isNumber || self == "_") }
}

/// The values of a statement, encoded as its parameters' types demand.
struct EncodedValues {
  private var bytes: [UInt8] = []
  private var starts: [Int] = []
  private var lengths: [Int32] = []
  private var formats: [Int32] = []

  var byteCount: Int { bytes.count }

  /// Throws ``DatabaseError`` for values that the types do not have. Nothing was sent then.
  init(_ values: [SQL.Value], for statement: ServerStatement) throws {
    let types = statement.parameters ?? []
    guard values.count == types.count else {
      throw DatabaseError.misuse(
        "\(values.count) values for \(types.count) places: \(statement.text)")
    }
    starts.reserveCapacity(values.count)
    lengths.reserveCapacity(values.count)
    formats.reserveCapacity(values.count)
    for (index, value) in values.enumerated() {
      guard append(value, as: types[index]) else {
        throw DatabaseError(
          sqlState: "22P03", detail: " (value \(index + 1) does not fit), in \(statement.text)")
      }
    }
  }

  /// Calls `body` with the form that libpq takes: values, lengths and formats.
  func withPointers<Value>(
    _ body: ([UnsafePointer<CChar>?], [Int32], [Int32]) -> Value
  ) -> Value {
    // A buffer without bytes has no address, and an empty value needs one: none means NULL.
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 1) { empty in
      bytes.withUnsafeBytes { all in
        let all = all.assumingMemoryBound(to: CChar.self)
        let start = all.baseAddress ?? UnsafePointer(empty.baseAddress)
        return body(starts.map { $0 < 0 ? nil : start?.advanced(by: $0) }, lengths, formats)
      }
    }
  }

  private mutating func append(_ value: SQL.Value, as type: ServerType) -> Bool {
    switch (value, type) {
    case (.null, _):
      starts.append(-1)
      lengths.append(0)
      formats.append(1)
    case (.integer(let number), .int8): append(number)
    case (.integer(let number), .int4):
      guard let number = Int32(exactly: number) else { return false }
      append(number)
    case (.integer(let number), .int2):
      guard let number = Int16(exactly: number) else { return false }
      append(number)
    case (.integer(let number), .bool): append(binary: CollectionOfOne(number == 0 ? 0 : 1))
    case (.integer(let number), .float8): append(Int64(bitPattern: Double(number).bitPattern))
    case (.real(let number), .float8): append(Int64(bitPattern: number.bitPattern))
    case (.bytes(let bytes), .bytea): append(binary: bytes)
    case (.bytes, _), (.text, .bytea): return false
    case (.text(let text), .text):
      // The server has no text with U+0000.
      guard !text.utf8.contains(0) else { return false }
      append(binary: text.utf8)
    case (.text(let text), _): return append(spelled: text)
    case (.integer(let number), _): return append(spelled: String(number))
    case (.real(let number), _): return append(spelled: String(number))
    }
    return true
  }

  private mutating func append(_ number: some FixedWidthInteger) {
    withUnsafeBytes(of: number.bigEndian) { append(binary: $0) }
  }

  private mutating func append(binary value: some Collection<UInt8>) {
    starts.append(bytes.count)
    lengths.append(Int32(truncatingIfNeeded: value.count))
    formats.append(1)
    bytes += value
  }

  /// Appends text that the server parses, which ends with a zero byte.
  private mutating func append(spelled text: String) -> Bool {
    guard !text.utf8.contains(0) else { return false }
    append(binary: text.utf8)
    formats[formats.count - 1] = 0
    bytes.append(0)
    return true
  }
}
