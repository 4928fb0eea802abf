import Foundation

/// A time zone of the IANA database, such as `Europe/Minsk`.
public struct Zone: Sendable, Hashable, CustomStringConvertible {
  /// The name under which it is stored.
  public let identifier: String
  private let timeZone: TimeZone

  /// Coordinated Universal Time.
  public static let utc = Zone("UTC", .gmt)

  /// The names of all zones of this machine's database, in alphabetical order, without the older
  /// names that some have.
  public static let known: [String] = {
    prepared
    return TimeZone.knownTimeZoneIdentifiers.filter { Zone($0) != nil }.sorted()
  }()

  private init(_ identifier: String, _ timeZone: TimeZone) {
    self.identifier = identifier
    self.timeZone = timeZone
  }

  /// Nil when the database of this machine has no such zone; at most 64 characters are looked at.
  public init?(_ identifier: String) {
    guard identifier.utf8.count <= 64, identifier.utf8.allSatisfy(Self.isAllowed) else {
      return nil
    }
    if identifier == Self.utc.identifier {
      self = .utc
      return
    }
    Self.prepared
    guard let timeZone = TimeZone(identifier: identifier) else { return nil }
    self.init(identifier, timeZone)
  }

  /// How far its clocks are ahead of UTC at a moment; negative where they are behind.
  public func offset(at instant: Instant) -> Seconds {
    let date = Date(timeIntervalSince1970: TimeInterval(instant.seconds))
    return Seconds(Int64(timeZone.secondsFromGMT(for: date)))
  }

  /// The IANA name.
  public var description: String { identifier }

  /// Whether both have the same IANA name.
  public static func == (one: Zone, other: Zone) -> Bool { one.identifier == other.identifier }
  /// Feeds the hasher the IANA name.
  public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }

  /// In a statically linked program `TimeZone(identifier:)` is nil until an ICU type was made.
  private static let prepared: Void = { _ = DateFormatter() }()

  private static func isAllowed(_ byte: UInt8) -> Bool {
    byte.isASCIILetterOrDigit || "/_+-".utf8.contains(byte)
  }
}
