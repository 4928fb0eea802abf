import Crypto
import Foundation
import PolyclinicCore

/// The installation's master keys, which live in a file outside the database and its backups.
///
/// The newest key wraps what is new. Older ones stay as long as something in the database or in a
/// backup names them.
struct KeyRing: Sendable {
  /// One master key.
  struct Key: Sendable {
    let id: ID
    let created: CalendarDate
    let secret: SymmetricKey
  }

  /// The random number by which wrapped values name their master key.
  struct ID: Sendable, Hashable, CustomStringConvertible {
    let rawValue: UInt32

    /// Eight hexadecimal digits, as in the key file.
    var description: String {
      withUnsafeBytes(of: rawValue.bigEndian) { Array($0) }.hexadecimalText
    }
  }

  /// The key that wraps new values.
  let newest: Key
  /// All others, the oldest first.
  let older: [Key]
  /// The file that the keys came from, for messages.
  let path: String

  /// The key of that id; nil when the ring does not hold it.
  subscript(id: ID) -> Key? {
    newest.id == id ? newest : older.first { $0.id == id }
  }

  /// The ids of all keys, the newest last.
  var ids: [ID] { older.map(\.id) + [newest.id] }

  /// The most keys that a ring holds: as many as a ``RecoverySheet`` counts.
  static let capacity = 99

  /// A ring with one more key, a new one, as its newest.
  func adding(today: CalendarDate) -> KeyRing {
    var key = Key.random(created: today)
    while self[key.id] != nil { key = .random(created: today) }
    return KeyRing(newest: key, older: older + [newest], path: path)
  }

  /// Whether each key of another ring is in this one, bit by bit.
  func holdsAll(of other: KeyRing) -> Bool {
    (other.older + [other.newest]).allSatisfy { self[$0.id]?.secret == $0.secret }
  }
}

extension KeyRing.Key {
  /// A new random key.
  static func random(created: CalendarDate) -> KeyRing.Key {
    KeyRing.Key(
      id: KeyRing.ID(rawValue: .random(in: .min ... .max)), created: created,
      secret: SymmetricKey(size: .bits256))
  }
}

/// Why there are no master keys. Each text names the remedy, and none quotes the file.
enum KeyRingError: Error, Equatable, CustomStringConvertible {
  case missing(path: String)
  case unreadable(path: String, errno: Int32)
  /// Others than the owner have rights to the file.
  case exposed(path: String, mode: UInt32)
  /// The file belongs neither to the user of this process nor to root.
  case foreign(path: String, owner: UInt32)
  case malformed(path: String, line: Int, Flaw)
  case alreadyThere(path: String)
  case unwritable(path: String, errno: Int32)

  /// What is wrong with the file's text.
  enum Flaw: String, Sendable {
    case notAKeyRing = "it does not begin with “polyclinic key ring 1”"
    case newerFormat = "it was written by a newer release"
    case notAKey = "this line is not a key"
    case mistyped = "this key does not match its check: a character was changed or lost"
    case duplicate = "this key's id stands in an earlier line too"
    case truncated = "the file ends too early"
    case trailing = "there is something after the end"
  }

  var description: String {
    switch self {
    case .missing(let path):
      "The key file \(path) is missing. Put it back from where its copy is kept safe: what it "
        + "encrypts cannot be read with any other."
    case .unreadable(let path, let code):
      "The key file \(path) cannot be read (\(reason(code))). Give this user the right to read it "
        + "and to enter its directory."
    case .exposed(let path, let mode):
      "The key file \(path) is open to other users (mode \(String(mode, radix: 8))). "
        + "Run: chmod 600 \(path)"
    case .foreign(let path, let owner):
      "The key file \(path) belongs to user \(owner), who could replace it. Give it to the user "
        + "that runs the portal, or to root: chown USER \(path)"
    case .malformed(let path, let line, let flaw):
      "The key file \(path) is damaged, line \(line): \(flaw.rawValue). Put it back from where its "
        + "copy is kept safe."
    case .alreadyThere(let path):
      "The key file \(path) exists already and is not overwritten. If it is really not needed, "
        + "move it away first."
    case .unwritable(let path, let code):
      "The key file \(path) cannot be written (\(reason(code))). \(remedy(code))"
    }
  }

  private func remedy(_ code: Int32) -> String {
    switch code {
    case ENOSPC, EDQUOT: "There is no room on its disk: make some."
    case EROFS: "Its file system can only be read: mount it writable."
    case EBUSY: "It is mounted by itself: mount its directory instead, so that it can be replaced."
    default: "Give this user the right to write to its directory."
    }
  }

  private func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}
