import Synchronization

/// The requests that ended workers, as all workers of an installation know them by one file: a web server
/// sends such a request again, to the next worker and then the next, and to each with what others wait for.
///
/// Where memory has run out, a crash may be laid to the wrong request. So one is sent away only when it
/// has ended two workers, and whoever was there by chance is answered by then.
struct FatalRequests: @unchecked Sendable {
  /// A request by the first 64 bits of the web server's random number for it; never zero.
  typealias Mark = UInt64

  /// A later one takes the place of an earlier one: what was sent again is answered by then.
  private static let places = 64
  private static let size = 2 * places * MemoryLayout<Mark>.size

  private let once: UnsafeMutablePointer<Atomic<Mark>>
  private let twice: UnsafeMutablePointer<Atomic<Mark>>

  private init(_ file: MappedFile) {
    once = file.memory.assumingMemoryBound(to: Atomic<Mark>.self)
    twice = once + Self.places
  }

  /// Begins a new file, in which no request has ended anything.
  static func make(_ path: String) throws(SystemError) {
    _ = try MappedFile.make(path, size: size)
  }

  /// The file that the supervisor has made; nil when there is none.
  static func open(_ path: String) throws(SystemError) -> FatalRequests? {
    guard let file = try MappedFile.open(path), file.size == size else { return nil }
    return FatalRequests(file)
  }

  /// Nil if it is not an id of nginx's (`$request_id`: 32 hexadecimal digits).
  static func mark(of id: String) -> Mark? {
    guard id.utf8.count == 32, let mark = Mark(id.prefix(16), radix: 16), mark != 0 else {
      return nil
    }
    return mark
  }

  /// Whether a request has ended two workers.
  func contains(_ mark: Mark) -> Bool {
    twice[place(of: mark)].load(ordering: .relaxed) == mark
  }

  /// Lays the end of a worker to a request. Neither allocates nor locks: for a signal handler.
  func blame(_ mark: Mark) {
    let place = place(of: mark)
    let earlier = once[place].exchange(mark, ordering: .relaxed)
    if earlier == mark { twice[place].store(mark, ordering: .relaxed) }
  }

  private func place(of mark: Mark) -> Int { Int(mark % Mark(Self.places)) }
}
