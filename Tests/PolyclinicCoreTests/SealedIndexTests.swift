import Testing

@testable import PolyclinicCore

/// The chunks' bytes; what stands in the database is tested with the modules that have an index.
@Suite struct SealedIndexTests {
  private func chunk(_ count: Int) -> IndexChunk {
    IndexChunk(items: (0..<count).map { Array("entry \($0)".utf8)[...] })
  }

  @Test(arguments: [0, 1, 128, 300])
  func `a chunk comes back as it was`(_ count: Int) throws {
    let chunk = chunk(count)
    #expect(try IndexChunk(chunk.bytes).items == chunk.items)
  }

  @Test func `a chunk that has grown too large is halved, and nothing is lost`() {
    #expect(chunk(192).pieces.map(\.items.count) == [192])
    let pieces = chunk(193).pieces
    #expect(pieces.map(\.items.count) == [96, 97])
    #expect(pieces.flatMap(\.items) == chunk(193).items)
  }

  @Test func `each beginning of a chunk or directory is refused or read, and none traps`() {
    var directory = IndexDirectory()
    for count in [1, 128, 300] { directory.chunks.append((directory.takeNumber(), count)) }
    for bytes in [chunk(20).bytes, directory.bytes] {
      for length in 0..<bytes.count {
        let part = Array(bytes.prefix(length))
        do { _ = try (IndexChunk(part), IndexDirectory(part)) } catch {
          #expect(error is DecodingFailure)
        }
      }
    }
  }

  @Test func `a number is never given twice, also after it is read again`() throws {
    var directory = IndexDirectory()
    let first = directory.takeNumber()
    var again = try IndexDirectory(directory.bytes)
    #expect(again.takeNumber() > first)
  }

  @Test func `a directory counts what is in its chunks`() throws {
    var directory = IndexDirectory()
    for count in [1, 128, 300] { directory.chunks.append((directory.takeNumber(), count)) }
    let read = try IndexDirectory(directory.bytes)
    #expect(read.total == 429 && read.chunks.map(\.count) == [1, 128, 300])
  }

  @Test func `there is room for a hundred thousand, and not for one more`() throws {
    var directory = IndexDirectory()
    directory.chunks = [(1, 99_999)]
    try directory.requireRoom(for: 1)
    #expect(throws: Refusal.self) { try directory.requireRoom(for: 2) }
  }

  @Test(arguments: [
    (1, 0, 1, 1), (1, 50, 1, 1), (2, 51, 2, 2), (9, 51, 2, 2), (-3, 51, 1, 2), (.max, 0, 1, 1),
  ])
  func `a page behind the last is the last`(_ asked: Int, _ total: Int, _ page: Int, _ count: Int) {
    let pagination = Pagination(page: asked, total: total)
    #expect(pagination.page == page && pagination.pageCount == count)
    #expect(pagination.range.upperBound <= total && pagination.range.count <= Pagination.size)
  }
}
