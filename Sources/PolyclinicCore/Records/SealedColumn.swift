/// A column of sealed drafts. A draft that was sealed for one column, person and row opens nowhere
/// else.
public struct SealedColumn<Draft: Resealable>: Sendable {
  // Usable from inlinable functions, so that opening a record is compiled into the module that
  // stores it.
  @usableFromInline let name: Keys.ColumnName
  @usableFromInline let form: Form<Draft>

  /// Creates a column. `name` is that of the table and the column, such as `contacts.sealed`, and
  /// must never change.
  public init(_ name: StaticString, _ form: Form<Draft>) {
    self.name = Keys.ColumnName(name)
    self.form = form
  }

  /// Creates the column `sealed` of a table of records.
  init(of table: StaticString, _ form: Form<Draft>) {
    name = Keys.ColumnName(table, ".sealed")
    self.form = form
  }

  /// Seals the draft for this column, the person who owns the keys, and the row, which must already
  /// have its id.
  public func seal<Record>(_ draft: Draft, row: ID<Record>, by keys: Keys) throws -> Sealed {
    try keys.seal(form.encoded(draft), as: name, row: row.rawValue)
  }

  /// Opens a sealed draft. Throws `UnsealingError` if it was sealed for another column, person or
  /// row.
  @inlinable
  public func open<Record>(_ sealed: Sealed, row: ID<Record>, by keys: Keys) throws -> Draft {
    try form.decoded(keys.open(sealed, as: name, row: row.rawValue))
  }
}
