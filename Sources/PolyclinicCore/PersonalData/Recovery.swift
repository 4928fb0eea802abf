/// One kind of records that `polyclinic restore --person` restores from a backup, beside the
/// current ones.
///
/// No current record is changed or removed, because the person has kept using the portal since the
/// loss:
/// - A record that exists with the same content, under any number, is not restored again.
/// - A record that was deleted since comes back under its number, from "Recently deleted" or from
///   the backup.
/// - A record that was changed since stays as it is. Its version in the backup comes back under a
///   new number. The same applies to a record that was changed and then deleted.
/// - A record that was already deleted when the backup was made is not restored.
///
/// For records in ``Records``, see ``Records/recovery(_:ignoring:parts:)``.
public struct Recovery: Sendable {
  /// The choice between counting and restoring.
  public enum Manner: Sendable {
    /// Counts, and changes nothing.
    case count
    /// Stores the restored records, in the transaction of the current database.
    case store
  }

  /// The numbers of records in a backup, by their outcome.
  public struct Count: Sendable, Equatable {
    /// The records that exist now with the same content.
    public var same = 0
    /// The records that were deleted since, and are restored.
    public var deleted = 0
    /// The records that were changed since. Their old version is restored beside the current one.
    public var changed = 0
    /// The records that cannot be opened, because they were damaged before the backup was made.
    public var unreadable = 0

    /// Creates a count of zero records.
    public init() {}

    /// The number of records that are restored.
    public var returning: Int { deleted + changed }
  }

  /// Compares the backup's records with the current ones, and stores those to be restored. Each of
  /// the two is a transaction with the keys of the same person.
  public typealias Run = @Sendable (_ backup: Work, _ current: Work, Manner) throws -> Count

  /// The English name of the records in the terminal, such as `blood pressure readings`.
  public let name: String
  package let run: Run

  /// Creates the recovery of records that only the module itself can compare.
  public init(_ name: StaticString, run: @escaping Run) {
    self.name = name.description
    self.run = run
  }
}

extension Recovery {
  /// Data of a record in a table of its own, which is not read or written together with the record.
  public struct Part<Record>: Sendable {
    let content: @Sendable (ID<Record>, Work) throws -> [UInt8]
    let copy:
      @Sendable (
        _ id: ID<Record>, _ source: Work, _ copy: ID<Record>, _ target: Work
      ) throws -> Void

    /// Creates a part. `content` returns different bytes if two records differ in the part. `copy`
    /// stores one record's part for another record, which has none.
    public init(
      content: @escaping @Sendable (ID<Record>, Work) throws -> [UInt8],
      copy:
        @escaping @Sendable (
          _ id: ID<Record>, _ source: Work, _ copy: ID<Record>, _ target: Work
        ) throws -> Void
    ) {
      self.content = content
      self.copy = copy
    }
  }
}
