/// One kind of records that `polyclinic restore --person` brings back from a backup, beside what there is
/// now.
///
/// Nothing of now is changed or removed, since somebody who asks for what was lost has gone on working:
/// - A record that is there with the same content stays as it is, and comes back no second time, under
///   whatever number it is there.
/// - One that was deleted since comes back under its number, from "Recently deleted" or from the backup.
/// - One that was changed since stays as it is now; as it was in the backup it comes back beside it, under a
///   new number. So it is with one that was changed and then deleted.
/// - One that was deleted already when the backup was made does not come back.
///
/// For what stands in ``Records``, see ``Records/recovery(_:ignoring:parts:)``.
public struct Recovery: Sendable {
  /// The database of a backup, or that of now, with the keys of the same person.
  public struct Side {
    /// The person's keys there.
    public let keys: Keys
    /// A transaction there.
    public let connection: Connection

    /// One of two sides.
    public init(keys: Keys, connection: Connection) {
      self.keys = keys
      self.connection = connection
    }
  }

  /// The difference between counting and bringing back.
  public enum Manner: Sendable {
    /// Changes nothing.
    case count
    /// Stores what comes back, in the transaction of now.
    case store
  }

  /// The numbers of records in a backup, by what becomes of them.
  public struct Count: Sendable, Equatable {
    /// They are there now with the same content.
    public var same = 0
    /// They were deleted since, and come back.
    public var deleted = 0
    /// They were changed since, and come back as they were, beside what they are now.
    public var changed = 0
    /// They do not open: damaged before the backup was made.
    public var unreadable = 0

    /// No records.
    public init() {}

    /// The number of those that come back.
    public var returning: Int { deleted + changed }
  }

  /// Compares the backup's records with those of now, and stores those that come back.
  public typealias Run = @Sendable (_ backup: Side, _ now: Side, Manner) throws -> Count

  /// The name of the records at a terminal, in English: `blood pressure readings`.
  public let name: String
  package let run: Run

  /// Records that only the module itself can compare.
  public init(_ name: StaticString, run: @escaping Run) {
    self.name = name.description
    self.run = run
  }
}

/// Something that stands beside a record in a table of its own, and is neither read nor written with it.
public struct RecordPart<Record>: Sendable {
  let content: @Sendable (ID<Record>, Keys, Connection) throws -> [UInt8]
  let copy:
    @Sendable (
      _ id: ID<Record>, _ source: Recovery.Side, _ copy: ID<Record>, _ target: Recovery.Side
    ) throws -> Void

  /// `content` differs where two records differ in the part; `copy` stores one record's part for another,
  /// which has none.
  public init(
    content: @escaping @Sendable (ID<Record>, Keys, Connection) throws -> [UInt8],
    copy:
      @escaping @Sendable (
        _ id: ID<Record>, _ source: Recovery.Side, _ copy: ID<Record>, _ target: Recovery.Side
      ) throws -> Void
  ) {
    self.content = content
    self.copy = copy
  }
}
