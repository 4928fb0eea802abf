import CZlib

/// The compression of a code's content, by zlib's window bits.
enum Compression: Int32 {
  /// RFC 1950, for EU certificates.
  case zlib = 15
  /// RFC 1951, for SMART Health Cards.
  case deflate = -15

  /// The most bytes that a code may inflate to. The largest certificates inflate to about 4 KB.
  static let limit = 64 * 1_024

  /// Returns the decompressed bytes; nil if the data is damaged or truncated, or has more than
  /// ``limit`` bytes.
  func inflate(_ bytes: [UInt8]) -> [UInt8]? {
    var stream = z_stream()
    let size = Int32(MemoryLayout<z_stream>.size)
    guard inflateInit2_(&stream, rawValue, ZLIB_VERSION, size) == Z_OK else { return nil }
    defer { inflateEnd(&stream) }
    var input = bytes
    var isWhole = false
    let output = [UInt8](unsafeUninitializedCapacity: Self.limit) { output, count in
      input.withUnsafeMutableBufferPointer { input in
        stream.next_in = input.baseAddress
        stream.avail_in = UInt32(input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(output.count)
        isWhole = CZlib.inflate(&stream, Z_FINISH) == Z_STREAM_END
      }
      count = Self.limit - Int(stream.avail_out)
    }
    return isWhole ? output : nil
  }

  /// True if the bytes begin with a zlib header (RFC 1950, 2.2).
  static func isZlib(_ bytes: [UInt8]) -> Bool {
    guard bytes.count > 2 else { return false }
    return bytes[0] & 0x0F == 8 && (Int(bytes[0]) << 8 + Int(bytes[1])) % 31 == 0
  }
}
