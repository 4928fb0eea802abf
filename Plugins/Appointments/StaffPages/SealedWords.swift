import Foundation
import PolyclinicCore

/// The words of a search in an address, readable only with the key of the person who typed them.
enum SealedWords {
  private static let name: StaticString = "appointments_search.words"
  /// The maximum number of Unicode scalars. Sealed, they fill a quarter of the header that nginx accepts (4 kB).
  private static let most = 200

  /// Returns the words sealed, in Base64url (RFC 4648, 5), shortened to a length that fits into an address.
  static func seal(_ words: String, by keys: Keys) throws -> String {
    let shown = String(String.UnicodeScalarView(words.unicodeScalars.prefix(most)))
    let sealed = try keys.seal(Array(shown.utf8), as: name, row: 0)
    return Data(sealed.bytes).base64EncodedString()
      .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  /// Returns the words; empty for a text that was not sealed with these keys.
  static func open(_ text: String, by keys: Keys) -> String {
    let standard = text.replacing("-", with: "+").replacing("_", with: "/")
    let padding = String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4)
    guard let bytes = Data(base64Encoded: standard + padding) else { return "" }
    do {
      return IncomingText(try keys.open(Sealed(Array(bytes)), as: name, row: 0)).repaired
    } catch { return "" }
  }
}
