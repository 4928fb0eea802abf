/// A file that a person has sent but not imported yet. It is sealed for the person and deleted
/// after an hour.
package struct Upload: Sendable {
  /// The answers in the form besides the file, as they were typed.
  package var options: Fields
  /// The file.
  package let content: [UInt8]
  /// The authentication tag of the stored upload, which differs each time that it is sealed; empty
  /// before.
  private var tag: [UInt8] = []

  /// Creates an upload from a file and the answers about it.
  package init(_ content: [UInt8], options: Fields) {
    self.content = content
    self.options = options
  }

  package static let schema: [SQL] = [
    """
    CREATE TABLE uploads (
      id_upload \(.identity), person \(.person), page TEXT NOT NULL,
      arrived_at \(.integer) NOT NULL, sealed \(.bytes)
    ) \(.strict)
    """,
    "CREATE INDEX uploads_person ON uploads (person)",
    "CREATE INDEX uploads_arrived_at ON uploads (arrived_at)",
  ]

  /// The time that the person has to check the content of a file.
  package static let keptFor = Seconds.hours(1)
}

extension Upload {
  private static let sealedColumn: StaticString = "uploads"

  /// Stores the upload, in place of one that the person sent to the same page before.
  package func insert(
    for page: Path, in work: Work
  ) throws -> ID<Upload> {
    let page = page.description
    try work.run("DELETE FROM uploads WHERE person = \(work.keys.person) AND page = \(page)")
    let id: ID<Upload> = try work.insert(
      """
      INSERT INTO uploads (person, page, arrived_at) VALUES (\(work.keys.person), \(page), \(work.now))
      """)
    try replace(id, in: work)
    return id
  }

  /// Stores the upload again with changed options.
  package func replace(_ id: ID<Upload>, in work: Work) throws {
    let sealed = try work.keys.seal(encoded, as: Self.sealedColumn, row: id.rawValue)
    try work.run("UPDATE uploads SET sealed = \(sealed) WHERE id_upload = \(id)")
  }

  /// Returns the upload with this number; nil if another person sent it, if it was sent to another
  /// page, or if it has expired.
  package static func find(
    _ id: ID<Upload>, for page: Path, in work: Work
  ) throws -> Upload? {
    try work.row(
      """
      SELECT sealed FROM uploads
      WHERE id_upload = \(id) AND person = \(work.keys.person) AND page = \(page.description)
        AND arrived_at > \(work.now - keptFor)
      """
    ) { row in
      let sealed = row.sealed(0)
      var upload = try Upload(encoded: work.keys.open(sealed, as: sealedColumn, row: id.rawValue))
      upload.tag = sealed.tag
      return upload
    }
  }

  /// Returns true if the upload that ``find(_:for:in:)`` returned is still stored, with the
  /// same options.
  package func isKept(as id: ID<Upload>, of person: ID<Person>, on connection: Connection) throws
    -> Bool
  {
    let stored = try connection.row(
      "SELECT sealed FROM uploads WHERE id_upload = \(id) AND person = \(person)"
    ) { $0.sealed(0).tag }
    return stored == tag
  }

  package static func delete(_ id: ID<Upload>, of person: ID<Person>, on connection: Connection)
    throws
  {
    try connection.run("DELETE FROM uploads WHERE id_upload = \(id) AND person = \(person)")
  }

  /// Deletes expired uploads.
  package static func purge(at now: Instant, on connection: Connection) throws {
    try connection.run("DELETE FROM uploads WHERE arrived_at <= \(now - keptFor)")
  }

  private var encoded: [UInt8] {
    var bytes = ByteWriter()
    bytes.write(count: options.pairs.count)
    for pair in options.pairs {
      bytes.write(pair.name)
      bytes.write(pair.value)
    }
    bytes.write(content)
    return bytes.bytes
  }

  private init(encoded: [UInt8]) throws {
    var reader = ByteReader(encoded)
    var options = Fields()
    for _ in 0..<(try reader.count()) { options.append(try reader.string(), try reader.string()) }
    self.init(Array(try reader.bytes()), options: options)
  }
}

extension Sealed {
  /// The authentication tag (AES-GCM), of 16 bytes.
  fileprivate var tag: [UInt8] { bytes.suffix(16) }
}
