import Glibc

/// The connections and file descriptors of each nginx worker process.
///
/// nginx cannot limit the idle connections of one address, so it needs room for thousands of slow
/// ones. A connection takes about 400 bytes at the start of nginx.
struct NginxCapacity: Equatable {
  let descriptors: Int

  /// Room for about 16 000 clients.
  static let wanted = NginxCapacity(descriptors: 32_768)

  /// A request that is passed on takes two descriptors and two connections. Half of the descriptors
  /// are spare, for files.
  var connections: Int { descriptors / 2 }

  /// The capacity within the hard limit, which not even root may exceed in many containers.
  static var possible: NginxCapacity {
    var bound = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &bound) == 0 else { return wanted }
    return wanted.within(bound.rlim_max)
  }

  /// This capacity, or as much of it as a hard limit allows.
  func within(_ limit: rlim_t) -> NginxCapacity {
    NginxCapacity(descriptors: Int(min(rlim_t(descriptors), limit)))
  }
}
