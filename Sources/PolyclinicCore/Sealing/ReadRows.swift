/// The sealed rows that a ``Work`` has read of indexes and of single values, so that a page whose
/// parts show the same data reads it once. A transaction that stores a row forgets it here.
final class ReadRows {
  /// A row of a person: a chunk of an index, or the only row of a single value, which has number 0.
  struct Key: Hashable {
    /// The address of the table's name, which is the same for each use of the table.
    private let table: UnsafePointer<UInt8>
    private let person: ID<Person>
    private let number: Int64

    init(_ table: StaticString, of person: ID<Person>, _ number: Int64 = 0) {
      self.table = table.utf8Start
      self.person = person
      self.number = number
    }
  }

  /// False for work whose reads may come from several snapshots, such as those before a change.
  var isKeeping = true
  private var read: [Key: Sealed?] = [:]

  /// The row; nil inside if the table has none, and nil if it is unknown.
  subscript(key: Key) -> Sealed?? {
    get { read[key] }
    set { if isKeeping { read[key] = newValue } }
  }

  func forget(_ key: Key) { read[key] = .none }

  func forgetAll() { read = [:] }
}
