import Glibc
import Synchronization

/// Where one process counts: rows of sixteen words in memory that all processes map.
///
/// Adding takes no lock and costs some nanoseconds. The memory stays mapped until the process ends, so
/// that whoever counts need not hold it.
struct Lane: @unchecked Sendable {
  /// Two cache lines: rows that are counted at once do not share one.
  static let wordsOfRow = 16
  static let rows = 512
  /// A row at the front tells of the process itself.
  static let words = (rows + 1) * wordsOfRow

  /// What the row at the front holds.
  enum Fact: Int {
    /// Whose lane it is; zero when nobody's.
    case owner
    case threads
    /// How many threads were at a request when the process last looked.
    case busy
  }

  private let start: UnsafeMutablePointer<Atomic<UInt64>>

  init(at place: UnsafeMutableRawPointer) {
    start = place.assumingMemoryBound(to: Atomic<UInt64>.self)
  }

  func add(_ amount: UInt64, to word: Int, of row: Int) {
    start[(row + 1) &* Self.wordsOfRow &+ word].wrappingAdd(amount, ordering: .relaxed)
  }

  func store(_ value: UInt64, in word: Int, of row: Int) {
    start[(row + 1) * Self.wordsOfRow + word].store(value, ordering: .relaxed)
  }

  func load(_ word: Int, of row: Int) -> UInt64 {
    start[(row + 1) * Self.wordsOfRow + word].load(ordering: .relaxed)
  }

  subscript(fact: Fact) -> UInt64 { start[fact.rawValue].load(ordering: .relaxed) }

  func note(_ fact: Fact, _ value: Int) {
    start[fact.rawValue].store(UInt64(max(value, 0)), ordering: .relaxed)
  }

  /// Takes the lane, unless a process that lives has it.
  func claim(for process: pid_t) -> Bool {
    let owner = self[.owner]
    if owner != 0, kill(pid_t(owner), 0) == 0 || errno != ESRCH { return false }
    return start[Fact.owner.rawValue].compareExchange(
      expected: owner, desired: UInt64(process), ordering: .acquiringAndReleasing
    ).exchanged
  }
}
