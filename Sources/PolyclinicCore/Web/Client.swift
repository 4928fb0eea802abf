/// The browser or the program that sent a request, as its headers describe it.
package struct Client: Sendable {
  /// The IP address.
  package let address: String
  package let userAgent: String
  /// The header `Cookie` (RFC 6265).
  package let cookies: String

  package init(address: String = "", userAgent: String = "", cookies: String = "") {
    self.address = address
    self.userAgent = userAgent
    self.cookies = cookies
  }

  /// Returns the value of the first cookie with this name.
  package func cookie(_ name: String) -> String? {
    var (name, header) = (name, cookies)
    // Compares bytes, because comparing characters took a tenth of the time of a page.
    return header.withUTF8 { header in
      name.withUTF8 { name in Self.value(name, in: header) }
    }
  }

  private static func value(
    _ name: UnsafeBufferPointer<UInt8>, in header: UnsafeBufferPointer<UInt8>
  ) -> String? {
    var rest = header[...]
    while !rest.isEmpty {
      let end = rest.firstIndex(of: UInt8(ascii: ";")) ?? rest.endIndex
      let pair = rest[..<end].drop { $0 == UInt8(ascii: " ") }
      if pair.starts(with: name), pair.dropFirst(name.count).first == UInt8(ascii: "=") {
        return String(decoding: pair.dropFirst(name.count + 1), as: UTF8.self)
      }
      rest = rest[end...].dropFirst()
    }
    return nil
  }

  /// Returns the name of a module's cookie.
  static func name(_ name: String, of module: ModuleID) -> String { "__Host-\(module)-\(name)" }

  /// True if the value may stand in a module's cookie.
  static func isKeepable(_ value: String) -> Bool {
    (1...64).contains(value.utf8.count)
      && value.utf8.allSatisfy {
        $0.isASCIILetterOrDigit || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-")
      }
  }
}
