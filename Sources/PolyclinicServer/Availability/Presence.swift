import Logging
import PolyclinicCore

/// Records when the portal is available, as the supervisor sees it.
struct Presence {
  enum State {
    /// Visitors are answered.
    case there
    /// The portal has become unavailable at this moment.
    case away
    /// Visitors are not answered, perhaps ever since the last moment at which they were.
    case unanswered
  }

  /// A moment on two clocks: one that can be set, and one that only passes, also while the machine sleeps.
  struct Moment {
    var wall: Instant
    var elapsed: Duration
  }

  private let file: AvailabilityFile
  private let log: Logger
  private(set) var record: Availability?
  private var last: Moment?
  private var isFailing = false

  /// Reads what was recorded before; what cannot be read is set aside, and begun anew.
  init(_ file: AvailabilityFile, log: Logger) {
    self.file = file
    self.log = log
    do {
      record = try file.read()
    } catch {
      log.error("the record of availability is unreadable", metadata: ["reason": "\(error)"])
      Self.setAside(file, log)
    }
  }

  private static func setAside(_ file: AvailabilityFile, _ log: Logger) {
    do throws(SystemError) {
      let aside = try file.setAside()
      log.error("it was set aside", metadata: ["file": "\(aside)"])
    } catch {
      log.error("it cannot be set aside", metadata: ["reason": "\(error)"])
    }
  }

  /// To be told at each change, and every few seconds.
  mutating func note(_ state: State, at now: Moment) {
    do throws(SystemError) {
      switch state {
      case .there: try stay(at: now)
      case .away: try leave(at: now, availableUntil: now)
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
    guard passed >= Availability.interval else { return }
    let wasSet = adjust(to: now, since: last)
    // The supervisor stood still itself, and everything else with it: the machine slept.
    if passed.count > 6 * Availability.interval.count { return try begin(at: now) }
    self.last = now
    record?.extend(to: now.wall)
    guard let record else { return }
    try wasSet ? file.write(record) : file.extend(record)
  }

  private mutating func begin(at now: Moment) throws(SystemError) {
    var record = record ?? Availability(since: now.wall)
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
    if let record { try file.write(record) }
  }

  /// Moves what is recorded along when somebody has set the clock; whether somebody has.
  private mutating func adjust(to now: Moment, since last: Moment) -> Bool {
    let passed = Seconds((now.elapsed - last.elapsed).components.seconds)
    let drift = Seconds((now.wall - last.wall).count - passed.count)
    // Both clocks are read in whole seconds, and clocks that are steered differ a little.
    guard abs(drift.count) > 3 else { return false }
    record?.shift(by: drift)
    return true
  }
}
