/// Writes values as bytes, one after the other. Each value of variable length is preceded by its
/// length.
@usableFromInline
package struct ByteWriter: Sendable {
  /// The bytes written so far.
  package private(set) var bytes: [UInt8] = []

  /// Creates an empty writer.
  package init() {}

  /// Creates an empty writer with room for `capacity` bytes.
  init(capacity: Int) { bytes.reserveCapacity(capacity) }

  /// Writes one byte as it is.
  package mutating func write(_ byte: UInt8) { bytes.append(byte) }

  /// Writes a non-negative number in groups of seven bits, the lowest first (LEB128).
  package mutating func write(count: Int) {
    var rest = UInt64(max(0, count))
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// Writes a number of either sign, so that small magnitudes take few bytes (zigzag).
  package mutating func write(_ number: Int64) {
    var rest = UInt64(bitPattern: (number << 1) ^ (number >> 63))
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// Writes the number of a record, as a number of either sign.
  package mutating func write<Record>(_ id: ID<Record>) { write(id.rawValue) }

  /// Writes bytes, preceded by their count.
  package mutating func write(_ value: some Collection<UInt8>) {
    write(count: value.count)
    bytes.append(contentsOf: value)
  }

  /// Writes a text in UTF-8, preceded by its number of bytes.
  package mutating func write(_ text: String) {
    var text = text
    text.withUTF8 { utf8 in
      write(count: utf8.count)
      bytes.append(contentsOf: utf8)
    }
  }

  /// Writes texts one after the other, preceded by their count.
  package mutating func write(_ texts: [String]) {
    write(count: texts.count)
    for text in texts { write(text) }
  }

  /// Writes a day of the year in two bytes (month and day), or two zeros for nil.
  package mutating func write(_ day: CalendarDate.MonthDay?) {
    write(UInt8(day?.month ?? 0))
    write(UInt8(day?.day ?? 0))
  }

  /// Writes a date as its day of the year and its year, or three zeros for nil.
  package mutating func write(_ date: CalendarDate?) {
    write(date?.monthDay)
    write(count: date?.year ?? 0)
  }
}

/// Reads the values that ``ByteWriter`` wrote, in the same order. Throws ``DecodingFailure`` if the
/// bytes have another format.
@usableFromInline
package struct ByteReader: Sendable {
  // The functions that read entries are inlinable, because a search spends most of its time here.
  /// The whole buffer, including the bytes that were already read.
  @usableFromInline package let buffer: ArraySlice<UInt8>
  @usableFromInline var position: Int
  @usableFromInline var end: Int

  /// Reads a part of a larger array without copying it.
  @inlinable
  package init(_ bytes: ArraySlice<UInt8>) {
    buffer = bytes
    position = bytes.startIndex
    end = bytes.endIndex
  }

  /// Reads an array from its start.
  @inlinable
  package init(_ bytes: [UInt8]) { self.init(bytes[...]) }

  /// True if everything was read. Data of an earlier release ends before the fields that this one
  /// adds.
  @inlinable
  package var isAtEnd: Bool { position == end }

  /// The range of ``buffer`` that was not read yet.
  @inlinable
  package var unread: Range<Int> { position..<end }

  /// Reads the next byte.
  @inlinable
  package mutating func byte() throws -> UInt8 {
    guard position < end else { throw DecodingFailure() }
    defer { position += 1 }
    return buffer[position]
  }

  /// Reads the next non-negative number.
  @inlinable
  package mutating func count() throws -> Int {
    guard let count = Int(exactly: try varint()) else { throw DecodingFailure() }
    return count
  }

  /// Reads the next number of either sign.
  @inlinable
  package mutating func integer() throws -> Int64 {
    let zigzag = try varint()
    return Int64(bitPattern: zigzag >> 1) ^ -Int64(bitPattern: zigzag & 1)
  }

  /// Reads the next number of a record.
  @inlinable
  package mutating func id<Record>() throws -> ID<Record> { ID(try integer()) }

  /// Reads the next bytes as a slice of ``buffer``, without copying them.
  @inlinable
  package mutating func bytes() throws -> ArraySlice<UInt8> { buffer[try place()] }

  /// Skips the next bytes and returns their range in ``buffer``, so that a caller can keep the
  /// buffer once for several parts of it.
  @inlinable
  package mutating func place() throws -> Range<Int> {
    let count = try count()
    guard count <= end - position else { throw DecodingFailure() }
    defer { position += count }
    return position..<position + count
  }

  /// Runs `body` on the next bytes and no others, then skips those that it left unread.
  @inlinable
  package mutating func part<Value>(
    _ body: (inout ByteReader) throws -> Value
  ) throws -> Value {
    let (place, whole) = (try place(), end)
    (position, end) = (place.lowerBound, place.upperBound)
    defer { (position, end) = (place.upperBound, whole) }
    return try body(&self)
  }

  /// Reads the next text. Replaces invalid UTF-8 with U+FFFD.
  package mutating func string() throws -> String { String(decoding: try bytes(), as: UTF8.self) }

  /// Reads the next list of texts.
  package mutating func strings() throws -> [String] {
    let count = try count()
    guard count <= buffer.count else { throw DecodingFailure() }
    var texts: [String] = []
    for _ in 0..<count { texts.append(try string()) }
    return texts
  }

  /// Reads the next day of the year; nil if none was written.
  @inlinable
  package mutating func monthDay() throws -> CalendarDate.MonthDay? {
    let (month, day) = (Int(try byte()), Int(try byte()))
    if month == 0, day == 0 { return nil }
    // Any leap year, so that 29 February is valid.
    guard (1...12).contains(month), (1...CalendarDate.days(in: month, of: 2_000)).contains(day)
    else { throw DecodingFailure() }
    return CalendarDate.MonthDay(month: month, day: day)
  }

  /// Reads the next date; nil if none was written.
  @inlinable
  package mutating func date() throws -> CalendarDate? {
    let (day, year) = (try monthDay(), try count())
    guard let day else { return nil }
    guard let date = CalendarDate(year: year, month: day.month, day: day.day) else {
      throw DecodingFailure()
    }
    return date
  }

  /// Skips the next day of the year without reading it, as searches do for each entry.
  @inlinable
  package mutating func skipMonthDay() throws {
    guard end - position >= 2 else { throw DecodingFailure() }
    position += 2
  }

  /// Skips the next date without reading it.
  @inlinable
  package mutating func skipDate() throws {
    try skipMonthDay()
    let _ = try varint()
  }

  @inlinable @inline(__always)
  mutating func varint() throws -> UInt64 {
    // Fast path, because most lengths are below 128.
    let first = try byte()
    return first < 0x80 ? UInt64(first) : try varint(beginningWith: first)
  }

  @usableFromInline
  mutating func varint(beginningWith first: UInt8) throws -> UInt64 {
    var value = UInt64(first & 0x7F)
    var shift: UInt64 = 7
    while true {
      let byte = try byte()
      value |= UInt64(byte & 0x7F) << shift
      if byte & 0x80 == 0 { return value }
      shift += 7
      guard shift < 64 else { throw DecodingFailure() }
    }
  }
}

/// An error: stored bytes do not have the expected format.
public struct DecodingFailure: Error, Sendable {
  /// Creates the error. It contains no bytes, because they may be a person's data.
  public init() {}
}
