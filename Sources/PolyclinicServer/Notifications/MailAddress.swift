import PolyclinicCore

/// An e-mail address as RFC 5322, 3.4.1 writes the plain kind: letters, digits and a few signs, an
/// `@`, and a domain. Nothing in it ends a header, names a second address or begins a comment.
struct MailAddress: Sendable, Hashable {
  let text: String

  /// Nil for anything else, also for addresses in other scripts, which few mail servers take (RFC 6531).
  init?(_ text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
    guard parts.count == 2, text.utf8.count <= 254, parts[0].count <= 64,
      Self.isDotted(parts[0], of: { $0.isASCIILetterOrDigit || Self.signs.contains($0) }),
      Self.isDotted(parts[1], of: { $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "-") }),
      parts[0].first != UInt8(ascii: "-")
    else { return nil }
    self.text = text
  }

  /// What an atom holds besides letters and digits (RFC 5322, 3.2.3).
  private static let signs = Set("!#$%&'*+-/=?^_`{|}~".utf8)

  /// Whether it is words of such characters, joined by full stops.
  private static func isDotted(
    _ text: Substring.UTF8View, of isAllowed: (UInt8) -> Bool
  ) -> Bool {
    text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      .allSatisfy { !$0.isEmpty && $0.allSatisfy(isAllowed) }
  }
}

/// An address with its owner's name: `Riverside <desk@clinic.example>`, or the address alone.
struct Mailbox: Sendable, Hashable {
  let name: String
  let address: MailAddress

  init?(_ text: String) {
    guard text.last == ">", let start = text.lastIndex(of: "<") else {
      guard let address = MailAddress(text) else { return nil }
      self.address = address
      name = ""
      return
    }
    guard let address = MailAddress(String(text[text.index(after: start)...].dropLast())) else {
      return nil
    }
    self.address = address
    name = text[..<start].split(separator: " ").joined(separator: " ")
      .trimmingQuotes()
  }
}

extension String {
  /// The text between quotation marks, or as it is.
  fileprivate func trimmingQuotes() -> String {
    count > 1 && first == "\"" && last == "\"" ? String(dropFirst().dropLast()) : self
  }
}
