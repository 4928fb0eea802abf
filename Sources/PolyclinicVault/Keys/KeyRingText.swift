import PolyclinicCore
import PolyclinicCryptography
import PolyclinicSystem

/// The text format of a key file; see ``RecoverySheet`` for the paper format.
///
/// ```
/// polyclinic key ring 1
/// 1f2e3d4c 2026-05-01 q83vEjRWeJC… 9a8b7c6d
/// end 1
/// ```
///
/// Each key has a line, newest last. Its four words are:
/// 1. the id,
/// 2. the day of creation,
/// 3. the 32 bytes in base64,
/// 4. a check: the first eight hexadecimal digits of the SHA-256 of the line before it, without the
///    space.
///
/// The last line contains the number of keys, so that a file that lost its newest keys is detected.
extension KeyRing {
  private static let heading = Array("polyclinic key ring 1".utf8)
  private static let anyHeading = Array("polyclinic key ring ".utf8)
  private static let space = UInt8(ascii: " ")

  /// The file's bytes, which the caller must wipe.
  var text: [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(64 + keys.count * 80)
    text += Self.heading
    text.append(UInt8(ascii: "\n"))
    for key in keys {
      let start = text.count
      text += Array("\(key.id) \(key.created) ".utf8)
      var secret = key.secret.withUnsafeBytes(Array.init)
      var digits = Base64.standard.encoded(secret)
      text += digits
      secret.wipe()
      digits.wipe()
      text += Array(" \(Self.check(text[start...]))\n".utf8)
    }
    text += Array("end \(keys.count)\n".utf8)
    return text
  }

  /// Reads a ``text``. Throws ``KeyRingError/malformed(path:line:_:)``.
  init(_ text: [UInt8], path: String) throws(KeyRingError) {
    var lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    while let last = lines.last, last.isEmpty { lines.removeLast() }
    guard let first = lines.first, first.elementsEqual(Self.heading) else {
      let isNewer = lines.first?.starts(with: Self.anyHeading) ?? false
      throw .malformed(path: path, line: 1, isNewer ? .newerFormat : .notAKeyRing)
    }
    var keys: [Key] = []
    for (index, line) in lines.enumerated().dropFirst() {
      let number = index + 1
      if line.elementsEqual("end \(keys.count)".utf8), let newest = keys.last {
        guard number == lines.count else {
          throw .malformed(path: path, line: number + 1, .trailing)
        }
        self.init(newest: newest, older: Array(keys.dropLast()), path: path)
        return
      }
      if line.starts(with: "end ".utf8) {
        throw .malformed(path: path, line: number, .truncated)
      }
      do throws(KeyRingError.Defect) {
        let key = try Self.key(line)
        guard !keys.contains(where: { $0.id == key.id }) else {
          throw KeyRingError.Defect.duplicate
        }
        keys.append(key)
      } catch {
        throw .malformed(path: path, line: number, error)
      }
    }
    throw .malformed(path: path, line: lines.count, .truncated)
  }

  private static func key(_ line: ArraySlice<UInt8>) throws(KeyRingError.Defect) -> Key {
    let words = line.split(separator: space, omittingEmptySubsequences: false)
    guard words.count == 4, words[0].count == 8,
      let id = UInt32(String(decoding: words[0], as: UTF8.self), radix: 16),
      let created = CalendarDate(String(decoding: words[1], as: UTF8.self))
    else { throw .notAKey }
    guard words[3].elementsEqual(check(line[..<(words[2].endIndex)]).utf8) else { throw .mistyped }
    guard var bytes = Base64.standard.decoded(words[2]) else { throw .notAKey }
    defer { bytes.wipe() }
    guard let secret = SymmetricKey(bytes) else { throw .notAKey }
    return Key(id: ID(rawValue: id), created: created, secret: secret)
  }

  private static func check(_ text: ArraySlice<UInt8>) -> String {
    let start = SHA256.digest(of: text).prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return ID(rawValue: start).description
  }
}

extension KeyRingError.Defect: Error {}
