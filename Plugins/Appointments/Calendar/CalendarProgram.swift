import PolyclinicCore

/// A calendar program that can follow a feed by a link.
enum CalendarProgram: String, CaseIterable, Sendable {
  case apple, google, outlook

  /// Returns the link that subscribes to the feed at a path. `webcal:` opens the program of the
  /// device, which Apple's devices, Thunderbird and Outlook register; the others are pages of the
  /// services.
  func subscription(to path: Path, of origin: Portal.Origin) -> OutsideLink {
    let address = "webcal://\(origin.authority)\(path)"
    let encoded = percentEncoded(address)
    return switch self {
    case .apple: OutsideLink(description: address)
    case .google:
      OutsideLink(description: "https://calendar.google.com/calendar/r?cid=\(encoded)")
    case .outlook:
      OutsideLink(
        description: "https://outlook.live.com/calendar/0/addfromweb?url=\(encoded)")
    }
  }
}
