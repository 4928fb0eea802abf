import PolyclinicCore
import PolyclinicCryptography
import PolyclinicSystem
import PolyclinicVault

/// The master keys on paper, for the safe. It is printed once, and typed in if the key file is
/// lost.
struct RecoverySheet {
  let ring: KeyRing

  init(_ ring: KeyRing) { self.ring = ring }

  /// Returns the lines of the printed sheet.
  func lines(clinic: String, printed: CalendarDate) -> [String] {
    let keys = ring.keys
    return [
      "POLYCLINIC RECOVERY SHEET", "",
      "Clinic:   \(TextTable([[clinic]]).lines.joined())",
      "Printed:  \(printed)",
      "Keys:     \(keys.map { "\($0.id) of \($0.created)" }.joined(separator: ", "))", "",
      "Whoever has this sheet and a backup can read everything in it. Keep it in a safe,",
      "apart from the backups. Without it and without the key file nothing can be read.", "",
    ] + keys.enumerated().flatMap { index, key in Self.codes(of: key, number: index + 1) + [""] }
      + [
        Self.endLine(keys.count), "",
        "To use it, type the lines above into a text file, or give \"-\" for the file and type them",
        "then. Capitals or not, and O for 0, I or L for 1, make no difference; each line has a check.",
        "",
        "  polyclinic restore BACKUP --sheet FILE     restores a backup, and makes the key file",
        "  polyclinic vault restore --sheet FILE      makes the key file beside its database",
        "  polyclinic vault sheet --check FILE        tells whether this sheet is old", "",
        "\"polyclinic vault rotate\" adds a key: then this sheet is old and opens earlier backups alone.",
        "Print a new one, and destroy the file that you typed.",
      ]
  }

  /// Parses a typed sheet. `path` is where the key file will be.
  ///
  /// Accepts the numbered lines and the end line in any order, and ignores other lines. Throws
  /// ``RecoverySheetError``, which names the wrong line.
  init(_ text: String, path: String) throws(RecoverySheetError) {
    var parts: [String: [UInt8]] = [:]
    var count: Int?
    for line in text.split(whereSeparator: \.isNewline) {
      let words = line.split(maxSplits: 1, whereSeparator: \.isWhitespace)
      guard words.count == 2 else { continue }
      if words[0].lowercased() == "end" {
        count = try Self.keyCount(words[1])
      } else if let label = Self.label(words[0]) {
        let bytes = try SheetCode.bytes(ofLine: label, words[1])
        guard parts[label] == nil || parts[label] == bytes else { throw .repeated(line: label) }
        parts[label] = bytes
      }
    }
    guard let count else { throw .missing(line: "end") }
    var keys: [KeyRing.Key] = []
    for number in 1...count { keys.append(try Self.key(number, parts)) }
    guard let newest = keys.last, Set(keys.map(\.id)).count == count, parts.count == count * 4
    else { throw .contradictory }
    ring = KeyRing(newest: newest, older: Array(keys.dropLast()), path: path)
  }

  /// Runs `body` with a sheet's keys. Turns errors about a missing key of the key file into
  /// ``RecoverySheetError/lacking(_:)``.
  static func tellingWhatItLacks<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch VaultError.unknownMasterKey(let id, _) {
      throw RecoverySheetError.lacking(id)
    } catch BackupError.unknownKey(let id, _, _) {
      throw RecoverySheetError.lacking(id)
    }
  }

  /// Encodes a key as four lines: four bytes of id, four of the day of creation, 32 of the key.
  private static func codes(of key: KeyRing.Key, number: Int) -> [String] {
    var bytes = withUnsafeBytes(of: key.id.rawValue.bigEndian, Array.init)
    bytes += withUnsafeBytes(of: UInt32(key.created.daysSince1970).bigEndian, Array.init)
    bytes += key.secret.withUnsafeBytes(Array.init)
    defer { bytes.wipe() }
    return SheetCode.lines(bytes, number: number)
  }

  private static func key(
    _ number: Int, _ parts: [String: [UInt8]]
  ) throws(RecoverySheetError) -> KeyRing.Key {
    var bytes: [UInt8] = []
    defer { bytes.wipe() }
    for line in 1...4 {
      guard let part = parts["\(number)-\(line)"] else { throw .missing(line: "\(number)-\(line)") }
      bytes += part
    }
    guard let secret = SymmetricKey(bytes[8...]) else { throw .contradictory }
    let id = bytes[..<4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    let day = bytes[4..<8].reduce(0) { $0 << 8 | Int($1) }
    return KeyRing.Key(
      id: KeyRing.ID(rawValue: id), created: CalendarDate(daysSince1970: day), secret: secret)
  }

  private static func endLine(_ count: Int) -> String {
    "end  \(count)  check \(SheetCode.check("end", String(count)))"
  }

  private static func keyCount(_ typed: Substring) throws(RecoverySheetError) -> Int {
    let words = typed.split(whereSeparator: \.isWhitespace)
    guard let first = words.first, let count = Int(first), (1...99).contains(count),
      let check = words.last,
      SheetCode.canonical(check).elementsEqual(SheetCode.check("end", String(count)).utf8)
    else { throw .mistyped(line: "end") }
    return count
  }

  /// Returns a label such as `1-3`; nil if the line begins with anything else.
  private static func label(_ word: Substring) -> String? {
    let numbers = word.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let key = numbers[0], let line = numbers[1], (1...99).contains(key),
      (1...4).contains(line)
    else { return nil }
    return "\(key)-\(line)"
  }
}

extension KeyRing {
  /// Throws ``RecoverySheetError`` if the keys of this sheet differ from those of the key file.
  func requireSame(as ring: KeyRing) throws(RecoverySheetError) {
    guard ring.holdsAll(of: self) else { throw .foreign(path: ring.path) }
    // Starts with the newest key, because the right sheet names that one.
    if let missing = ring.ids.last(where: { self[$0] == nil }) { throw .lacking(missing) }
  }
}

/// An error in a typed recovery sheet. No text quotes the typed lines.
enum RecoverySheetError: Error, Equatable, CustomStringConvertible {
  case mistyped(line: String)
  case wrongLength(line: String, count: Int, of: Int)
  case missing(line: String)
  case repeated(line: String)
  case contradictory
  /// The sheet was printed before this key was made, or belongs to another portal.
  case lacking(KeyRing.ID)
  /// The sheet holds a key that the key file lacks.
  case foreign(path: String)

  var description: String {
    switch self {
    case .mistyped(let line):
      "Line \(line) of the recovery sheet does not match its check: compare it with the paper, "
        + "character by character."
    case .wrongLength(let line, let count, let expected):
      "Line \(line) of the recovery sheet has \(count) characters and should have \(expected): "
        + "compare it with the paper."
    case .missing(let line): "Line \(line) of the recovery sheet is missing: type it too."
    case .repeated(let line):
      "Line \(line) of the recovery sheet stands twice, with different characters: keep one sheet's."
    case .contradictory:
      "The lines are not those of one recovery sheet: type all lines of one, and of no other."
    case .lacking(let id):
      "The recovery sheet is old: it lacks the master key \(id), which was made after it was printed. Use "
        + "the sheet that names \(id). While the key file is there, print a new one: polyclinic vault "
        + "sheet. If no sheet of yours names \(id), this one is another portal's."
    case .foreign(let path):
      "The recovery sheet holds a master key that \(path) does not: it is another portal's."
    }
  }
}
