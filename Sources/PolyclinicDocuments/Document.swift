import PolyclinicCore

/// A picture or a PDF that a user has sent, decoded and encoded again. Only the picture remains: no
/// bytes of the original file, and no metadata.
public struct Document: Sendable {
  /// The pages in order. A picture is one page.
  public var pages: [Page] = []
  /// True for a PDF with more pages than were read.
  public var hasMorePages = false

  /// One page of a document.
  public struct Page: Sendable {
    /// The whole page, upright, at most 2400 pixels on the longer side.
    public let picture: Picture
    /// The same picture, at most 320 pixels on the longer side.
    public var thumbnail: Picture?
    /// The codes found on the page, in reading order.
    public var codes: [QRCode] = []
  }
}

/// A PNG or JPEG that the portal itself has encoded.
public struct Picture: Sendable, Equatable {
  /// The file's bytes.
  public let bytes: [UInt8]

  /// Creates a picture. Throws `DecodingFailure` for bytes that begin neither as a PNG nor as a
  /// JPEG.
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
  /// The extension of the file's name.
  public var suffix: StaticString { bytes.starts(with: Self.png) ? "png" : "jpg" }
}

/// A QR code (ISO/IEC 18004).
public struct QRCode: Sendable {
  /// The bytes that the code contains.
  public let payload: [UInt8]
  /// The code drawn again; nil if reading the drawing would not return the same bytes.
  public var drawing: Drawing?

  /// A drawing of a code, sharp at any size.
  public struct Drawing: Sendable {
    /// The dark and light modules.
    public let grid: ModuleGrid
    /// The code as a picture of about 1000 pixels.
    public let picture: Picture
  }
}
