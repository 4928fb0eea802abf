import Foundation

extension [UInt8] {
  /// That many bytes from the kernel's generator (`getrandom`), fit for keys and tokens.
  static func random(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
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

  /// Appends a literal's UTF-8.
  mutating func append(name: StaticString) {
    name.withUTF8Buffer { append(contentsOf: $0) }
  }
}
