/// Some of an index's entries, in order, each in its own bytes: a version, then every entry behind its length.
struct IndexChunk {
  /// How many entries a chunk is made with: fifty names of a page stand in one or two.
  static let size = 128

  var items: [ArraySlice<UInt8>] = []

  private static let version: UInt8 = 1

  init(items: [ArraySlice<UInt8>] = []) { self.items = items }

  init(_ bytes: [UInt8]) throws {
    var reader = try Self.reader(of: bytes)
    items.reserveCapacity(Self.size)
    while !reader.isAtEnd { items.append(try reader.bytes()) }
  }

  /// What reads the entries one by one, each behind its length.
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

  /// Itself while it is not too large, else equal parts of at most the size that a chunk is made with.
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

  /// How many entries there are in all chunks.
  @usableFromInline
  var total: Int { chunks.reduce(0) { $0 + $1.count } }

  /// The most entries of one person: decades of measurements, and the disk is everybody's.
  static let mostEntries = 100_000

  /// Throws ``Refusal/conflict(_:)`` where so many more would be more than are kept for one person.
  func requireRoom(for count: Int) throws {
    guard total + count <= Self.mostEntries else {
      throw Refusal.conflict(Text("records.full", ["limit": String(Self.mostEntries)]))
    }
  }

  /// A number that no chunk of this person ever had.
  mutating func takeNumber() -> Int64 {
    defer { nextNumber += 1 }
    return nextNumber
  }
}
