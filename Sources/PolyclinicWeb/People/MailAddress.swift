import PolyclinicCore
import PolyclinicVault

/// An e-mail address in the plain form of RFC 5322, 3.4.1: letters, digits and a few signs, an `@`,
/// and a domain. It cannot end a header, add a second address or begin a comment.
package struct MailAddress: Sendable, Hashable {
  package let text: String

  /// Returns nil for any other text, including addresses in other scripts, which few mail servers
  /// accept (RFC 6531).
  package init?(_ text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
    guard parts.count == 2, text.utf8.count <= 254, parts[0].count <= 64,
      Self.isDotted(parts[0], of: { $0.isASCIILetterOrDigit || Self.signs.contains($0) }),
      Self.isDotted(parts[1], of: { $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "-") }),
      parts[0].first != UInt8(ascii: "-")
    else { return nil }
    self.text = text
  }

  /// Returns the keyed hash by which the database finds a confirmed address.
  package func hash(by vault: Vault) -> [UInt8] { vault.lookup("mail-address", text.lowercased()) }

  /// The signs that an atom may contain besides letters and digits (RFC 5322, 3.2.3).
  private static let signs = Set("!#$%&'*+-/=?^_`{|}~".utf8)

  /// True if the text is one or more words of allowed characters, joined by full stops.
  private static func isDotted(
    _ text: Substring.UTF8View, of isAllowed: (UInt8) -> Bool
  ) -> Bool {
    text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      .allSatisfy { !$0.isEmpty && $0.allSatisfy(isAllowed) }
  }
}

/// An address with an optional name: `Riverside <desk@clinic.example>` or the address alone.
package struct Mailbox: Sendable, Hashable {
  package let name: String
  package let address: MailAddress

  package init?(_ text: String) {
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
  /// Returns the text without its quotation marks, if it has any.
  fileprivate func trimmingQuotes() -> String {
    count > 1 && first == "\"" && last == "\"" ? String(dropFirst().dropLast()) : self
  }
}
