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

  private let memory: UnsafeMutableRawPointer
  private let file: Int32?
  private let naming = Mutex(())
  /// The first belongs to nobody: those that find no other share it.
  let lanes: [Lane]

  /// Counters of this process alone.
  convenience init() throws(SystemError) {
    try self.init(mapping: nil, lanes: 1)
  }

  private init(mapping file: Int32?, lanes count: Int) throws(SystemError) {
    let names = Self.headerBytes + Lane.rows * Self.nameBytes
    let kind = file == nil ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED
    guard
      let memory = mmap(
        nil, names + count * Self.laneBytes, PROT_READ | PROT_WRITE, kind, file ?? -1, 0),
      memory != MAP_FAILED
    else { throw SystemError("mmap") }
    self.file = file
    self.memory = memory
    lanes = (0..<count).map { Lane(at: memory + names + $0 * Self.laneBytes) }
  }

  /// Begins a new file with room for so many processes, in the place of an old one.
  static func make(_ path: String, processes: Int) throws(SystemError) -> Counters {
    let draft = "\(path).new"
    let lanes = processes + 1
    let file = Glibc.open(draft, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o640)
    guard file >= 0 else { throw SystemError("create", on: draft) }
    let size = headerBytes + Lane.rows * nameBytes + lanes * laneBytes
    // The room is taken now: on a disk that is full later, a first touch would end the process (SIGBUS).
    let code = posix_fallocate(file, 0, size)
    guard code == 0 else {
      close(file)
      unlink(draft)
      throw SystemError("posix_fallocate", code, on: draft)
    }
    let counters = try Counters(mapping: file, lanes: lanes)
    counters.header(.lanes).pointee.store(UInt64(lanes), ordering: .relaxed)
    counters.header(.mark).pointee.store(mark, ordering: .releasing)
    guard rename(draft, path) == 0 else { throw SystemError("rename", on: path) }
    return counters
  }

  /// The file that the supervisor has made; nil when there is none, or one of another release.
  static func open(_ path: String) throws(SystemError) -> Counters? {
    let file = Glibc.open(path, O_RDWR | O_CLOEXEC)
    guard file >= 0 else {
      if errno == ENOENT { return nil }
      throw SystemError("open", on: path)
    }
    var status = stat()
    var words: [UInt64] = [0, 0]
    let headLength = words.count * MemoryLayout<UInt64>.size
    let size = headerBytes + Lane.rows * nameBytes
    guard fstat(file, &status) == 0, pread(file, &words, headLength, 0) == headLength,
      words[0] == mark,
      (1...1_000).contains(words[1]),
      status.st_size == size + Int(words[1]) * laneBytes
    else {
      close(file)
      return nil
    }
    return try Counters(mapping: file, lanes: Int(words[1]))
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
      if let file { flock(file, LOCK_EX) }
      defer { if let file { flock(file, LOCK_UN) } }
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
    memory + Self.headerBytes + row * Self.nameBytes
  }

  private func header(_ word: Header) -> UnsafeMutablePointer<Atomic<UInt64>> {
    memory.assumingMemoryBound(to: Atomic<UInt64>.self) + word.rawValue
  }
}
