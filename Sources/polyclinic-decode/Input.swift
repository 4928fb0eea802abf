import Glibc

/// The input of one run: a line that names its kind, then the bytes.
enum Input {
  case image([UInt8])
  case portrait([UInt8])
  case text([UInt8])

  static let limit = 20 << 20

  /// Reads standard input to its end. Returns nil for a line that this program does not know.
  static func read() throws(Refusal) -> Input? {
    guard let line = readLine() else { return nil }
    let kind: ([UInt8]) -> Input
    switch line {
    case "image": kind = Input.image
    case "portrait": kind = Input.portrait
    case "text": kind = Input.text
    default: return nil
    }
    let bytes = readRest()
    if bytes.isEmpty { throw .empty }
    if bytes.count > limit { throw .tooLarge }
    return kind(bytes)
  }

  private static func readLine() -> String? {
    var line = ""
    var byte: UInt8 = 0
    while line.utf8.count < 16, readSome(&byte, 1) == 1 {
      if byte == UInt8(ascii: "\n") { return line }
      line.unicodeScalars.append(Unicode.Scalar(byte))
    }
    return nil
  }

  private static func readRest() -> [UInt8] {
    Array(unsafeUninitializedCapacity: limit + 1) { buffer, count in
      while count <= limit, let start = buffer.baseAddress {
        let got = readSome(start + count, limit + 1 - count)
        guard got > 0 else { return }
        count += got
      }
    }
  }

  private static func readSome(_ buffer: UnsafeMutableRawPointer, _ size: Int) -> Int {
    while true {
      let count = Glibc.read(STDIN_FILENO, buffer, size)
      if count >= 0 || errno != EINTR { return count }
    }
  }
}

/// Numbers and words at a place of an input that may end before them.
struct Bytes {
  let all: ArraySlice<UInt8>

  init(_ all: ArraySlice<UInt8>) { self.all = all }

  var count: Int { all.count }

  subscript(_ offset: Int) -> UInt8 {
    get throws(Refusal) {
      guard offset >= 0, offset < count else { throw .damaged }
      return all[all.startIndex + offset]
    }
  }

  func slice(_ offset: Int, _ length: Int) throws(Refusal) -> Bytes {
    guard offset >= 0, length >= 0, offset <= count, length <= count - offset else {
      throw .damaged
    }
    return Bytes(all[all.startIndex + offset..<all.startIndex + offset + length])
  }

  func starts(with word: StaticString, at offset: Int = 0) -> Bool {
    guard offset >= 0, offset <= count, word.utf8CodeUnitCount <= count - offset else {
      return false
    }
    let start = all.startIndex + offset
    return word.withUTF8Buffer {
      all[start..<start + $0.count].elementsEqual($0)
    }
  }

  /// An unsigned number of `length` bytes, the most significant first.
  func big(_ offset: Int, _ length: Int) throws(Refusal) -> Int {
    var number = 0
    for index in 0..<length { number = number << 8 | Int(try self[offset + index]) }
    return number
  }

  /// An unsigned number of `length` bytes, the least significant first.
  func little(_ offset: Int, _ length: Int) throws(Refusal) -> Int {
    var number = 0
    for index in (0..<length).reversed() { number = number << 8 | Int(try self[offset + index]) }
    return number
  }
}
