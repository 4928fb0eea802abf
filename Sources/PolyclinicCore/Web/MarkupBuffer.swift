/// The bytes of a piece of markup while it grows: appending is a comparison and a copy.
///
/// An array would ask at each of the thousand appends of a page whether it is shared. Here its
/// holder vouches for that: an interpolation owns its buffer alone, and ``HTML`` asks once.
final class MarkupBuffer: ManagedBuffer<MarkupBuffer.Extent, UInt8> {
  struct Extent {
    var count: Int
    let capacity: Int
  }

  static func empty(capacity: Int) -> MarkupBuffer {
    let buffer = create(minimumCapacity: capacity) { _ in Extent(count: 0, capacity: capacity) }
    return unsafeDowncast(buffer, to: MarkupBuffer.self)
  }

  // By the pointers: the property would be watched for overlapping access at run time.
  var count: Int { withUnsafeMutablePointerToHeader { $0.pointee.count } }

  /// How many more bytes it takes.
  var room: Int { withUnsafeMutablePointerToHeader { $0.pointee.capacity - $0.pointee.count } }

  func withBytes<Value>(
    _ body: (UnsafeBufferPointer<UInt8>) throws -> Value
  ) rethrows -> Value {
    try withUnsafeMutablePointers { extent, elements in
      try body(UnsafeBufferPointer(start: elements, count: extent.pointee.count))
    }
  }

  /// False when there is no room; nothing is appended then.
  @inline(__always)
  func append(_ start: UnsafePointer<UInt8>, count: Int) -> Bool {
    withUnsafeMutablePointers { extent, elements in
      let end = extent.pointee.count + count
      guard end <= extent.pointee.capacity else { return false }
      (elements + extent.pointee.count).initialize(from: start, count: count)
      extent.pointee.count = end
      return true
    }
  }

  /// A buffer with the same bytes and room for at least so many more.
  func copy(growingBy count: Int) -> MarkupBuffer {
    let buffer = MarkupBuffer.empty(capacity: max(2 * self.count, self.count + count * 5 / 4))
    withBytes { bytes in
      if let start = bytes.baseAddress { _ = buffer.append(start, count: bytes.count) }
    }
    return buffer
  }
}

extension MarkupBuffer {
  /// Appends to the buffer that a variable alone holds, and replaces it by a larger one where it is full.
  @inline(__always)
  static func append(
    _ start: UnsafePointer<UInt8>, count: Int, to buffer: inout MarkupBuffer
  ) {
    if !buffer.append(start, count: count) { grow(&buffer, appending: start, count: count) }
  }

  /// Apart from the common way, which is as short as it can be without it.
  @inline(never)
  private static func grow(
    _ buffer: inout MarkupBuffer, appending start: UnsafePointer<UInt8>, count: Int
  ) {
    buffer = buffer.copy(growingBy: count)
    _ = buffer.append(start, count: count)
  }

  static func append(_ literal: StaticString, to buffer: inout MarkupBuffer) {
    // A literal of a single scalar has no address of its own.
    guard literal.hasPointerRepresentation else {
      return literal.withUTF8Buffer { append($0, to: &buffer) }
    }
    append(literal.utf8Start, count: literal.utf8CodeUnitCount, to: &buffer)
  }

  static func append(_ bytes: UnsafeBufferPointer<UInt8>, to buffer: inout MarkupBuffer) {
    if let start = bytes.baseAddress { append(start, count: bytes.count, to: &buffer) }
  }

  static func append(_ other: MarkupBuffer, to buffer: inout MarkupBuffer) {
    other.withBytes { append($0, to: &buffer) }
  }

  /// Appends UTF-8 with `& < > " '` as character references, and without NUL.
  static func append(escaping bytes: UnsafeBufferPointer<UInt8>, to buffer: inout MarkupBuffer) {
    var rest = bytes[...]
    while let index = rest.firstIndex(where: \.isEscapedInHTML) {
      append(UnsafeBufferPointer(rebasing: rest[..<index]), to: &buffer)
      append(bytes[index].reference, to: &buffer)
      rest = rest[(index + 1)...]
    }
    append(UnsafeBufferPointer(rebasing: rest), to: &buffer)
  }

  static func append(escaping text: borrowing String, to buffer: inout MarkupBuffer) {
    let isAppended: Void? = text.utf8.withContiguousStorageIfAvailable {
      append(escaping: $0, to: &buffer)
    }
    if isAppended == nil {
      append(escaping: String(decoding: text.utf8, as: UTF8.self), to: &buffer)
    }
  }

  /// Appends a number in decimal digits, with a minus before those of a negative one.
  static func append(decimal number: Int64, to buffer: inout MarkupBuffer) {
    if buffer.room < mostDigits + 1 { buffer = buffer.copy(growingBy: mostDigits + 1) }
    buffer.withUnsafeMutablePointers { extent, elements in
      var end = elements + extent.pointee.count
      if number < 0 {
        end.initialize(to: UInt8(ascii: "-"))
        end += 1
      }
      end = write(number.magnitude, to: end)
      extent.pointee.count = end - elements
    }
  }

  /// The most digits of a 64-bit number.
  private static let mostDigits = 20

  /// The place behind the digits.
  @inline(__always)
  private static func write(
    _ number: UInt64, to start: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    var end = start + 1
    var rest = number / 10
    while rest > 0 {
      end += 1
      rest /= 10
    }
    var place = end
    rest = number
    repeat {
      place -= 1
      place.initialize(to: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    } while place > start
    return end
  }
}

extension UInt8 {
  /// Whether it is NUL or one of `" & ' < >`: a set of bits, since each byte of a page is asked for.
  fileprivate var isEscapedInHTML: Bool {
    self < 64 && 0x5000_00C4_0000_0001 as UInt64 >> UInt64(self) & 1 == 1
  }

  /// What stands for it in HTML; nothing for NUL.
  fileprivate var reference: StaticString {
    switch self {
    case UInt8(ascii: "&"): "&amp;"
    case UInt8(ascii: "<"): "&lt;"
    case UInt8(ascii: ">"): "&gt;"
    case UInt8(ascii: "\""): "&quot;"
    case UInt8(ascii: "'"): "&#39;"
    default: ""
    }
  }
}
