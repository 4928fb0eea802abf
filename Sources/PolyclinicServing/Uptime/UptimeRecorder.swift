import Logging
import PolyclinicCore
import PolyclinicSystem

/// Records the portal's uptime, as the supervisor measures it.
package struct UptimeRecorder {
  package enum State {
    /// Requests are answered.
    case available
    /// The portal becomes unavailable at this moment.
    case unavailable
    /// Requests are not answered, possibly since the last recorded answer.
    case unanswered
  }

  /// A time on two clocks: the wall clock, which can be set, and one that only advances, even
  /// during suspend.
  package struct Moment {
    var wall: Instant
    var elapsed: Duration
    /// The id of the machine's boot, at which `elapsed` began; empty if it is unknown.
    var boot = ""

    var clock: UptimeHistory.Clock {
      UptimeHistory.Clock(lead: wall.seconds - elapsed.components.seconds, boot: boot)
    }
  }

  private let file: UptimeFile
  private let log: Logger
  package private(set) var record: UptimeHistory?
  private var last: Moment?
  private var isFailing = false

  /// Reads the existing record. Renames an unreadable file and starts a new record.
  package init(_ file: UptimeFile, log: Logger) {
    self.file = file
    self.log = log
    do {
      record = try file.read()
    } catch {
      log.error("the record of availability is unreadable", metadata: ["reason": "\(error)"])
      Self.setAside(file, log)
    }
  }

  private static func setAside(_ file: UptimeFile, _ log: Logger) {
    do throws(SystemError) {
      let aside = try file.setAside()
      log.error("it was set aside", metadata: ["file": "\(aside)"])
    } catch {
      log.error("it cannot be set aside", metadata: ["reason": "\(error)"])
    }
  }

  /// Records a state. Call it at each change and every few seconds.
  package mutating func note(_ state: State, at now: Moment) {
    do throws(SystemError) {
      switch state {
      case .available: try stay(at: now)
      case .unavailable: try leave(at: now, availableUntil: now)
      case .unanswered: try leave(at: now, availableUntil: nil)
      }
      isFailing = false
    } catch {
      // Logged once until it succeeds again, so that the log does not fill the disk.
      if !isFailing {
        log.warning("availability is not recorded", metadata: ["reason": "\(error)"])
      }
      isFailing = true
    }
  }

  private mutating func stay(at now: Moment) throws(SystemError) {
    guard let last else { return try begin(at: now) }
    let passed = Seconds((now.elapsed - last.elapsed).components.seconds)
    guard passed >= UptimeHistory.interval else { return }
    let wasSet = adjust(to: now, since: last)
    // The supervisor itself was paused, like everything else: the machine was suspended.
    if passed.count > 6 * UptimeHistory.interval.count { return try begin(at: now) }
    self.last = now
    record?.extend(to: now.wall)
    guard let record else { return }
    try wasSet ? file.write(record) : file.extend(record)
  }

  private mutating func begin(at now: Moment) throws(SystemError) {
    followClock(to: now)
    var record = record ?? UptimeHistory(since: now.wall)
    record.clock = now.clock
    record.begin(at: now.wall)
    self.record = record
    last = now
    try file.write(record)
  }

  private mutating func leave(at now: Moment, availableUntil end: Moment?) throws(SystemError) {
    guard let last else { return }
    _ = adjust(to: now, since: last)
    if let end { record?.extend(to: end.wall) }
    self.last = nil
    record?.clock = now.clock
    if let record { try file.write(record) }
  }

  /// Moves the record if the wall clock was set since its last write, in the same boot.
  private mutating func followClock(to now: Moment) {
    guard let clock = record?.clock, !clock.boot.isEmpty, clock.boot == now.boot else { return }
    _ = adjust(to: now, since: Moment(wall: Instant(clock.lead), elapsed: .zero))
  }

  /// Moves the record if the wall clock was set; returns true if it was.
  private mutating func adjust(to now: Moment, since last: Moment) -> Bool {
    let passed = Seconds((now.elapsed - last.elapsed).components.seconds)
    let drift = Seconds((now.wall - last.wall).count - passed.count)
    // Both clocks are read in whole seconds, and adjusted clocks differ slightly.
    guard abs(drift.count) > 3 else { return false }
    record?.shift(by: drift)
    record?.clock = now.clock
    return true
  }
}
