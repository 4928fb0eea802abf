/// A growing buffer of markup, in which appending is one comparison and one copy.
///
/// An array would check for unique references at each of a page's thousand appends. Here the owner
/// guarantees it: an interpolation is the only owner of its buffer, and ``HTML`` checks once.
final class MarkupBuffer: ManagedBuffer<MarkupBuffer.Extent, UInt8> {
  struct Extent {
    var count: Int
    let capacity: Int
  }

  static func empty(capacity: Int) -> MarkupBuffer {
    let buffer = create(minimumCapacity: capacity) { _ in Extent(count: 0, capacity: capacity) }
    return unsafeDowncast(buffer, to: MarkupBuffer.self)
  }

  // Through the pointers, because access to the property would be checked for exclusivity at run
  // time.
  var count: Int { withUnsafeMutablePointerToHeader { $0.pointee.count } }

  /// The number of free bytes.
  var room: Int { withUnsafeMutablePointerToHeader { $0.pointee.capacity - $0.pointee.count } }

  func withBytes<Value>(
    _ body: (UnsafeBufferPointer<UInt8>) throws -> Value
  ) rethrows -> Value {
    try withUnsafeMutablePointers { extent, elements in
      try body(UnsafeBufferPointer(start: elements, count: extent.pointee.count))
    }
  }

  /// Appends the bytes and returns true. Returns false and appends nothing if there is not enough
  /// room.
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

  /// Returns a copy of the buffer with room for at least `count` more bytes.
  func copy(growingBy count: Int) -> MarkupBuffer {
    let buffer = MarkupBuffer.empty(capacity: max(2 * self.count, self.count + count * 5 / 4))
    withBytes { bytes in
      if let start = bytes.baseAddress { _ = buffer.append(start, count: bytes.count) }
    }
    return buffer
  }
}

extension MarkupBuffer {
  /// Appends to a uniquely referenced buffer, and replaces the buffer with a larger one if it is
  /// full.
  @inline(__always)
  static func append(
    _ start: UnsafePointer<UInt8>, count: Int, to buffer: inout MarkupBuffer
  ) {
    if !buffer.append(start, count: count) { grow(&buffer, appending: start, count: count) }
  }

  /// Not inlined, so that the common path stays as short as possible.
  @inline(never)
  private static func grow(
    _ buffer: inout MarkupBuffer, appending start: UnsafePointer<UInt8>, count: Int
  ) {
    buffer = buffer.copy(growingBy: count)
    _ = buffer.append(start, count: count)
  }

  static func append(_ literal: StaticString, to buffer: inout MarkupBuffer) {
    // A literal of a single scalar has no address.
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

  /// Appends UTF-8 text with `& < > " '` as character references and NUL removed.
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

  /// Appends a number in decimal digits, with a minus sign if it is negative.
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

  /// The maximum number of decimal digits of a 64-bit number.
  private static let mostDigits = 20

  /// Writes the digits and returns the pointer after the last one.
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
  /// True for NUL and for `" & ' < >`. A bit set, because every byte of a page is checked.
  fileprivate var isEscapedInHTML: Bool {
    self < 64 && 0x5000_00C4_0000_0001 as UInt64 >> UInt64(self) & 1 == 1
  }

  /// The character reference of the byte in HTML; empty for NUL.
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
