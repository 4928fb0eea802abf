import Glibc

/// The text of a network address.
package enum IPAddress {
  /// True for an IPv4 or IPv6 address as inet_pton(3) reads it.
  package static func isValid(_ text: String) -> Bool {
    var address = in6_addr()
    return inet_pton(AF_INET, text, &address) == 1 || inet_pton(AF_INET6, text, &address) == 1
  }
}
