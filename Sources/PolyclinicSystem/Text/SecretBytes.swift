import Glibc

extension [UInt8] {
  /// Returns random bytes from the kernel's generator, suitable for keys and tokens.
  package static func random(_ count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        // Up to 256 bytes a call, for which getentropy(3) neither fails nor returns fewer.
        let part = Swift.min(256, count - filled)
        let status = getentropy(buffer.baseAddress.map { $0 + filled }, part)
        precondition(status == 0, "this kernel has no getrandom: run Linux 3.17 or later")
        filled += part
      }
    }
  }

  /// Overwrites the bytes with zeros in a way that the optimizer cannot remove.
  ///
  /// It does not reach copies made before, so call it on the only copy.
  package mutating func wipe() {
    withUnsafeMutableBytes { if let start = $0.baseAddress { explicit_bzero(start, $0.count) } }
  }

  /// Compares in constant time: the duration depends only on the lengths.
  package func isSame(as other: [UInt8]) -> Bool {
    guard count == other.count else { return false }
    var difference: UInt8 = 0
    for index in indices { difference |= self[index] ^ other[index] }
    return difference == 0
  }
}
