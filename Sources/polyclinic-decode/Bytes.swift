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
