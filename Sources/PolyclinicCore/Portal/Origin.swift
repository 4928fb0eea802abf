extension Portal {
  /// The portal's origin in browsers: `https`, a host and a port.
  public struct Origin: Sendable, Hashable, CustomStringConvertible {
    /// The host: a name in lower-case ASCII, an IPv4 address, or an IPv6 address in brackets.
    public let host: String
    /// The port, 1 to 65535.
    public let port: Int

    /// Creates an origin; the host must already have the form of ``host``.
    package init(host: String, port: Int) {
      self.host = host
      self.port = port
    }

    /// Parses `https://host` or `https://host:port`, with an optional slash at the end; nil for any
    /// other text.
    public init?(_ text: String) {
      guard text.hasPrefix("https://") else { return nil }
      var rest = text.dropFirst("https://".count)
      if rest.last == "/" { rest = rest.dropLast() }
      var port = 443
      let bracketed = rest.hasPrefix("[")
      let end =
        bracketed
        ? rest.firstIndex(of: "]").map { rest.index(after: $0) } : rest.firstIndex(of: ":")
      if let end, end < rest.endIndex {
        let digits = rest[end...].dropFirst()
        guard rest[end] == ":", let number = Int(digits), Self.ports.contains(number),
          digits.allSatisfy(\.isNumber)
        else { return nil }
        port = number
        rest = rest[..<end]
      }
      guard Self.isHost(rest) else { return nil }
      self.init(host: String(rest), port: port)
    }

    package static let ports = 1...65_535

    /// The origin as browsers write it (RFC 6454, 6.2), without the default port 443.
    public var description: String { "https://\(authority)" }

    /// The required value of the `Host` header: the host, and the port unless it is 443.
    package var authority: String { port == 443 ? host : "\(host):\(port)" }

    /// True if the host is a loopback address or `localhost`, so that only this machine can reach
    /// the portal.
    package var isLocal: Bool { ["localhost", "127.0.0.1", "[::1]"].contains(host) }

    /// True if the host is an IP address and not a name. A last label of digits is the end of an
    /// IPv4 address (URL Standard, 3.5).
    package var isAddress: Bool {
      host.hasPrefix("[") || host.split(separator: ".").last?.allSatisfy(\.isNumber) ?? true
    }

    private static func isHost(_ host: Substring) -> Bool {
      if host.hasPrefix("[") {
        return host.hasSuffix("]") && host.count > 3
          && host.dropFirst().dropLast().allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
      }
      let labels = host.split(separator: ".", omittingEmptySubsequences: false)
      return host.utf8.count <= 253
        && labels.allSatisfy { label in
          (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
            && label.utf8.allSatisfy {
              (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "-")
            }
        }
    }
  }
}
