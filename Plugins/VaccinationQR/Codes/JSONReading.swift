import Foundation
import PolyclinicCore

extension JSON {
  /// Returns the value of a member; nil if this is not an object.
  subscript(name: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name.isIdentical(to: name) }?.value
  }

  var string: String? { if case .string(let text) = self { text } else { nil } }

  /// The values of an array; empty for other values.
  var items: [JSON] { if case .array(let items) = self { items } else { [] } }

  /// The text of a string, a number or a Boolean.
  var scalar: String? {
    switch self {
    case .string(let text), .written(let text): text
    case .integer(let number): "\(number)"
    case .boolean(let value): "\(value)"
    default: nil
    }
  }

  /// The time of a NumericDate (RFC 7519, 2) in seconds, with or without a fraction.
  var instant: Instant? {
    guard case .written(let text) = self, let seconds = Double(text) else { return nil }
    return Int64(exactly: seconds.rounded(.down)).map(Instant.init)
  }
}

extension [UInt8] {
  /// Decodes Base64url without padding (RFC 7515, 2). Returns nil for other text.
  init?(base64URL text: some Collection<UInt8>) {
    guard text.allSatisfy({ $0.isASCIILetterOrDigit || "-_".utf8.contains($0) }) else { return nil }
    let standard = String(decoding: text, as: UTF8.self)
      .replacing("-", with: "+").replacing("_", with: "/")
    let padding = String(repeating: "=", count: (4 - text.count % 4) % 4)
    guard let data = Data(base64Encoded: standard + padding) else { return nil }
    self.init(data)
  }
}
