import Foundation
import PolyclinicCore
import PolyclinicCryptography
import PolyclinicSystem

/// The master keys of the installation, stored in a file outside the database and its backups.
///
/// The newest key wraps new values. Older keys remain as long as the database or a backup refers to
/// them.
package struct KeyRing: Sendable {
  /// One master key.
  package struct Key: Sendable {
    package let id: ID
    package let created: CalendarDate
    package let secret: SymmetricKey

    package init(id: KeyRing.ID, created: CalendarDate, secret: SymmetricKey) {
      self.id = id
      self.created = created
      self.secret = secret
    }
  }

  /// A random number that identifies the master key of a wrapped value.
  package struct ID: Sendable, Hashable, CustomStringConvertible {
    package let rawValue: UInt32

    package init(rawValue: UInt32) {
      self.rawValue = rawValue
    }

    /// Eight hexadecimal digits, as in the key file.
    package var description: String {
      withUnsafeBytes(of: rawValue.bigEndian) { Array($0) }.hexadecimalText
    }
  }

  /// The key that wraps new values.
  package let newest: Key
  /// All other keys, oldest first.
  package let older: [Key]
  /// The path of the key file, for messages.
  package let path: String

  package init(newest: KeyRing.Key, older: [KeyRing.Key], path: String) {
    self.newest = newest
    self.older = older
    self.path = path
  }

  /// Returns the key with that id; nil if the ring does not contain it.
  package subscript(id: ID) -> Key? {
    newest.id == id ? newest : older.first { $0.id == id }
  }

  /// All keys, newest last.
  package var keys: [Key] { older + [newest] }
  /// The ids of all keys, newest last.
  package var ids: [ID] { keys.map(\.id) }

  /// The largest number of keys: a ``RecoverySheet`` cannot number more.
  package static let capacity = 99

  /// Returns a ring with a new key as its newest.
  package func adding(today: CalendarDate) -> KeyRing {
    var key = Key.random(created: today)
    while self[key.id] != nil { key = .random(created: today) }
    return KeyRing(newest: key, older: keys, path: path)
  }

  /// True if this ring contains each key of another ring, with identical bytes.
  package func holdsAll(of other: KeyRing) -> Bool {
    other.keys.allSatisfy { self[$0.id]?.secret == $0.secret }
  }
}

extension KeyRing.Key {
  /// Returns a new random key.
  package static func random(created: CalendarDate) -> KeyRing.Key {
    KeyRing.Key(
      id: KeyRing.ID(rawValue: .random(in: .min ... .max)), created: created,
      secret: .random())
  }
}

/// The reason why the master keys are not available. Each description names the remedy, and none
/// quotes the file.
package enum KeyRingError: Error, Equatable, CustomStringConvertible {
  case missing(path: String)
  case unreadable(path: String, errno: Int32)
  /// Other users than the owner have access to the file.
  case exposed(path: String, mode: UInt32)
  /// The file belongs neither to the user of this process nor to root.
  case foreign(path: String, owner: UInt32)
  case malformed(path: String, line: Int, Defect)
  case alreadyThere(path: String)
  case unwritable(path: String, errno: Int32)

  /// A defect of the file's text.
  package enum Defect: String, Sendable {
    case notAKeyRing = "it does not begin with “polyclinic key ring 1”"
    case newerFormat = "it was written by a newer release"
    case notAKey = "this line is not a key"
    case mistyped = "this key does not match its check: a character was changed or lost"
    case duplicate = "this key's id stands in an earlier line too"
    case truncated = "the file ends too early"
    case trailing = "there is something after the end"
  }

  package var description: String {
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
      "The key file \(path) belongs to the user \(owner), who could replace it. Run the command as the "
        + "user that runs the portal. Key, database and their directories belong to that user."
    case .malformed(let path, let line, let defect):
      "The key file \(path) is damaged, line \(line): \(defect.rawValue). Put it back from where its "
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
