import Glibc
import PolyclinicSystem
import Synchronization

/// Counters that all processes of an installation share, in a file that each of them maps.
///
/// - A row has a name and some words. Each process adds to its own ``CounterShard``; a counter's
///   value is the sum over all shards.
/// - A shard keeps its values after its process ends, and the next process continues it. So
///   counters only grow, until the supervisor creates a new file.
/// - After a reload with other modules, rows that are no longer used stay, and new rows are added.
package final class Counters: @unchecked Sendable {
  /// The magic number of this layout, because another release may use another layout.
  private static let mark: UInt64 = 0x706F_6C79_636E_7431
  private static let nameBytes = 128
  private static let headerBytes = 128
  private static let shardBytes = CounterShard.words * MemoryLayout<UInt64>.size

  private enum Header: Int { case mark, shards, names }

  private let file: MappedFile
  private let naming = Mutex(())
  /// The first shard is shared by all processes that find no free one.
  package let shards: [CounterShard]

  /// Creates counters for this process alone.
  package convenience init() throws(SystemError) {
    self.init(try .privately(Self.size(shards: 1)), shards: 1)
  }

  private init(_ file: MappedFile, shards count: Int) {
    self.file = file
    let start = file.memory + Self.size(shards: 0)
    shards = (0..<count).map { CounterShard(at: start + $0 * Self.shardBytes) }
  }

  private static func size(shards: Int) -> Int {
    headerBytes + CounterShard.rows * nameBytes + shards * shardBytes
  }

  /// Replaces the file with a new one that has a shard for each of so many processes.
  package static func make(_ path: String, processes: Int) throws(SystemError) -> Counters {
    let shards = processes + 1
    let file = try MappedFile.make(path, size: size(shards: shards)) { file in
      header(.shards, of: file).pointee.store(UInt64(shards), ordering: .relaxed)
      header(.mark, of: file).pointee.store(mark, ordering: .releasing)
    }
    return Counters(file, shards: shards)
  }

  /// Opens the supervisor's file. Returns nil if it is missing or of another release.
  package static func open(_ path: String) throws(SystemError) -> Counters? {
    guard let file = try MappedFile.open(path), file.size >= headerBytes,
      header(.mark, of: file).pointee.load(ordering: .acquiring) == mark
    else { return nil }
    let shards = header(.shards, of: file).pointee.load(ordering: .relaxed)
    guard (1...1_000).contains(shards), file.size == size(shards: Int(shards)) else { return nil }
    return Counters(file, shards: Int(shards))
  }

  /// Returns a free shard for this process; the shared first shard if none is free.
  package func claimShard() -> CounterShard {
    shards.dropFirst().first { $0.claim(for: getpid()) } ?? shards[0]
  }
}

extension Counters {
  /// Returns the row of this name, and adds it on first use.
  ///
  /// If the table is full, the last row counts for all further names.
  package func row(_ name: String) -> Int {
    naming.withLock { _ in
      if let descriptor = file.descriptor { flock(descriptor, LOCK_EX) }
      defer { if let descriptor = file.descriptor { flock(descriptor, LOCK_UN) } }
      // Padded to the whole place, because the comparison is that of bytes.
      var padded = Array(name.utf8.prefix(Self.nameBytes - 1))
      padded.append(contentsOf: repeatElement(0, count: Self.nameBytes - padded.count))
      let count = count
      for row in 0..<count where memcmp(self.name(row), padded, Self.nameBytes) == 0 { return row }
      guard count < CounterShard.rows - 1 else { return CounterShard.rows - 1 }
      self.name(count).copyMemory(from: padded, byteCount: Self.nameBytes)
      // Stored last, so that a process killed before this point has added nothing.
      header(.names).pointee.store(UInt64(count + 1), ordering: .releasing)
      return count
    }
  }

  /// The names of all rows in the order in which they were added.
  package var names: [String] {
    (0..<count).map { row in
      let bytes = UnsafeRawBufferPointer(start: name(row), count: Self.nameBytes)
      return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  private var count: Int {
    min(Int(header(.names).pointee.load(ordering: .acquiring)), CounterShard.rows)
  }

  /// Returns the sum over all processes for one word of a row.
  package func sum(_ word: Int, of row: Int) -> UInt64 {
    shards.reduce(0) { $0 &+ $1.load(word, of: row) }
  }

  private func name(_ row: Int) -> UnsafeMutableRawPointer {
    file.memory + Self.headerBytes + row * Self.nameBytes
  }

  private func header(_ word: Header) -> UnsafeMutablePointer<Atomic<UInt64>> {
    Self.header(word, of: file)
  }

  private static func header(
    _ word: Header, of file: MappedFile
  ) -> UnsafeMutablePointer<Atomic<UInt64>> {
    file.memory.assumingMemoryBound(to: Atomic<UInt64>.self) + word.rawValue
  }
}

/// The responses to visitors from all processes since the supervisor started, as successes and
/// server errors.
package struct AnswerCounts: Equatable {
  package let given: Int
  package let failed: Int

  package init(given: Int = 0, failed: Int = 0) {
    self.given = given
    self.failed = failed
  }

  /// True if more requests failed (5xx) than succeeded since an earlier count.
  func isMostlyFailed(since earlier: AnswerCounts) -> Bool {
    failed - earlier.failed > given - earlier.given
  }
}
