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
