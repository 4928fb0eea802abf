import PolyclinicCore

/// Files that belong to records, such as the pages of a document. Each file is sealed in pieces for
/// the person, and deleted with its record.
public struct Attachments<Record>: Sendable {
  private let name: StaticString
  private let table: SQL
  private let column: SQL
  private let records: SQL

  /// The maximum number of bytes in one row.
  private static var pieceLimit: Int { 256 << 10 }

  /// Creates the attachments in `table`. `records` is the table of the records, and `id` is its
  /// column of the number.
  public init(_ table: StaticString, of records: StaticString, id: StaticString) {
    name = table
    self.table = SQL(stringLiteral: table)
    self.records = SQL(stringLiteral: records)
    column = SQL(stringLiteral: id)
  }

  /// The migration statements that create the table. Like any migration's, their text must never
  /// change.
  public var schema: [SQL] {
    [
      """
      CREATE TABLE \(table) (
        id_piece \(.identity), person \(.person),
        \(column) \(.integer) NOT NULL REFERENCES \(records) (\(column)) ON DELETE CASCADE,
        name TEXT NOT NULL, piece \(.integer) NOT NULL, sealed \(.bytes),
        UNIQUE (\(column), name, piece)
      ) \(.strict)
      """,
      "CREATE INDEX \(table)_person ON \(table) (person)",
    ]
  }

  /// Stores a file of a record. The name is not sealed, so it must contain no personal data: for
  /// example, `page-1`.
  public func insert(
    _ content: [UInt8], as file: String, of record: ID<Record>, in work: Work
  ) throws {
    let starts =
      content.isEmpty ? [0] : Array(stride(from: 0, to: content.count, by: Self.pieceLimit))
    for (number, start) in starts.enumerated() {
      let bytes = content[start..<min(start + Self.pieceLimit, content.count)]
      let id: ID<Piece> = try work.insert(
        """
        INSERT INTO \(table) (person, \(column), name, piece)
        VALUES (\(work.keys.person), \(record), \(file), \(number))
        """)
      let piece = Piece(
        record: record.rawValue, file: file, number: number, isLast: number == starts.count - 1,
        bytes: bytes)
      let sealed = try work.keys.seal(piece.encoded, as: name, row: id.rawValue)
      try work.run("UPDATE \(table) SET sealed = \(sealed) WHERE id_piece = \(id)")
    }
  }

  /// The files as a part that is restored together with a record.
  public var part: Recovery.Part<Record> {
    Recovery.Part(
      content: { id, work in
        var bytes: [UInt8] = []
        for name in try names(of: id, in: work) {
          bytes += Array("\(name)\0".utf8)
          bytes += try find(name, of: id, in: work) ?? []
        }
        return bytes
      },
      copy: { id, source, copy, target in
        for name in try names(of: id, in: source) {
          guard let file = try find(name, of: id, in: source) else {
            continue
          }
          try insert(file, as: name, of: copy, in: target)
        }
      })
  }

  /// Returns the names of a record's files, in the order in which they were stored.
  public func names(of record: ID<Record>, in work: Work) throws
    -> [String]
  {
    try work.rows(
      """
      SELECT name FROM \(table)
      WHERE \(column) = \(record) AND person = \(work.keys.person) AND piece = 0 ORDER BY id_piece
      """
    ) { $0.string(0) }
  }

  /// Returns a file; nil if the record has none of that name, or belongs to another person.
  ///
  /// Throws `UnsealingError` if the pieces are not the stored ones, each in its place.
  public func find(
    _ file: String, of record: ID<Record>, in work: Work
  ) throws -> [UInt8]? {
    try find([file], of: [record], in: work)[record]?[file]
  }

  /// Returns the files with these names of each record, in one statement. Throws `UnsealingError`
  /// as for a single file.
  public func find(
    _ files: [String], of records: [ID<Record>], in work: Work
  ) throws -> [ID<Record>: [String: [UInt8]]] {
    if files.isEmpty || records.isEmpty { return [:] }
    let keys = try work.keys
    var found: [ID<Record>: [String: JoinedPieces]] = [:]
    try work.forEach(
      """
      SELECT \(column), name, id_piece, sealed FROM \(table)
      WHERE \(column) IN \(list: records) AND person = \(keys.person) AND name IN \(list: files)
      ORDER BY \(column), name, piece
      """
    ) { row in
      let (record, file): (ID<Record>, String) = (row.id(0), row.string(1))
      let id: ID<Piece> = row.id(2)
      let piece = try Piece(encoded: keys.open(row.sealed(3), as: name, row: id.rawValue))
      guard piece.record == record.rawValue, piece.file.isIdentical(to: file) else {
        throw UnsealingError()
      }
      try found[record, default: [:]][file, default: JoinedPieces()].append(piece)
    }
    return try found.mapValues { try $0.mapValues { try $0.whole } }
  }
}

/// The pieces of one file that have been read so far.
private struct JoinedPieces {
  private var content: [UInt8] = []
  private var count = 0
  private var isWhole = false

  /// The file's content; throws `UnsealingError` if the last piece is missing.
  var whole: [UInt8] {
    get throws {
      guard isWhole else { throw UnsealingError() }
      return content
    }
  }

  /// Appends the next piece; throws `UnsealingError` for any other one.
  mutating func append(_ piece: Piece) throws {
    guard piece.number == count, !isWhole else { throw UnsealingError() }
    content += piece.bytes
    count += 1
    isWhole = piece.isLast
  }
}

/// A piece of a file, sealed with its position, so that a moved or missing piece is detected.
private struct Piece {
  let record: Int64
  let file: String
  let number: Int
  let isLast: Bool
  let bytes: ArraySlice<UInt8>
}

extension Piece {
  init(encoded: [UInt8]) throws {
    var reader = ByteReader(encoded)
    record = try reader.integer()
    file = try reader.string()
    number = try reader.count()
    isLast = try reader.byte() == 1
    bytes = try reader.bytes()
  }

  var encoded: [UInt8] {
    var writer = ByteWriter()
    writer.write(record)
    writer.write(file)
    writer.write(count: number)
    writer.write(isLast ? 1 : 0 as UInt8)
    writer.write(bytes)
    return writer.bytes
  }
}
