import Glibc

extension [UInt8] {
  /// That many bytes from the kernel's generator, fit for keys and tokens.
  static func random(_ count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        // 256 bytes a call, for which it neither fails nor gives less (getentropy(3)).
        let part = Swift.min(256, count - filled)
        let status = getentropy(buffer.baseAddress.map { $0 + filled }, part)
        precondition(status == 0, "this kernel has no getrandom: run Linux 3.17 or later")
        filled += part
      }
    }
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
