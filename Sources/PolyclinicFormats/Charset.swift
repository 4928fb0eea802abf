import Foundation
import PolyclinicCore

/// Decodes text in the legacy encodings that files of older programs use.
public enum Charset {
  /// Decodes bytes in the encoding with that IANA name, in any case.
  ///
  /// Returns nil for an unknown encoding, for bytes invalid in it, and for text that
  /// `IncomingText` refuses.
  public static func text(_ bytes: some Sequence<UInt8>, in name: String) -> String? {
    let bytes = Array(bytes)
    switch name.lowercased() {
    case "", "utf-8", "utf8", "us-ascii": return IncomingText(bytes).text
    case let name:
      return encodings[name].flatMap { String(bytes: bytes, encoding: $0) }
        .flatMap { IncomingText($0.utf8).text }
    }
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
