import CArgon2
import Foundation
import PolyclinicCore

/// Argon2id (RFC 9106) by libargon2, a memory-hard password hash.
package struct Argon2id: Sendable, Equatable {
  /// The memory of one hash, in KiB.
  package let memory: UInt32
  /// The number of passes over the memory.
  package let passes: UInt32
  package let lanes: UInt32

  package init(memory: UInt32, passes: UInt32, lanes: UInt32) {
    self.memory = memory
    self.passes = passes
    self.lanes = lanes
  }

  /// The first recommendation of the OWASP Password Storage Cheat Sheet: 19 MiB, two passes, one
  /// lane.
  package static let current = Argon2id(memory: 19_456, passes: 2, lanes: 1)

  /// True if costs from the database are acceptable. A modified row must not exhaust memory or
  /// time.
  var isBearable: Bool {
    (8...262_144).contains(memory) && (1...10).contains(passes) && (1...4).contains(lanes)
      && memory >= 8 * lanes
  }

  /// Returns the tag of a password. Throws ``HashingOutOfMemory``, and ``Argon2Error`` for costs
  /// that libargon2 does not support.
  ///
  /// libargon2 wipes its working memory before it frees it, because `FLAG_clear_internal_memory` is
  /// set by default.
  package func tag(of password: [UInt8], salt: [UInt8], length: Int) throws -> [UInt8] {
    var password = password
    var salt = salt
    var tag = [UInt8](repeating: 0, count: length)
    defer { password.wipe() }
    let code = password.withUnsafeMutableBufferPointer { password in
      salt.withUnsafeMutableBufferPointer { salt in
        tag.withUnsafeMutableBufferPointer { tag in
          var context = argon2_context()
          context.out = tag.baseAddress
          context.outlen = UInt32(tag.count)
          context.pwd = password.baseAddress
          context.pwdlen = UInt32(password.count)
          context.salt = salt.baseAddress
          context.saltlen = UInt32(salt.count)
          context.t_cost = passes
          context.m_cost = memory
          context.lanes = lanes
          context.threads = 1
          context.version = ARGON2_VERSION_13.rawValue
          context.allocate_cbk = allocate
          context.free_cbk = free
          return argon2_ctx(&context, Argon2_id)
        }
      }
    }
    if code == ARGON2_MEMORY_ALLOCATION_ERROR.rawValue { throw HashingOutOfMemory() }
    guard code == ARGON2_OK.rawValue else { throw Argon2Error(code: code) }
    return tag
  }
}

/// The process has no memory left for a hash. The response is 503, with a retry after
/// ``retryAfter``.
package struct HashingOutOfMemory: Error {
  package static let retryAfter = Seconds(5)
}

/// A libargon2 error; the code is one of its `Argon2_ErrorCodes`.
struct Argon2Error: Error {
  let code: Int32
}

// Maps pages instead of calling malloc. After the first freed block of this size, glibc would keep
// the next ones in its heap, and each worker would hold 19 MiB forever.
private let allocate: allocate_fptr = { memory, size in
  let pages = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
  guard let memory, let pages, pages != MAP_FAILED else {
    return ARGON2_MEMORY_ALLOCATION_ERROR.rawValue
  }
  memory.pointee = pages.assumingMemoryBound(to: UInt8.self)
  return ARGON2_OK.rawValue
}

private let free: deallocate_fptr = { memory, size in munmap(memory, size) }
