import PolyclinicCore
import PolyclinicStore

/// The rows in a backup: for each table of the manifest, in its order, each row after a byte 1, and
/// a byte 0 at the end.
///
/// A row has a value for each column. A value is a byte, and what follows:
///
/// | byte | value | follows |
/// | --- | --- | --- |
/// | 0 | NULL | nothing |
/// | 1 | integer | 8 bytes |
/// | 2 | floating-point number | 8 bytes of IEEE 754 |
/// | 3 | text | the length in 4 bytes, and UTF-8 |
/// | 4 | bytes | the length in 4 bytes, and the bytes |
///
/// All numbers are big-endian.
struct BackupRows {
  static let end: UInt8 = 0
  private static let row: UInt8 = 1

  /// The rows do not follow the format, or hold a value that does not fit its column.
  struct Malformed: Error {}

  /// Appends a row whose columns have these types.
  static func append(_ values: Row, _ types: [StoredTable.ValueType], to bytes: inout [UInt8]) {
    bytes.append(row)
    for (place, type) in types.enumerated() {
      if values.isNull(place) {
        bytes.append(0)
        continue
      }
      switch type {
      case .integer:
        bytes.append(1)
        bytes.append(bigEndian: values.int(place))
      case .real:
        bytes.append(2)
        bytes.append(bigEndian: values.real(place).bitPattern)
      case .text:
        let text = values.string(place)
        bytes.append(3)
        bytes.append(bigEndian: UInt32(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
      case .bytes:
        let content = values.bytes(place)
        bytes.append(4)
        bytes.append(bigEndian: UInt32(content.count))
        bytes.append(contentsOf: content)
      }
    }
  }

  /// The next part of a table.
  enum Element: Equatable {
    case row([SQL.Value])
    case end
  }

  /// The bytes that were received, and the place of the next element among them.
  private var bytes: [UInt8] = []
  private var place = 0

  /// True if all that was received has been read.
  var isEmpty: Bool { place == bytes.count }

  /// Receives further bytes. Those of elements that were read are dropped.
  mutating func receive(_ piece: ArraySlice<UInt8>) {
    bytes.removeFirst(place)
    place = 0
    bytes += piece
  }

  /// Returns the next element of a table with these columns; nil if its end was not received yet.
  /// Throws ``Malformed``.
  mutating func next(of columns: [StoredTable.Column]) throws -> Element? {
    let beginning = place
    guard let kind = byte() else { return nil }
    if kind == Self.end { return .end }
    guard kind == Self.row else { throw Malformed() }
    var values: [SQL.Value] = []
    values.reserveCapacity(columns.count)
    for column in columns {
      guard let value = try value(of: column.type) else {
        place = beginning
        return nil
      }
      values.append(value)
    }
    return .row(values)
  }

  private mutating func value(of type: StoredTable.ValueType) throws -> SQL.Value? {
    guard let kind = byte() else { return nil }
    switch (kind, type) {
    case (0, _): return .null
    case (1, .integer): return number(8).map { .integer(Int64(bitPattern: $0)) }
    case (2, .real): return number(8).map { .real(Double(bitPattern: $0)) }
    case (3, .text):
      guard let content = content() else { return nil }
      let text = String(decoding: content, as: UTF8.self)
      guard text.utf8.elementsEqual(content) else { throw Malformed() }
      return .text(text)
    case (4, .bytes): return content().map { .bytes(Array($0)) }
    default: throw Malformed()
    }
  }

  private mutating func byte() -> UInt8? {
    guard place < bytes.count else { return nil }
    defer { place += 1 }
    return bytes[place]
  }

  private mutating func number(_ count: Int) -> UInt64? {
    guard bytes.count - place >= count else { return nil }
    defer { place += count }
    return bytes[place..<(place + count)].reduce(0) { $0 << 8 | UInt64($1) }
  }

  private mutating func content() -> ArraySlice<UInt8>? {
    guard let count = number(4).map(Int.init), bytes.count - place >= count else { return nil }
    defer { place += count }
    return bytes[place..<(place + count)]
  }
}

extension [UInt8] {
  fileprivate mutating func append(bigEndian number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
  }
}
