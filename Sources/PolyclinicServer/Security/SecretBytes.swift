import Foundation

extension [UInt8] {
  /// That many bytes from the kernel's generator (`getrandom`), fit for keys and tokens.
  static func random(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    // Eight at a time: each number is a system call.
    while bytes.count < count {
      Swift.withUnsafeBytes(of: generator.next() as UInt64) {
        bytes.append(contentsOf: $0.prefix(count - bytes.count))
      }
    }
    return bytes
  }

  /// Overwrites the bytes in a way that the optimizer does not leave out.
  ///
  /// Copies made before are not reached: call it on the only holder.
  mutating func wipe() {
    withUnsafeMutableBytes { if let start = $0.baseAddress { explicit_bzero(start, $0.count) } }
  }

  /// Compares in a time that depends on the lengths alone.
  func isSame(as other: [UInt8]) -> Bool {
    guard count == other.count else { return false }
    var difference: UInt8 = 0
    for index in indices { difference |= self[index] ^ other[index] }
    return difference == 0
  }
}
