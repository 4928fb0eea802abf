import Glibc

/// How much a process may take for its data. One that goes beyond it is ended and replaced, before
/// the machine is out of memory and others have to go.
struct MemoryBound {
  let bytes: Int

  /// Holds for this process from now on; files that are read as memory do not count.
  func impose() throws(SystemError) {
    let kind = __rlimit_resource_t(RLIMIT_DATA.rawValue)
    var bound = rlimit()
    guard getrlimit(kind, &bound) == 0 else { throw SystemError("getrlimit") }
    // Whoever started us may have bound us more tightly.
    bound.rlim_cur = min(rlim_t(bytes), bound.rlim_max)
    guard setrlimit(kind, &bound) == 0 else { throw SystemError("setrlimit") }
  }
}
