import Glibc

/// The name that the system gives this machine.
package enum HostName {
  /// Throws ``SystemError``, also for a name that is too long.
  package static func current() throws(SystemError) -> String {
    // The last byte stays zero.
    var name = [CChar](repeating: 0, count: 257)
    guard gethostname(&name, name.count - 1) == 0 else { throw SystemError("gethostname") }
    return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
