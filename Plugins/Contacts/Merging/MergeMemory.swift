import PolyclinicCore

/// What is remembered of somebody's likely duplicates.
struct MergeMemory {
  /// Pairs that their owner has said are two contacts.
  var dismissed: Set<ContactPair> = []
  /// Whether there were likely duplicates when a large address book was last looked through.
  var hasLikely = false

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

  /// Whether a list of so many contacts is to offer merging. A large address book is not looked through
  /// for that: what an import or the page of duplicates has found holds for it.
  static func isOffered(
    of count: Int, by keys: Keys, on connection: Connection
  ) throws -> Bool {
    let memory = try find(by: keys, on: connection)
    guard count <= smallBook else { return memory.hasLikely }
    let likely = try LikelyDuplicates(by: keys, on: connection, except: memory.dismissed)
    return !likely.all.isEmpty
  }

  /// Looks through the whole address book and remembers whether there are any.
  @discardableResult
  static func refresh(by keys: Keys, on connection: Connection) throws -> LikelyDuplicates {
    var memory = try find(by: keys, on: connection)
    let likely = try LikelyDuplicates(by: keys, on: connection, except: memory.dismissed)
    if memory.hasLikely == likely.all.isEmpty {
      memory.hasLikely.toggle()
      try memory.store(by: keys, on: connection)
    }
    return likely
  }

  private init() {}

  private init(_ bytes: [UInt8]) throws {
    var reader = ByteReader(bytes)
    guard try reader.byte() == Self.version else { throw DecodingFailure() }
    hasLikely = try reader.byte() != 0
    while !reader.isAtEnd {
      if let pair = ContactPair(try reader.id(), try reader.id()) { dismissed.insert(pair) }
    }
  }

  private var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.write(Self.version)
    writer.write(UInt8(hasLikely ? 1 : 0))
    for pair in dismissed {
      writer.write(pair.one)
      writer.write(pair.other)
    }
    return writer.bytes
  }
}
