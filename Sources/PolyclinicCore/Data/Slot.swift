/// A place where drafts are stored sealed: what was sealed for one place, person and row opens nowhere else.
public struct Slot<Draft: Resealable>: Sendable {
  // What opens a record is compiled together with the module that has it.
  @usableFromInline let name: StaticString
  @usableFromInline let form: Form<Draft>

  /// `name` is the table's and the column's, and never changes.
  public init(_ name: StaticString, _ form: Form<Draft>) {
    self.name = name
    self.form = form
  }

  /// Seals the draft for this place, the person whose keys these are, and the row, which has its id
  /// by then.
  public func seal<Record>(_ draft: Draft, row: ID<Record>, by keys: Keys) throws -> Sealed {
    try keys.seal(form.encoded(draft), as: name, row: row.rawValue)
  }

  /// The draft that was sealed; throws ``UnsealingError`` for one of another place, person or row.
  @inlinable
  public func open<Record>(_ sealed: Sealed, row: ID<Record>, by keys: Keys) throws -> Draft {
    try form.decoded(keys.open(sealed, as: name, row: row.rawValue))
  }
}
