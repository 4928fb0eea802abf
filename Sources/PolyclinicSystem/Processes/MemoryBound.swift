import Glibc

/// The limit for a process's data (`RLIMIT_DATA`). A process that exceeds it ends and is replaced,
/// before the machine runs out of memory and the kernel kills others.
package struct MemoryBound {
  package let bytes: Int

  package init(bytes: Int) {
    self.bytes = bytes
  }

  /// Limits this process from now on. Files mapped for reading do not count.
  package func impose() throws(SystemError) {
    let kind = __rlimit_resource_t(RLIMIT_DATA.rawValue)
    var bound = rlimit()
    guard getrlimit(kind, &bound) == 0 else { throw SystemError("getrlimit") }
    // The parent process may have set a lower limit.
    bound.rlim_cur = min(rlim_t(bytes), bound.rlim_max)
    guard setrlimit(kind, &bound) == 0 else { throw SystemError("setrlimit") }
  }
}
