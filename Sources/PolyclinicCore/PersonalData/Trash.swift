/// A module's part of "Recently deleted". Deleted records can be restored for thirty days.
public struct Trash: Sendable {
  /// A deleted record.
  public struct Item: Sendable {
    /// The record's number in its table.
    public let id: Int64
    /// The person's name for the record.
    public let title: String
    /// The record's name in the reader's language, from the module's texts; nil if the title is
    /// enough.
    public var words: Text?
    /// The time of the deletion. The record is purged ``Trash/keptFor`` later.
    public let deletedAt: Instant

    /// Creates one row of the person's list.
    public init(id: Int64, title: String, deletedAt: Instant) {
      self.id = id
      self.title = title
      self.deletedAt = deletedAt
    }
  }

  /// The time for which deleted records can be restored.
  public static let keptFor = Seconds.days(30)

  /// The table's name, which identifies the kind of these records.
  public let kind: String
  /// Returns the person's deleted records, the latest first.
  public let list: @Sendable (Work) throws -> [Item]
  /// Restores a record and returns its path. Throws ``Refusal/notFound`` if it is not there.
  public let restore: @Sendable (Int64, Work) throws -> Path
  /// Deletes a record permanently. Throws ``Refusal/notFound`` if it is not there.
  public let purge: @Sendable (Int64, Work) throws -> Void
  /// Permanently deletes all people's records that were deleted before that moment.
  public let purgeAll: @Sendable (_ before: Instant, Work) throws -> Void

  /// The notice after a record was restored, in the module's catalog.
  public var restored: Text = "delete.restored"

  private var others: [Trash] = []

  /// The trash of each kind of record that the module has.
  package var kinds: [Trash] {
    var first = self
    first.others = []
    return [first] + others
  }

  /// Combines the trash of several kinds of records, each listed and restored separately.
  public static func + (one: Trash, other: Trash) -> Trash {
    var both = one
    both.others += other.kinds
    return both
  }

  /// Creates the trash of one kind of records. All functions but `purgeAll` get a person's keys,
  /// and must check that the record is that person's. `kind` must never change.
  public init(
    kind: String = "",
    list: @escaping @Sendable (Work) throws -> [Item],
    restore: @escaping @Sendable (Int64, Work) throws -> Path,
    purge: @escaping @Sendable (Int64, Work) throws -> Void,
    purgeAll: @escaping @Sendable (_ before: Instant, Work) throws -> Void
  ) {
    self.kind = kind
    self.list = list
    self.restore = restore
    self.purge = purge
    self.purgeAll = purgeAll
  }
}
