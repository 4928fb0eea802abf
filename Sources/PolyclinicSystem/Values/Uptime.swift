import Glibc
import PolyclinicCore

/// The time since the machine started. No user can set this clock.
package enum Uptime {
  package static var milliseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }

  /// Includes the time during which the machine was suspended.
  package static var withSleepMilliseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }

  /// The random id of this boot, at which the time began; empty if the kernel gives none.
  package static let boot: String = {
    do throws(SystemError) {
      let id = try OpenFile("/proc/sys/kernel/random/boot_id", O_RDONLY).read(atMost: 64)
      return String(decoding: id.filter { $0 > 0x20 }, as: UTF8.self)
    } catch { return "" }
  }()

  package static var nanoseconds: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}

extension Instant {
  /// The time of the machine's clock.
  package static var current: Instant { Instant(Int64(time(nil))) }
}
