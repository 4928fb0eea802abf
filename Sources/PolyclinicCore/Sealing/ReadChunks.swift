/// The sealed chunks of indexes that a ``Work`` has read, so that a page whose parts list the same
/// records reads them once. A transaction that stores a chunk forgets it here.
final class ReadChunks {
  /// A chunk of a person's index.
  struct Key: Hashable {
    /// The address of the index's name, which is the same for each use of an index.
    private let index: UnsafePointer<UInt8>
    private let person: ID<Person>
    private let number: Int64

    init(_ index: StaticString, of person: ID<Person>, _ number: Int64) {
      self.index = index.utf8Start
      self.person = person
      self.number = number
    }
  }

  /// False for work whose reads may come from several snapshots, such as those before a change.
  var isKeeping = true
  private var read: [Key: Sealed] = [:]

  subscript(key: Key) -> Sealed? {
    get { read[key] }
    set { if isKeeping { read[key] = newValue } }
  }

  func forgetAll() { read = [:] }
}
