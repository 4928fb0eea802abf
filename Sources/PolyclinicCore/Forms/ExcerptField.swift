/// A field of a form in the excerpts of its records.
struct ExcerptField<Draft: Sendable>: Sendable {
  let path: PartialKeyPath<Draft> & Sendable
  let write: @Sendable (Draft, inout ByteWriter) -> Void
  let read: @Sendable (inout Draft, inout ByteReader) throws -> Void

  init(
    _ path: PartialKeyPath<Draft> & Sendable,
    write: @escaping @Sendable (Draft, inout ByteWriter) -> Void,
    read: @escaping @Sendable (inout Draft, inout ByteReader) throws -> Void
  ) {
    self.path = path
    self.write = write
    self.read = read
  }

  init<Value>(_ path: WritableKeyPath<Draft, Value> & Sendable, _ coding: ExcerptCoding<Value>) {
    self.init(
      path, write: { coding.write($0[keyPath: path], &$1) },
      read: { draft, bytes in
        if let value = try coding.read(&bytes) { draft[keyPath: path] = value }
      })
  }
}

/// The encoding of a field's value in an excerpt. It must never change, because excerpts are
/// stored.
struct ExcerptCoding<Value>: Sendable {
  let write: @Sendable (Value, inout ByteWriter) -> Void
  /// Returns nil for a value that this release does not know.
  let read: @Sendable (inout ByteReader) throws -> Value?

  /// Returns the encoding as text.
  static func text(
    _ print: @escaping @Sendable (Value) -> String, _ parse: @escaping @Sendable (String) -> Value?
  ) -> ExcerptCoding {
    ExcerptCoding(write: { $1.write(print($0)) }, read: { parse(try $0.string()) })
  }
}

extension ExcerptCoding<CalendarDate?> {
  /// The encoding of a date in three or four bytes.
  static var date: ExcerptCoding { ExcerptCoding(write: { $1.write($0) }, read: { try $0.date() }) }
}

extension ExcerptCoding<Int?> {
  /// Returns the encoding of a number. A number that is never negative takes less space.
  ///
  /// Nil is zero if the range excludes zero, and else a zero that is longer than necessary.
  static func integer(in range: ClosedRange<Int>) -> ExcerptCoding {
    ExcerptCoding(
      write: { number, bytes in
        if let number {
          range.lowerBound < 0 ? bytes.write(Int64(number)) : bytes.write(count: number)
        } else {
          range.contains(0) ? bytes.writeNil() : bytes.write(count: 0)
        }
      },
      read: { bytes in
        if bytes.takeNil() { return .some(nil) }
        let number = range.lowerBound < 0 ? Int(try bytes.integer()) : try bytes.count()
        return number == 0 && !range.contains(0) ? .some(nil) : number
      })
  }
}

extension ExcerptCoding<ZonedTime?> {
  /// The encoding of a moment: minutes since 1970, and the offset from UTC in minutes.
  static var dateTime: ExcerptCoding {
    ExcerptCoding(
      write: { time, bytes in
        guard let time else { return bytes.writeNil() }
        bytes.write(time.instant.seconds / 60)
        bytes.write(time.offset.count / 60)
      },
      read: { bytes in
        if bytes.takeNil() { return .some(nil) }
        let (minutes, offset) = (try bytes.integer(), try bytes.integer())
        guard abs(minutes) < 1 << 40, abs(offset) < 1 << 20 else { throw DecodingFailure() }
        return ZonedTime(Instant(minutes * 60), offset: Seconds(offset * 60))
      })
  }
}

/// A zero in two bytes, which no number is written as.
private let longZero: [UInt8] = [0x80, 0]

extension ByteWriter {
  /// Writes the absence of a number. A reader that does not expect it reads a zero.
  fileprivate mutating func writeNil() { for byte in longZero { write(byte) } }
}

extension ByteReader {
  /// Skips the absence of a number. Returns false if there is a number, which stays unread.
  fileprivate mutating func takeNil() -> Bool {
    var ahead = self
    for byte in longZero {
      guard let next = try? ahead.byte(), next == byte else { return false }
    }
    self = ahead
    return true
  }
}
