import Glibc

/// The frames of one answer: four letters, the length as a big-endian UInt32, the bytes.
struct Frames {
  enum Name: String {
    case page = "PAGE"
    case thumbnail = "THUM"
    case code = "CODE"
    case grid = "GRID"
    case drawing = "DRAW"
    case more = "MORE"
    case failure = "FAIL"
  }

  private(set) var bytes: [UInt8] = []

  init() {}

  init(_ refusal: Refusal) { append(.failure, Array(refusal.rawValue.utf8)) }

  mutating func append(_ name: Name, _ content: [UInt8] = []) {
    bytes += name.rawValue.utf8
    withUnsafeBytes(of: UInt32(content.count).bigEndian) { bytes += $0 }
    bytes += content
  }

  /// Writes all frames to standard output. False when the reader has gone.
  func write() -> Bool {
    bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        let count = Glibc.write(STDOUT_FILENO, rest.baseAddress, rest.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }
  }
}

extension Slice where Base == UnsafeRawBufferPointer {
  fileprivate var baseAddress: UnsafeRawPointer? { base.baseAddress?.advanced(by: startIndex) }
}
