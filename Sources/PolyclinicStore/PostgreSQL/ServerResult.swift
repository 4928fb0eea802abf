import CPostgreSQL
import PolyclinicCore

/// The result of a statement, as a whole, and its current row. Other statements of the session may
/// run while it is read.
final class ServerResult: Row.Source {
  private let handle: OpaquePointer
  private var row: Int32 = 0

  /// Takes a result of libpq, which it frees.
  init(_ handle: OpaquePointer) { self.handle = handle }

  deinit { PQclear(handle) }

  /// Calls `body` for each row.
  func forEach(_ body: (Row) throws -> Void) throws {
    let current = Row(self)
    for place in 0..<PQntuples(handle) {
      row = place
      try body(current)
    }
  }

  /// The number of rows.
  var count: Int { Int(PQntuples(handle)) }

  /// The first column of the first row; nil if there is none.
  var first: String? { PQntuples(handle) > 0 && !isNull(0) ? text(0) : nil }

  /// The number of rows that the statement changed. The server counts those of a SELECT, too.
  var changed: Int {
    switch PQcmdStatus(handle).pointee {
    // INSERT, UPDATE, DELETE, MERGE.
    case 0x49, 0x55, 0x44, 0x4D: Int(String(cString: PQcmdTuples(handle))) ?? 0
    default: 0
    }
  }

  /// The name of the command that ran, such as COMMIT, or ROLLBACK in its place.
  var command: String { String(cString: PQcmdStatus(handle)) }

  /// The error of a statement that failed; nil if it ran.
  func error(in text: String) -> DatabaseError? {
    switch PQresultStatus(handle) {
    case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: nil
    default: DatabaseError(failed: handle, in: text)
    }
  }

  /// The types of the parameters of a statement that was described.
  var parameterTypes: [ServerType] {
    (0..<PQnparams(handle)).map { ServerType(PQparamtype(handle, $0)) }
  }

  /// True if a column of a statement that was described has a type that ``Row`` does not read.
  var hasUnreadableColumn: Bool {
    (0..<PQnfields(handle)).contains { ServerType(PQftype(handle, $0)) == .other }
  }

  func isNull(_ column: Int) -> Bool { PQgetisnull(handle, row, place(column)) != 0 }

  func integer(_ column: Int) -> Int64 {
    let value = value(column)
    switch type(column) {
    case .int8: return value.count == 8 ? value.loadUnaligned(as: Int64.self).bigEndian : 0
    case .int4: return value.count == 4 ? Int64(value.loadUnaligned(as: Int32.self).bigEndian) : 0
    case .int2: return value.count == 2 ? Int64(value.loadUnaligned(as: Int16.self).bigEndian) : 0
    case .bool: return value.first == 1 ? 1 : 0
    case .numeric: return Int64(truncating: Self.digits(value))
    case .float8, .float4: return Int64(exactly: real(column).rounded(.towardZero)) ?? 0
    case .text: return Int64(text(column)) ?? 0
    case .bytea, .other: return 0
    }
  }

  func real(_ column: Int) -> Double {
    let value = value(column)
    switch type(column) {
    case .float8:
      guard value.count == 8 else { return 0 }
      return Double(bitPattern: UInt64(bigEndian: value.loadUnaligned(as: UInt64.self)))
    case .float4:
      guard value.count == 4 else { return 0 }
      return Double(Float(bitPattern: UInt32(bigEndian: value.loadUnaligned(as: UInt32.self))))
    case .numeric: return Double(approximating: Self.digits(value))
    case .text: return Double(text(column)) ?? 0
    case .int8, .int4, .int2, .bool: return Double(integer(column))
    case .bytea, .other: return 0
    }
  }

  func text(_ column: Int) -> String {
    switch type(column) {
    case .int8, .int4, .int2, .bool, .numeric: String(integer(column))
    case .float8, .float4: String(real(column))
    case .text, .bytea, .other: String(decoding: value(column), as: UTF8.self)
    }
  }

  func bytes(_ column: Int) -> [UInt8] { [UInt8](value(column)) }

  private func type(_ column: Int) -> ServerType { ServerType(PQftype(handle, place(column))) }

  private func value(_ column: Int) -> UnsafeRawBufferPointer {
    let count = PQgetlength(handle, row, place(column))
    return UnsafeRawBufferPointer(start: PQgetvalue(handle, row, place(column)), count: Int(count))
  }

  private func place(_ column: Int) -> Int32 {
    assert(column >= 0 && column < PQnfields(handle), "no column \(column)")
    return Int32(truncatingIfNeeded: column)
  }

  /// A numeric: its digits of base 10 000, the exponent of the first, and its sign.
  typealias Digits = (digits: [Int16], exponent: Int, isNegative: Bool)

  /// Reads the form in which the server sends a numeric (numeric_send in its numeric.c).
  private static func digits(_ value: UnsafeRawBufferPointer) -> Digits {
    let words = stride(from: 0, to: value.count - 1, by: 2).map {
      Int16(bigEndian: value.loadUnaligned(fromByteOffset: $0, as: Int16.self))
    }
    guard words.count >= 4 else { return ([], 0, false) }
    return (Array(words[4...]), Int(words[1]), words[2] == 0x4000)
  }
}

extension Int64 {
  /// The integer part. A `sum` of integers fits, unless the schema adds up what no person has.
  fileprivate init(truncating number: ServerResult.Digits) {
    var sum: Int64 = 0
    guard number.exponent >= 0 else {
      self = 0
      return
    }
    for place in 0...Swift.min(number.exponent, 4) {
      let digit = place < number.digits.count ? Int64(number.digits[place]) : 0
      sum = sum &* 10_000 &+ digit
    }
    self = number.isNegative ? 0 &- sum : sum
  }
}

extension Double {
  fileprivate init(approximating number: ServerResult.Digits) {
    var sum = 0.0
    var scale = number.exponent
    for digit in number.digits {
      sum += Double(digit) * Double.power(10_000, scale)
      scale -= 1
    }
    self = number.isNegative ? -sum : sum
  }

  private static func power(_ base: Double, _ exponent: Int) -> Double {
    var power = 1.0
    for _ in 0..<Swift.min(abs(exponent), 100) { power *= base }
    return exponent < 0 ? 1 / power : power
  }
}
