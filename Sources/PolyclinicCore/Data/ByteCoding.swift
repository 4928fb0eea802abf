/// Writes values one behind the other, each that varies in length preceded by it.
public struct ByteWriter: Sendable {
  /// What was written so far.
  public private(set) var bytes: [UInt8] = []

  /// Begins with nothing.
  public init() {}

  /// Begins with room for so many bytes.
  init(capacity: Int) { bytes.reserveCapacity(capacity) }

  /// Writes one byte as it is.
  public mutating func write(_ byte: UInt8) { bytes.append(byte) }

  /// Writes a number that is not negative in groups of seven bits, the lowest first (LEB128).
  public mutating func write(count: Int) {
    var rest = UInt64(max(0, count))
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// Writes any number, small ones of either sign in few bytes (zigzag).
  public mutating func write(_ number: Int64) {
    var rest = UInt64(bitPattern: (number << 1) ^ (number >> 63))
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// Writes the number of a record, as any number.
  public mutating func write<Record>(_ id: ID<Record>) { write(id.rawValue) }

  /// Writes bytes preceded by their number.
  public mutating func write(_ value: some Collection<UInt8>) {
    write(count: value.count)
    bytes.append(contentsOf: value)
  }

  /// Writes a text in UTF-8, preceded by the number of its bytes.
  public mutating func write(_ text: String) {
    var text = text
    text.withUTF8 { utf8 in
      write(count: utf8.count)
      bytes.append(contentsOf: utf8)
    }
  }

  /// Writes texts one behind the other, preceded by their number.
  public mutating func write(_ texts: [String]) {
    write(count: texts.count)
    for text in texts { write(text) }
  }

  /// Writes a day of the year in two bytes; two zeros for none.
  public mutating func write(_ day: MonthDay?) {
    write(UInt8(day?.month ?? 0))
    write(UInt8(day?.day ?? 0))
  }

  /// Writes a date as its day of the year and its year; three zeros for none.
  public mutating func write(_ date: CalendarDate?) {
    write(date?.monthDay)
    write(count: date?.year ?? 0)
  }
}

/// Reads what ``ByteWriter`` wrote, in the same order; throws ``DecodingFailure`` where it was not so written.
public struct ByteReader: Sendable {
  // What reads many entries is compiled together with them: most of a search is spent here.
  /// All that is read from, what was read already with it.
  public let buffer: ArraySlice<UInt8>
  @usableFromInline var position: Int
  @usableFromInline var end: Int

  /// Reads a part of something larger, which is not copied.
  @inlinable
  public init(_ bytes: ArraySlice<UInt8>) {
    buffer = bytes
    position = bytes.startIndex
    end = bytes.endIndex
  }

  /// Reads bytes from their beginning.
  @inlinable
  public init(_ bytes: [UInt8]) { self.init(bytes[...]) }

  /// Whether everything was read: what an earlier release wrote ends before what this one adds.
  @inlinable
  public var isAtEnd: Bool { position == end }

  /// Where in ``buffer`` all that was not read yet stands.
  @inlinable
  public var unread: Range<Int> { position..<end }

  /// The next byte as it is.
  @inlinable
  public mutating func byte() throws -> UInt8 {
    guard position < end else { throw DecodingFailure() }
    defer { position += 1 }
    return buffer[position]
  }

  /// The next number that is not negative.
  @inlinable
  public mutating func count() throws -> Int {
    guard let count = Int(exactly: try varint()) else { throw DecodingFailure() }
    return count
  }

  /// The next number of either sign.
  @inlinable
  public mutating func integer() throws -> Int64 {
    let zigzag = try varint()
    return Int64(bitPattern: zigzag >> 1) ^ -Int64(bitPattern: zigzag & 1)
  }

  /// The next number of a record.
  @inlinable
  public mutating func id<Record>() throws -> ID<Record> { ID(try integer()) }

  /// The bytes as a part of what is being read: nothing is copied.
  @inlinable
  public mutating func bytes() throws -> ArraySlice<UInt8> { buffer[try place()] }

  /// Where the next bytes stand in ``buffer``: for what keeps the buffer once for several parts of it.
  @inlinable
  public mutating func place() throws -> Range<Int> {
    let count = try count()
    guard count <= end - position else { throw DecodingFailure() }
    defer { position += count }
    return position..<position + count
  }

  /// Has `body` read the next bytes, and nothing behind them; what it leaves of them is passed over.
  @inlinable
  public mutating func part<Value>(
    _ body: (inout ByteReader) throws -> Value
  ) throws -> Value {
    let (place, whole) = (try place(), end)
    (position, end) = (place.lowerBound, place.upperBound)
    defer { (position, end) = (place.upperBound, whole) }
    return try body(&self)
  }

  /// The next text; what is not UTF-8 in it is replaced by U+FFFD.
  public mutating func string() throws -> String { String(decoding: try bytes(), as: UTF8.self) }

  /// The next list of texts.
  public mutating func strings() throws -> [String] {
    let count = try count()
    guard count <= buffer.count else { throw DecodingFailure() }
    var texts: [String] = []
    for _ in 0..<count { texts.append(try string()) }
    return texts
  }

  /// The next day of the year; nil where none was written.
  @inlinable
  public mutating func monthDay() throws -> MonthDay? {
    let (month, day) = (Int(try byte()), Int(try byte()))
    if month == 0, day == 0 { return nil }
    // Any leap year: 29 February comes back too.
    guard (1...12).contains(month), (1...CalendarDate.days(in: month, of: 2_000)).contains(day)
    else { throw DecodingFailure() }
    return MonthDay(month: month, day: day)
  }

  /// The next date; nil where none was written.
  @inlinable
  public mutating func date() throws -> CalendarDate? {
    let (day, year) = (try monthDay(), try count())
    guard let day else { return nil }
    guard let date = CalendarDate(year: year, month: day.month, day: day.day) else {
      throw DecodingFailure()
    }
    return date
  }

  @inlinable @inline(__always)
  mutating func varint() throws -> UInt64 {
    // Most lengths are below 128.
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

/// Stored bytes are not of the shape that they should have.
public struct DecodingFailure: Error, Sendable {
  /// Says nothing of the bytes: they may be somebody's data.
  public init() {}
}
