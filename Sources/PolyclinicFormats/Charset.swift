import Foundation
import PolyclinicCore

extension String {
  /// Decodes bytes in the encoding with that IANA name, in any case; also the legacy encodings that
  /// files of older programs use.
  ///
  /// Returns nil for an unknown encoding, for bytes invalid in it, and for text that
  /// `IncomingText` refuses.
  public init?(_ bytes: some Sequence<UInt8>, charset name: String) {
    let bytes = Array(bytes)
    let text =
      switch name.lowercased() {
      case "", "utf-8", "utf8", "us-ascii": IncomingText(bytes).text
      case let name:
        Self.encodings[name].flatMap { String(bytes: bytes, encoding: $0) }
          .flatMap { IncomingText($0.utf8).text }
      }
    guard let text else { return nil }
    self = text
  }

  /// The encodings of telephones and mail programs sold where the portal's languages are read.
  /// Encodings without a Foundation constant are CoreFoundation's number (CFStringEncodingExt.h)
  /// with the highest bit set.
  private static let encodings: [String: String.Encoding] = [
    "iso-8859-1": .isoLatin1, "iso-8859-2": .isoLatin2, "windows-1250": .windowsCP1250,
    "windows-1251": .windowsCP1251, "windows-1252": .windowsCP1252,
    "iso-8859-5": String.Encoding(rawValue: 0x8000_0205),
    "iso-8859-8": String.Encoding(rawValue: 0x8000_0208),
    "windows-1255": String.Encoding(rawValue: 0x8000_0505),
    "koi8-r": String.Encoding(rawValue: 0x8000_0A02),
  ]
}

/// A file of text in UTF-8, which may have been written in another encoding.
public struct DecodedFile: Sendable {
  /// The text in UTF-8. The bytes of the file if it is in none of the known encodings, so that a
  /// reader of them can say where.
  public let utf8: [UInt8]
  /// The name of the code page of Windows that was taken for want of a better one; nil if the bytes
  /// themselves show their encoding.
  public let codePage: String?

  /// Decodes UTF-8, UTF-16 with a byte order mark, and else the code page in which spreadsheets of
  /// a reader's language write plain CSV.
  public init(_ bytes: [UInt8], for language: Language) {
    let text = Self.utf16(bytes) ?? bytes
    guard IncomingText(text).fault == .encoding, let decoded = Self.codePage(bytes, language)
    else {
      (utf8, codePage) = (text, nil)
      return
    }
    (utf8, codePage) = (Array(decoded.text.utf8), decoded.name)
  }

  /// Decodes the code page of a language; nil for bytes that it leaves open.
  private static func codePage(
    _ bytes: [UInt8], _ language: Language
  ) -> (text: String, name: String)? {
    let name =
      switch language {
      case .english: "Windows-1252"
      case .russian: "Windows-1251"
      case .hebrew: "Windows-1255"
      }
    // Foundation decodes some of the bytes that are left open as control characters.
    guard let text = String(bytes, charset: name),
      !text.unicodeScalars.contains(where: { ("\u{80}"..."\u{9F}").contains($0) })
    else { return nil }
    return (text, name)
  }

  /// Decodes UTF-16 with a byte order mark; nil for any other bytes.
  private static func utf16(_ bytes: [UInt8]) -> [UInt8]? {
    let isBigEndian = bytes.starts(with: [0xFE, 0xFF])
    guard isBigEndian || bytes.starts(with: [0xFF, 0xFE]), bytes.count.isMultiple(of: 2) else {
      return nil
    }
    let units = stride(from: 2, to: bytes.count, by: 2).map { start in
      let (high, low) = isBigEndian ? (start, start + 1) : (start + 1, start)
      return UInt16(bytes[high]) << 8 | UInt16(bytes[low])
    }
    return String(validating: units, as: UTF16.self).map { Array($0.utf8) }
  }
}
