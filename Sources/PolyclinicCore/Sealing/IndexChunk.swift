/// A part of an index's entries, in order. Its bytes are a version, then each entry preceded by its
/// length.
struct IndexChunk {
  /// The number of entries in a new chunk, at most half as many more later. A page of fifty names
  /// needs one to three chunks. Larger chunks make searches cheaper and saves dearer, because a
  /// save writes a whole chunk.
  static let size = 64

  var items: [ArraySlice<UInt8>] = []

  private static let version: UInt8 = 1

  init(items: [ArraySlice<UInt8>] = []) { self.items = items }

  init(_ bytes: [UInt8]) throws {
    var reader = try Self.reader(of: bytes)
    items.reserveCapacity(Self.size)
    while !reader.isAtEnd { items.append(try reader.bytes()) }
  }

  /// Returns a reader of the entries, each preceded by its length.
  static func reader(of bytes: [UInt8]) throws -> ByteReader {
    var reader = ByteReader(bytes)
    guard try reader.byte() == version else { throw DecodingFailure() }
    return reader
  }

  var bytes: [UInt8] {
    var writer = ByteWriter(capacity: items.reduce(1) { $0 + $1.count + 2 })
    writer.write(Self.version)
    for item in items { writer.write(item) }
    return writer.bytes
  }

  /// The chunk itself if it has at most one and a half times ``size`` entries, else equal parts of
  /// at most ``size`` entries.
  var pieces: [IndexChunk] {
    guard items.count > Self.size * 3 / 2 else { return [self] }
    let count = (items.count + Self.size - 1) / Self.size
    return (0..<count).map { piece in
      let range = items.count * piece / count..<items.count * (piece + 1) / count
      return IndexChunk(items: Array(items[range]))
    }
  }
}

/// The chunks of one person's index, in the order of their entries.
@usableFromInline
struct IndexDirectory {
  @usableFromInline var chunks: [(number: Int64, count: Int)] = []
  private var nextNumber: Int64 = 1

  private static let version: UInt8 = 1

  init() {}

  init(_ bytes: [UInt8]) throws {
    var reader = ByteReader(bytes)
    guard try reader.byte() == Self.version else { throw DecodingFailure() }
    nextNumber = try reader.integer()
    while !reader.isAtEnd { chunks.append((try reader.integer(), try reader.count())) }
  }

  var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.write(Self.version)
    writer.write(nextNumber)
    for chunk in chunks {
      writer.write(chunk.number)
      writer.write(count: chunk.count)
    }
    return writer.bytes
  }

  /// The number of entries in all chunks.
  @usableFromInline
  var total: Int { chunks.reduce(0) { $0 + $1.count } }

  /// The maximum number of entries of one person. It is enough for decades of measurements, and
  /// limited because all people share the disk.
  static let mostEntries = 100_000

  /// Throws ``Refusal/conflict(_:)`` if `count` more entries would exceed ``mostEntries``.
  func requireRoom(for count: Int) throws {
    guard total + count <= Self.mostEntries else {
      throw Refusal.conflict(Text("records.full", ["limit": String(Self.mostEntries)]))
    }
  }

  /// Returns a chunk number that this person has never had.
  mutating func takeNumber() -> Int64 {
    defer { nextNumber += 1 }
    return nextNumber
  }
}
