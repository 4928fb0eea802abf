import Glibc
import PolyclinicCore
import Synchronization

/// Repeats the probe in a thread of its own, so that a portal that hangs does not hang the supervisor.
final class HealthWatch: Sendable {
  /// The outcome of the latest probe.
  struct Sighting: Sendable {
    let number: Int
    let isAnswered: Bool
    /// The moment when the answer came, or when waiting for it ended.
    let moment: Presence.Moment
  }

  private let sighting = Mutex<Sighting?>(nil)

  var latest: Sighting? { sighting.withLock { $0 } }

  /// Starts the thread, which ends with the process. Throws ``SystemError``.
  init(_ probe: HealthProbe) throws(SystemError) {
    _ = try SystemThread { [self] in
      var number = 0
      while true {
        number += 1
        let isAnswered = probe.isAnswered()
        let seen = Sighting(number: number, isAnswered: isAnswered, moment: .current)
        sighting.withLock { $0 = seen }
        // Probes more often during an outage, so that its end is known to the second.
        let pause = isAnswered ? Int32(Availability.interval.count) * 1_000 : 1_000
        poll(nil, 0, pause)
      }
    }
  }
}

extension Presence.Moment {
  static var current: Presence.Moment {
    Presence.Moment(wall: .current, elapsed: .milliseconds(Uptime.withSleepMilliseconds))
  }
}
