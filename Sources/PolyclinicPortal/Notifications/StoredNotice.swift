import PolyclinicCore
import PolyclinicWeb

/// The stored content of a notice, sealed.
struct StoredNotice {
  /// The module and the kind, such as `appointments/reminder`.
  let kind: String
  let text: Text
  /// The text as sent, in the reader's language at that time. It is shown if the module is gone or
  /// no longer has these words.
  let wording: String
  let path: Path

  init(kind: String, text: Text, wording: String, path: Path) {
    self.kind = kind
    self.text = text
    self.wording = wording
    self.path = path
  }

  /// Throws `UnsealingError` if the notice is of another row or person.
  init(opening sealed: Sealed, id: ID<Notice>, by keys: Keys) throws {
    var bytes = ByteReader(
      try keys.open(sealed, as: "notifications.sealed", row: id.rawValue))
    kind = try bytes.string()
    text = try bytes.text()
    wording = try bytes.string()
    path = Path(local: try bytes.string()) ?? "/notifications"
  }

  func sealed(id: ID<Notice>, by keys: Keys) throws -> Sealed {
    var bytes = ByteWriter()
    bytes.write(kind)
    bytes.write(text)
    bytes.write(wording)
    bytes.write(path.description)
    return try keys.seal(bytes.bytes, as: "notifications.sealed", row: id.rawValue)
  }
}

extension Installation {
  /// Returns the text in the words of its module, even if the module is off; nil if the words do
  /// not exist.
  func wording(of text: Text, in language: Language) -> String? {
    let member = members.first { $0.module.id == text.module }
    guard let words = member?.phrasebook ?? (text.module == nil ? phrasebook : nil),
      words.contains(text.key, in: language)
    else { return nil }
    return words.string(text, in: language)
  }
}
