import Glibc
import Synchronization

/// Numbers that all processes of an installation count up together, in a file that each of them maps.
///
/// A row has a name and some words. Each process adds to a ``Lane`` of its own, and what is shown is
/// the sum of all lanes. Whoever is killed leaves its lane as it is, for the next process to go on
/// with: so counters only grow, until the supervisor begins a new file. After a reload with other
/// modules, rows that are no longer counted stay, and new ones are added.
final class Counters: @unchecked Sendable {
  /// The layout's own name: another release may have another one.
  private static let mark: UInt64 = 0x706F_6C79_636E_7431
  private static let nameBytes = 128
  private static let headerBytes = 128
  private static let laneBytes = Lane.words * MemoryLayout<UInt64>.size

  private enum Header: Int { case mark, lanes, names }

  private let file: MappedFile
  private let naming = Mutex(())
  /// The first belongs to nobody: those that find no other share it.
  let lanes: [Lane]

  /// Counters of this process alone.
  convenience init() throws(SystemError) {
    self.init(try .privately(Self.size(lanes: 1)), lanes: 1)
  }

  private init(_ file: MappedFile, lanes count: Int) {
    self.file = file
    let start = file.memory + Self.size(lanes: 0)
    lanes = (0..<count).map { Lane(at: start + $0 * Self.laneBytes) }
  }

  private static func size(lanes: Int) -> Int {
    headerBytes + Lane.rows * nameBytes + lanes * laneBytes
  }

  /// Begins a new file with room for so many processes, in the place of an old one.
  static func make(_ path: String, processes: Int) throws(SystemError) -> Counters {
    let lanes = processes + 1
    let file = try MappedFile.make(path, size: size(lanes: lanes)) { file in
      header(.lanes, of: file).pointee.store(UInt64(lanes), ordering: .relaxed)
      header(.mark, of: file).pointee.store(mark, ordering: .releasing)
    }
    return Counters(file, lanes: lanes)
  }

  /// The file that the supervisor has made; nil when there is none, or one of another release.
  static func open(_ path: String) throws(SystemError) -> Counters? {
    guard let file = try MappedFile.open(path), file.size >= headerBytes,
      header(.mark, of: file).pointee.load(ordering: .acquiring) == mark
    else { return nil }
    let lanes = header(.lanes, of: file).pointee.load(ordering: .relaxed)
    guard (1...1_000).contains(lanes), file.size == size(lanes: Int(lanes)) else { return nil }
    return Counters(file, lanes: Int(lanes))
  }

  /// A lane for this process: one of its own while there are any.
  func claimLane() -> Lane {
    lanes.dropFirst().first { $0.claim(for: getpid()) } ?? lanes[0]
  }
}

extension Counters {
  /// The row of this name, which is made when it is asked for first.
  ///
  /// The very last row takes all names for which there is no other.
  func row(_ name: String) -> Int {
    naming.withLock { _ in
      if let descriptor = file.descriptor { flock(descriptor, LOCK_EX) }
      defer { if let descriptor = file.descriptor { flock(descriptor, LOCK_UN) } }
      let names = names
      let name = String(decoding: name.utf8.prefix(Self.nameBytes - 1), as: UTF8.self)
      if let known = names.firstIndex(of: name) { return known }
      guard names.count < Lane.rows - 1 else { return Lane.rows - 1 }
      let place = self.name(names.count)
      place.initializeMemory(as: UInt8.self, repeating: 0, count: Self.nameBytes)
      for (index, byte) in name.utf8.enumerated() {
        place.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
      }
      // Last: whoever is killed before has added nothing.
      header(.names).pointee.store(UInt64(names.count + 1), ordering: .releasing)
      return names.count
    }
  }

  /// All rows in the order in which they were made.
  var names: [String] {
    let count = min(Int(header(.names).pointee.load(ordering: .acquiring)), Lane.rows)
    return (0..<count).map { row in
      let bytes = UnsafeRawBufferPointer(start: name(row), count: Self.nameBytes)
      return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  /// What all processes have counted in one word of a row.
  func sum(_ word: Int, of row: Int) -> UInt64 {
    lanes.reduce(0) { $0 &+ $1.load(word, of: row) }
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
