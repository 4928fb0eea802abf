/// The reason for which a file that somebody sent was not taken.
public enum UnreadableDocument: String, Error, Sendable, CaseIterable {
  /// There is nothing in it.
  case empty
  /// It is none of the four formats.
  case unsupported
  /// It is a photo in Apple's format, which iPhones send as JPEG where they are asked to.
  case heic
  /// It ends too early, or is not what its first bytes say.
  case damaged
  /// Its picture has more than 40 megapixels.
  case tooManyPixels = "too-many-pixels"
  /// It is a moving picture.
  case animated
  /// It opens with a password only.
  case password
  /// Reading it took too long.
  case slow
  /// It has more bytes than are taken.
  case tooLarge = "too-large"

  /// The sentence for the person, in the shared catalog.
  public var text: Text { Text("document.\(rawValue)") }
}

extension Context {
  /// The document that was sent in a field of a form. Throws ``Refusal/invalid(_:_:)`` where none was sent,
  /// or it cannot be read.
  ///
  /// One document is decoded at a time in each process of the portal.
  public func document(in field: String, limit: Int) throws -> Document {
    let file = request.files[field] ?? []
    if file.isEmpty { throw Refusal.invalid(field, UnreadableDocument.empty.text) }
    if file.count > limit { throw Refusal.invalid(field, UnreadableDocument.tooLarge.text) }
    do {
      return try submissions.readingFile(of: .max) { try DocumentDecoder.decode(file) }
    } catch let unreadable as UnreadableDocument {
      throw Refusal.invalid(field, unreadable.text)
    }
  }

  /// A code that says `payload`, drawn anew; throws ``Refusal/invalid(_:_:)`` for the field that it came in
  /// where it cannot be drawn.
  public func drawing(of payload: [UInt8], in field: String) throws -> QRCode {
    do { return try DocumentDecoder.draw(payload) } catch let unreadable as UnreadableDocument {
      throw Refusal.invalid(field, unreadable.text)
    }
  }
}
