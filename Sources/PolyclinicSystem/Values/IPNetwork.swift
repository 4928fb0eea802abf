import Foundation

/// The part of an IP address that one household or machine usually has for itself.
package struct IPNetwork {
  /// The network of an address:
  ///
  /// - IPv4, also in IPv6 notation: the address itself.
  /// - IPv6: the /64, which one household or machine usually gets (RFC 6177).
  /// - Anything else, such as `unix:`: the text unchanged.
  package let name: String

  /// True for an IPv4 or IPv6 address in numbers.
  package static func isAddress(_ text: String) -> Bool {
    var parsed = in6_addr()
    return inet_pton(AF_INET6, text, &parsed) == 1 || inet_pton(AF_INET, text, &parsed) == 1
  }

  package init(of address: String) {
    var parsed = in6_addr()
    guard inet_pton(AF_INET6, address, &parsed) == 1 else {
      name = address
      return
    }
    let bytes = withUnsafeBytes(of: &parsed, Array.init)
    let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xff && bytes[11] == 0xff
    name =
      isMapped
      ? bytes[12...].map(String.init).joined(separator: ".")
      : bytes[..<8].map { String($0, radix: 16) }.joined(separator: ":") + "::/64"
  }
}
