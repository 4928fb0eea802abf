import PolyclinicCore

/// The reason why a file that a user sent was rejected.
public enum UnreadableDocument: String, Error, Sendable, CaseIterable {
  /// The file is empty.
  case empty
  /// The file has none of the four supported formats.
  case unsupported
  /// The file is a photo in Apple's format (HEIC). iPhones send it as JPEG if they are asked to.
  case heic
  /// The file ends too early, or does not match its first bytes.
  case damaged
  /// The picture has more than 40 megapixels.
  case tooManyPixels = "too-many-pixels"
  /// The picture is animated.
  case animated
  /// The file needs a password.
  case password
  /// Reading the file took too much of the processor's time.
  case slow
  /// The machine was too busy to read the file in time.
  case busy
  /// The file has more bytes than the limit.
  case tooLarge = "too-large"

  /// The message for the user, in the shared catalog.
  public var text: Text { Text("document.\(rawValue)") }
}

extension Context {
  /// Decodes the document that was sent in a field of a form. Throws ``Refusal/invalid(_:_:)`` if
  /// none was sent or if it cannot be read.
  ///
  /// Each process of the portal decodes one document at a time.
  public func document(in field: String, limit: Int) throws -> Document {
    try decoded(from: field, limit: limit, DocumentDecoder.decode)
  }

  /// Redraws the picture that was sent in a field of a form as a small square portrait. Throws as
  /// ``document(in:limit:)``; a PDF is no picture.
  public func portrait(in field: String, limit: Int) throws -> Picture {
    try decoded(from: field, limit: limit, DocumentDecoder.portrait)
  }

  private func decoded<Decoded>(
    from field: String, limit: Int, _ decode: ([UInt8]) throws -> Decoded
  ) throws -> Decoded {
    let file = request.files[field] ?? []
    if file.isEmpty { throw Refusal.invalid(field, UnreadableDocument.empty.text) }
    if file.count > limit { throw Refusal.invalid(field, UnreadableDocument.tooLarge.text) }
    do {
      return try admission.readingFile(of: .max) { try decode(file) }
    } catch let unreadable as UnreadableDocument {
      throw Refusal.invalid(field, unreadable.text)
    }
  }

  /// Draws a code that contains `payload`. Throws ``Refusal/invalid(_:_:)`` for `field`, from which
  /// the payload came, if it cannot be drawn.
  public func drawing(of payload: [UInt8], in field: String) throws -> QRCode {
    do { return try DocumentDecoder.draw(payload) } catch let unreadable as UnreadableDocument {
      throw Refusal.invalid(field, unreadable.text)
    }
  }
}
