import PolyclinicCore

/// What is kept of a notice, sealed.
struct Letter {
  /// The module and its kind, such as `appointments/reminder`.
  let kind: String
  let text: Text
  /// The text as it was when it was sent, in the language that its reader spoke then: what is read
  /// where the module has gone, or has changed its words.
  let wording: String
  let path: Path

  init(kind: String, text: Text, wording: String, path: Path) {
    self.kind = kind
    self.text = text
    self.wording = wording
    self.path = path
  }

  /// Throws `UnsealingError` for a notice of another row or person.
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
  /// The words of a module, also of one that is off, in a language; nil where they are not there.
  func wording(of text: Text, in language: Language) -> String? {
    let member = members.first { $0.module.id == text.module }
    guard let words = member?.phrasebook ?? (text.module == nil ? phrasebook : nil),
      words.contains(text.key, in: language)
    else { return nil }
    return words.string(text, in: language)
  }
}
