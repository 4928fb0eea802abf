import PolyclinicSystem
import Synchronization

/// The requests that crashed workers. All workers of an installation share them in one mapped file.
/// The web server retries such a request on one worker after another. Each crash also fails the
/// worker's other requests.
///
/// A crash for lack of memory may be attributed to the wrong request. So a request is refused
/// only after two crashes. An innocent request has been answered by then.
package struct FatalRequests: @unchecked Sendable {
  /// The first 64 bits of the web server's random request id; never zero.
  package typealias Fingerprint = UInt64

  /// The number of entries. A new entry may replace an older one, whose retries have ended by then.
  private static let places = 64
  private static let size = 2 * places * MemoryLayout<Fingerprint>.size

  private let once: UnsafeMutablePointer<Atomic<Fingerprint>>
  private let twice: UnsafeMutablePointer<Atomic<Fingerprint>>

  private init(_ file: MappedFile) {
    once = file.memory.assumingMemoryBound(to: Atomic<Fingerprint>.self)
    twice = once + Self.places
  }

  /// Creates a file without entries.
  package static func make(_ path: String) throws(SystemError) {
    _ = try MappedFile.make(path, size: size)
  }

  /// Opens the file that the supervisor created; nil if there is none.
  package static func open(_ path: String) throws(SystemError) -> FatalRequests? {
    guard let file = try MappedFile.open(path), file.size == size else { return nil }
    return FatalRequests(file)
  }

  /// Returns the fingerprint of a request id; nil if it is not nginx's `$request_id` (32
  /// hexadecimal digits).
  package static func fingerprint(of id: String) -> Fingerprint? {
    guard id.utf8.count == 32, let fingerprint = Fingerprint(id.prefix(16), radix: 16),
      fingerprint != 0
    else {
      return nil
    }
    return fingerprint
  }

  /// True if the request has crashed two workers.
  package func contains(_ fingerprint: Fingerprint) -> Bool {
    twice[place(of: fingerprint)].load(ordering: .relaxed) == fingerprint
  }

  /// Attributes a crash to a request. It neither allocates nor locks, so a signal handler can call
  /// it.
  func blame(_ fingerprint: Fingerprint) {
    let place = place(of: fingerprint)
    let earlier = once[place].exchange(fingerprint, ordering: .relaxed)
    if earlier == fingerprint { twice[place].store(fingerprint, ordering: .relaxed) }
  }

  private func place(of fingerprint: Fingerprint) -> Int {
    Int(fingerprint % Fingerprint(Self.places))
  }
}
