import Testing

@testable import PolyclinicCore

/// The encoding of the chunks; the modules with an index test its storage.
@Suite struct SealedIndexTests {
  private func chunk(_ count: Int) -> IndexChunk {
    IndexChunk(items: (0..<count).map { Array("entry \($0)".utf8)[...] })
  }

  @Test(arguments: [0, 1, 64, 300])
  func `a chunk is decoded as it was encoded`(_ count: Int) throws {
    let chunk = chunk(count)
    #expect(try IndexChunk(chunk.bytes).items == chunk.items)
  }

  @Test func `a chunk of more than 96 entries is halved without loss`() {
    #expect(chunk(96).pieces.map(\.items.count) == [96])
    let pieces = chunk(97).pieces
    #expect(pieces.map(\.items.count) == [48, 49])
    #expect(pieces.flatMap(\.items) == chunk(97).items)
  }

  @Test func `a chunk of twice the largest size is divided into equal parts`() {
    #expect(chunk(192).pieces.map(\.items.count) == [64, 64, 64])
  }

  @Test func `a truncated chunk or directory is refused or read without a crash`() {
    var directory = IndexDirectory()
    for count in [1, 64, 300] { directory.chunks.append((directory.takeNumber(), count)) }
    for bytes in [chunk(20).bytes, directory.bytes] {
      for length in 0..<bytes.count {
        let part = Array(bytes.prefix(length))
        do { _ = try (IndexChunk(part), IndexDirectory(part)) } catch {
          #expect(error is DecodingFailure)
        }
      }
    }
  }

  @Test func `a chunk number is not used twice, even after the directory is read again`() throws {
    var directory = IndexDirectory()
    let first = directory.takeNumber()
    var again = try IndexDirectory(directory.bytes)
    #expect(again.takeNumber() > first)
  }

  @Test func `a directory counts the entries of its chunks`() throws {
    var directory = IndexDirectory()
    for count in [1, 64, 300] { directory.chunks.append((directory.takeNumber(), count)) }
    let read = try IndexDirectory(directory.bytes)
    #expect(read.total == 365 && read.chunks.map(\.count) == [1, 64, 300])
  }

  @Test func `an index accepts a hundred thousand entries and no more`() throws {
    var directory = IndexDirectory()
    directory.chunks = [(1, 99_999)]
    try directory.requireRoom(for: 1)
    #expect(throws: Refusal.self) { try directory.requireRoom(for: 2) }
  }

  @Test(arguments: [
    (1, 0, 1, 1), (1, 50, 1, 1), (2, 51, 2, 2), (9, 51, 2, 2), (-3, 51, 1, 2), (.max, 0, 1, 1),
  ])
  func `a page number out of range gives the nearest page`(
    _ asked: Int, _ total: Int, _ page: Int, _ count: Int
  ) {
    let pagination = Page.Pagination(page: asked, total: total)
    #expect(pagination.page == page && pagination.pageCount == count)
    #expect(pagination.range.upperBound <= total && pagination.range.count <= Page.Pagination.size)
  }
}
