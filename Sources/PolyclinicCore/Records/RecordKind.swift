/// One kind of records that a module keeps, with everything that the portal does for records of any
/// kind. A module lists its kinds in ``Module/records``.
public struct RecordKind: Sendable {
  /// The index of the records, which `polyclinic check` verifies and can rebuild.
  public let index: RebuildableIndex
  /// The deleted records in "Recently deleted".
  public let trash: Trash
  /// The return of one person's records from a backup.
  public let recovery: Recovery

  /// Creates a kind of records from its three parts.
  public init(index: RebuildableIndex, trash: Trash, recovery: Recovery) {
    self.index = index
    self.trash = trash
    self.recovery = recovery
  }
}

extension Records {
  /// Returns these records as one of the module's kinds.
  ///
  /// - `name` is the English name of the records for administrators, such as `blood pressure
  ///   readings`.
  /// - `path` is the page of a record, to which a restored one leads; `{id}` is its number.
  /// - `fields` and `parts` are those of ``recovery(_:ignoring:parts:)``.
  public func kind(
    _ name: StaticString, at path: Path, ignoring fields: Set<String> = [],
    parts: [Recovery.Part<Record>] = []
  ) -> RecordKind {
    RecordKind(
      index: rebuildableIndex(as: name), trash: trash(leadingTo: path),
      recovery: recovery(name, ignoring: fields, parts: parts))
  }
}
