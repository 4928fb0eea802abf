import Glibc
import Synchronization

/// When one thread began the request it is at, for another thread to read.
final class Heartbeat: Sendable {
  private let busySince = Atomic<Int64>(idle)

  private static let idle: Int64 = -1

  /// Times are ``Uptime`` in milliseconds.
  func begin(at now: Int64) {
    busySince.store(now, ordering: .relaxed)
  }

  func end() {
    busySince.store(Self.idle, ordering: .relaxed)
  }

  var isBusy: Bool { busySince.load(ordering: .relaxed) != Self.idle }

  /// True when the request of this thread has lasted longer than the limit.
  func isOverdue(at now: Int64, limit: Duration) -> Bool {
    let since = busySince.load(ordering: .relaxed)
    return since != Self.idle && .milliseconds(now - since) > limit
  }
}

/// The time since the machine started, which no one can set.
enum Uptime {
  static var milliseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }

  /// Also of the time that the machine slept.
  static var withSleepMilliseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }

  static var nanoseconds: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
