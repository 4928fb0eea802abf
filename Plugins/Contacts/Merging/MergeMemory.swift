import PolyclinicCore

/// The stored state of a person's search for duplicates.
struct MergeMemory {
  /// The pairs that the owner has marked as different contacts.
  var dismissed: Set<ContactPair> = []
  /// The cached result of the last duplicate search in a large address book.
  var finding = Finding.none

  /// The result of a duplicate search.
  enum Finding: UInt8 {
    case none = 0
    case some = 1
    /// An import or a merge has changed the address book since.
    case outdated = 2
  }

  private static let sealedColumn: StaticString = "contacts_merging.sealed"
  private static let version: UInt8 = 1
  /// The largest address book that is searched anew each time its list is shown.
  private static let smallBook = 300

  static let schema: [SQL] = [
    """
    CREATE TABLE contacts_merging (person \(.person), sealed \(.bytes) NOT NULL, PRIMARY KEY (person))
    \(.strict)
    """,
    ContactMerge.schema,
  ]

  /// Returns the stored state of this person, or an empty one.
  static func find(in work: Work) throws -> MergeMemory {
    let row = try work.keys.person.rawValue
    let bytes = try work.row(
      "SELECT sealed FROM contacts_merging WHERE person = \(work.keys.person)"
    ) { try work.keys.open($0.sealed(0), as: sealedColumn, row: row) }
    return try bytes.map(MergeMemory.init) ?? MergeMemory()
  }

  /// Stores this state in place of the previous one.
  func store(in work: Work) throws {
    let sealed = try work.keys.seal(bytes, as: Self.sealedColumn, row: work.keys.person.rawValue)
    try work.run(
      """
      INSERT INTO contacts_merging (person, sealed) VALUES (\(work.keys.person), \(sealed))
      ON CONFLICT (person) DO UPDATE SET sealed = excluded.sealed
      """)
  }

  /// Searches for likely duplicates, so that the list of `count` contacts can offer to merge them.
  /// For a large address book, uses the stored result until an import or a merge has outdated it.
  static func offer(of count: Int, in work: Work) throws -> Look {
    let memory = try find(in: work)
    let isKnown = count > smallBook && memory.finding != .outdated
    let hasLikely =
      isKnown
      ? memory.finding == .some
      : try !LikelyDuplicates(in: work, except: memory.dismissed, limit: 1).pairs.isEmpty
    return try Look(hasLikely: hasLikely, isNews: count > smallBook && !isKnown, in: work)
  }

  /// Marks these pairs as different contacts, and the stored result as outdated.
  static func dismiss(_ pairs: [ContactPair], in work: Work) throws {
    var memory = try find(in: work)
    memory.dismissed.formUnion(pairs)
    memory.finding = .outdated
    try memory.store(in: work)
  }

  /// Marks the stored result as outdated. The transaction that changed the address book does not
  /// search itself, because other writers wait for its end.
  static func outdate(in work: Work) throws {
    var memory = try find(in: work)
    if memory.finding == .outdated { return }
    memory.finding = .outdated
    try memory.store(in: work)
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
  /// The result of a search for duplicates, made outside of any write transaction.
  struct Look {
    /// True if likely duplicates were found.
    let hasLikely: Bool
    /// True if the stored result is outdated or different.
    let isNews: Bool
    private let version: [UInt8]

    init(hasLikely: Bool, isNews: Bool, in work: Work) throws {
      self.hasLikely = hasLikely
      self.isNews = isNews
      version = try Contact.index.version(in: work)
    }

    /// Stores the result if it is new. Skips this if another transaction is writing or the address
    /// book has changed since, because the next search finds the same.
    func remember(_ context: Context) throws {
      guard isNews else { return }
      try context.writeIfFree { try remember(in: $0) }
    }

    func remember(in work: Work) throws {
      guard try Contact.index.version(in: work) == version else { return }
      var memory = try MergeMemory.find(in: work)
      memory.finding = hasLikely ? .some : .none
      try memory.store(in: work)
    }
  }
}
