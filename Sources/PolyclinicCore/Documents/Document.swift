/// A picture or a PDF that somebody has sent, decoded and written anew: nothing is left of the bytes that were
/// sent, nor of what they said besides the picture.
public struct Document: Sendable {
  /// The pages, in their order; a picture is one page.
  public var pages: [Page] = []
  /// True for a PDF with more pages than were read.
  public var hasMorePages = false

  /// One page.
  public struct Page: Sendable {
    /// The whole page, upright, at most 2400 pixels on the longer side.
    public let picture: Picture
    /// The same, at most 320 pixels on the longer side.
    public var thumbnail: Picture?
    /// The codes that were found on it, in reading order.
    public var codes: [QRCode] = []
  }
}

/// A PNG or a JPEG that the portal itself has written.
public struct Picture: Sendable, Equatable {
  /// The file's bytes.
  public let bytes: [UInt8]

  /// A picture; throws ``DecodingFailure`` for bytes that begin neither as a PNG nor as a JPEG.
  public init(_ bytes: [UInt8]) throws {
    guard bytes.starts(with: Self.png) || bytes.starts(with: Self.jpeg) else {
      throw DecodingFailure()
    }
    self.bytes = bytes
  }

  private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47]
  private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF]

  /// The media type (RFC 2046; PNG, third edition).
  public var type: StaticString { bytes.starts(with: Self.png) ? "image/png" : "image/jpeg" }
  /// The ending of the file's name.
  public var suffix: StaticString { bytes.starts(with: Self.png) ? "png" : "jpg" }
}

/// A QR code (ISO/IEC 18004).
public struct QRCode: Sendable {
  /// The bytes that it says.
  public let payload: [UInt8]
  /// The code drawn anew; nil where the drawing would not be read back to the same bytes.
  public var drawing: Drawing?

  /// A code as it is drawn, sharp at any size.
  public struct Drawing: Sendable {
    /// The modules.
    public let grid: ModuleGrid
    /// The same as a picture of about 1000 pixels.
    public let picture: Picture
  }
}
