import Glibc
import PolyclinicCore
import PolyclinicSystem
import Synchronization

/// Repeats the health probe in its own thread, so that a portal that hangs cannot block the
/// supervisor.
final class HealthWatch: Sendable {
  /// The outcome of the latest probe.
  struct Observation: Sendable {
    let number: Int
    let isAnswered: Bool
    /// The time at which the answer came, or the timeout ended.
    let moment: UptimeRecorder.Moment
  }

  private let observation = Mutex<Observation?>(nil)

  var latest: Observation? { observation.withLock { $0 } }

  /// Starts the thread, which runs until the process ends. Throws ``SystemError`` if it cannot.
  init(_ probe: HealthProbe) throws(SystemError) {
    _ = try SystemThread { [self] in
      var number = 0
      while true {
        number += 1
        let isAnswered = probe.isAnswered()
        let seen = Observation(number: number, isAnswered: isAnswered, moment: .current)
        observation.withLock { $0 = seen }
        // Probes every second during an outage, so that its end is known to the second.
        let pause = isAnswered ? Int32(UptimeHistory.interval.count) * 1_000 : 1_000
        poll(nil, 0, pause)
      }
    }
  }
}

extension UptimeRecorder.Moment {
  static var current: UptimeRecorder.Moment {
    UptimeRecorder.Moment(
      wall: .current, elapsed: .milliseconds(Uptime.withSleepMilliseconds), boot: Uptime.boot)
  }
}
