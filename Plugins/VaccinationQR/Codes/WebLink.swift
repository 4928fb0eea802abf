import PolyclinicCore

/// A web link in a code. The portal shows its host and does not open it.
struct WebLink: Sendable, Equatable {
  let address: String
  /// The host in lower case.
  let host: String

  /// Returns nil if the text is not an http or https link. Refuses a link with user information,
  /// because `https://gosuslugi.ru@example.com/` leads to example.com.
  init?(_ text: String) {
    guard let scheme = ["https://", "http://"].first(where: { Self.begins(text, with: $0) }),
      !text.utf8.contains(where: { $0 <= 0x20 || $0 == UInt8(ascii: "\\") })
    else { return nil }
    let authority = text.utf8.dropFirst(scheme.utf8.count).prefix { !"/?#".utf8.contains($0) }
    guard authority.count <= Self.authorityLimit else { return nil }
    let parts = String(decoding: authority, as: UTF8.self).lowercased()
      .split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let host = parts.first, host.contains("."), !host.contains("@"), !host.contains("["),
      parts.count == 1 || parts[1].utf8.allSatisfy(\.isASCIIDigit)
    else { return nil }
    address = text
    self.host = String(host)
  }

  /// The most bytes of host and port. A host name has at most 253 bytes (RFC 1035, 2.3.4), and more
  /// in letters of other scripts.
  private static let authorityLimit = 1_024

  private static func begins(_ text: String, with scheme: String) -> Bool {
    let start = text.utf8.prefix(scheme.utf8.count)
    return String(decoding: start, as: UTF8.self).lowercased().isIdentical(to: scheme)
  }

  /// A service that issues certificates as links.
  enum Service: String, CaseIterable, Sendable {
    case gosuslugi
    case mos

    fileprivate var domains: [String] {
      switch self {
      case .gosuslugi: ["gosuslugi.ru", "госуслуги.рф", "xn--c1aapkosapc.xn--p1ai"]
      case .mos: ["mos.ru"]
      }
    }
  }

  var service: Service? {
    Service.allCases.first { service in
      service.domains.contains { host == $0 || host.hasSuffix("." + $0) }
    }
  }

  var title: Text {
    service.map { Text("code.link.\($0.rawValue)") } ?? Text("code.link.other", ["host": host])
  }
}
