extension PersonalData {
  /// The records that a clinic must keep by law for some years after it has erased a person.
  ///
  /// The module's tables for them refer to no person and hold no typed text. An administrator sets
  /// the years as `retention.ID_years`; without that setting the module keeps nothing.
  public struct Retention: Sendable {
    /// Copies the person's records that must be kept, without the person.
    ///
    /// Runs in the transaction of the erasure, before it deletes the person's rows, also while the
    /// module is disabled. A restore of an older backup repeats the erasure and runs it again.
    public typealias Keep = @Sendable (ID<Person>, Period, Work) throws -> Void

    /// Deletes the copies with an ended period. Runs every hour, also while the module is disabled.
    public typealias Purge = @Sendable (Work) throws -> Void

    /// The sentence about the kept records, with the number of years as its count.
    public let kept: Text
    /// Copies the records at an erasure.
    public let keep: Keep
    /// Deletes the copies after their period.
    public let purge: Purge

    /// Creates a retention. The delete page and the administrator's page both show `kept`, a plural
    /// of the years, so that it must suit the person and others.
    public init(_ kept: Text, keep: @escaping Keep, purge: @escaping Purge) {
      self.kept = kept
      self.keep = keep
      self.purge = purge
    }
  }
}

extension PersonalData.Retention {
  /// The time for which records are kept, as it is set when a person is erased.
  public struct Period: Sendable, Hashable {
    /// The time of the erasure, or of the backup while a restore repeats the erasure: later
    /// appointments are not known to have taken place.
    public let now: Instant
    /// The number of years, 1 or more.
    public let years: Int

    /// The period that counts from the day of each record.
    public init(at now: Instant, years: Int) {
      self.now = now
      self.years = years
    }

    /// Returns the end of the same day ``years`` later, in UTC; 28 February replaces a missing 29
    /// February.
    public func end(of record: Instant) -> Instant {
      let day = CalendarDate(daysSince1970: Int(record.seconds.floorDivided(by: 86_400).quotient))
      guard let last = day.monthDay.date(in: day.year + years) else { return Instant(.max) }
      return Instant(Int64(last.daysSince1970 + 1) * 86_400)
    }
  }
}
