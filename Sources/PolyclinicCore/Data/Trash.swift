/// A module's share in "Recently deleted": what was deleted can be taken back for thirty days.
public struct Trash: Sendable {
  /// Something deleted.
  public struct Item: Sendable {
    /// The record's number in its table.
    public let id: Int64
    /// What the person called it.
    public let title: String
    /// What it is called in the reader's language, in the module's words; nil where the title says it.
    public let words: Text?
    /// When it was deleted; it is purged ``Trash/keptFor`` later.
    public let deletedAt: Instant

    /// One row of the person's list.
    public init(id: Int64, title: String, words: Text? = nil, deletedAt: Instant) {
      self.id = id
      self.title = title
      self.words = words
      self.deletedAt = deletedAt
    }
  }

  /// How long the deleted can be taken back.
  public static let keptFor = Seconds.days(30)

  /// What tells these records from others of the same module; empty where there are no others.
  public let kind: String
  /// What the person has deleted, the latest first.
  public let list: @Sendable (Keys, Connection) throws -> [Item]
  /// Takes one back and says where it stands; throws ``Refusal/notFound`` when it is not there.
  public let restore: @Sendable (Int64, Keys, Connection) throws -> Path
  /// Removes one for good; throws ``Refusal/notFound`` when it is not there.
  public let purge: @Sendable (Int64, Keys, Connection) throws -> Void
  /// Removes for good what anybody deleted before that moment.
  public let purgeAll: @Sendable (_ before: Instant, Connection) throws -> Void

  private var others: [Trash] = []

  /// The trash of each kind of record that the module has.
  package var kinds: [Trash] {
    var first = self
    first.others = []
    return [first] + others
  }

  /// The trash of a module with several kinds of records, each listed and taken back by itself.
  public static func + (one: Trash, other: Trash) -> Trash {
    var both = one
    both.others += other.kinds
    return both
  }

  /// All but `purgeAll` get a person's keys, and see to it that the record is that person's. `kind` never
  /// changes.
  public init(
    kind: String = "",
    list: @escaping @Sendable (Keys, Connection) throws -> [Item],
    restore: @escaping @Sendable (Int64, Keys, Connection) throws -> Path,
    purge: @escaping @Sendable (Int64, Keys, Connection) throws -> Void,
    purgeAll: @escaping @Sendable (_ before: Instant, Connection) throws -> Void
  ) {
    self.kind = kind
    self.list = list
    self.restore = restore
    self.purge = purge
    self.purgeAll = purgeAll
  }
}
