import PolyclinicCore

/// A link to a web page that a code holds. The portal names its host and does not open it.
struct WebLink: Sendable, Equatable {
  let address: String
  /// In lower case.
  let host: String

  /// Nil for text that is no link of http or https. A link with a user's name is not taken for one, because
  /// `https://gosuslugi.ru@example.com/` leads to example.com.
  init?(_ text: String) {
    let lower = text.lowercased()
    guard let scheme = ["https://", "http://"].first(where: lower.hasPrefix),
      !text.unicodeScalars.contains(where: { $0.value <= 0x20 || $0 == "\\" })
    else { return nil }
    let authority = lower.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
    let parts = authority.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let host = parts.first, host.contains("."), !host.contains("@"), !host.contains("["),
      parts.count == 1 || parts[1].utf8.allSatisfy(\.isASCIIDigit)
    else { return nil }
    address = text
    self.host = String(host)
  }

  /// A service whose links are known as certificates.
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
