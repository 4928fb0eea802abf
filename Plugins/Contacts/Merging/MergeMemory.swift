import PolyclinicCore

/// What is remembered of somebody's likely duplicates.
struct MergeMemory {
  /// Pairs that their owner has said are two contacts.
  var dismissed: Set<ContactPair> = []
  /// The finding of the last look for likely duplicates in a large address book.
  var finding = Finding.none

  /// A result of looking for likely duplicates.
  enum Finding: UInt8 {
    case none = 0
    case some = 1
    /// An import or a merge has changed the address book since.
    case outdated = 2
  }

  private static let slot: StaticString = "contacts_merging.sealed"
  private static let version: UInt8 = 1
  /// Up to so many contacts are looked through each time that the list is shown.
  private static let smallBook = 300

  static let migration = Migration(
    "0003-merging",
    """
    CREATE TABLE contacts_merging (person \(.person), sealed \(.bytes) NOT NULL, PRIMARY KEY (person))
    \(.strict)
    """,
    ContactMerge.schema)

  /// What is remembered of this person's.
  static func find(by keys: Keys, on connection: Connection) throws -> MergeMemory {
    let row = keys.person.rawValue
    let bytes = try connection.row(
      "SELECT sealed FROM contacts_merging WHERE person = \(keys.person)"
    ) { try keys.open($0.sealed(0), as: slot, row: row) }
    return try bytes.map(MergeMemory.init) ?? MergeMemory()
  }

  /// Remembers this in place of what was remembered.
  func store(by keys: Keys, on connection: Connection) throws {
    let sealed = try keys.seal(bytes, as: Self.slot, row: keys.person.rawValue)
    try connection.run(
      """
      INSERT INTO contacts_merging (person, sealed) VALUES (\(keys.person), \(sealed))
      ON CONFLICT (person) DO UPDATE SET sealed = excluded.sealed
      """)
  }

  /// Returns the answer of a list of so many contacts to whether it offers merging. A large address book
  /// is looked through only once after an import or a merge.
  static func offer(of count: Int, by keys: Keys, on connection: Connection) throws -> Look {
    let memory = try find(by: keys, on: connection)
    let isKnown = count > smallBook && memory.finding != .outdated
    let hasLikely =
      isKnown
      ? memory.finding == .some
      : try !LikelyDuplicates(
        by: keys, on: connection, except: memory.dismissed, limit: 1
      ).pairs.isEmpty
    return try Look(
      hasLikely: hasLikely, isNews: count > smallBook && !isKnown, by: keys, on: connection)
  }

  /// Notes that likely duplicates have to be looked for again. The transaction that has changed the
  /// address book does not look itself, because everybody else who writes waits for its end.
  static func outdate(by keys: Keys, on connection: Connection) throws {
    var memory = try find(by: keys, on: connection)
    if memory.finding == .outdated { return }
    memory.finding = .outdated
    try memory.store(by: keys, on: connection)
  }

  private init() {}

  private init(_ bytes: [UInt8]) throws {
    var reader = ByteReader(bytes)
    guard try reader.byte() == Self.version else { throw DecodingFailure() }
    finding = Finding(rawValue: try reader.byte()) ?? .outdated
    while !reader.isAtEnd {
      if let pair = ContactPair(try reader.id(), try reader.id()) { dismissed.insert(pair) }
    }
  }

  private var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.write(Self.version)
    writer.write(finding.rawValue)
    for pair in dismissed {
      writer.write(pair.one)
      writer.write(pair.other)
    }
    return writer.bytes
  }
}

extension MergeMemory {
  /// A look through an address book, outside of any transaction that writes.
  struct Look {
    /// True if likely duplicates were found.
    let hasLikely: Bool
    /// True if the memory says something else.
    let isNews: Bool
    private let version: [UInt8]

    init(hasLikely: Bool, isNews: Bool, by keys: Keys, on connection: Connection) throws {
      self.hasLikely = hasLikely
      self.isNews = isNews
      version = try Contact.index.version(by: keys, on: connection)
    }

    /// Remembers the result if it is news, unless somebody writes at the moment or the address book has
    /// changed since: the next look finds it as well.
    func remember(_ context: Context) throws {
      guard isNews else { return }
      let keys = try context.keys
      try context.database.writeIfFree { try remember(by: keys, on: $0) }
    }

    func remember(by keys: Keys, on connection: Connection) throws {
      guard try Contact.index.version(by: keys, on: connection) == version else { return }
      var memory = try MergeMemory.find(by: keys, on: connection)
      memory.finding = hasLikely ? .some : .none
      try memory.store(by: keys, on: connection)
    }
  }
}
