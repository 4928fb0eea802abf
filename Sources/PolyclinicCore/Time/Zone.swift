import Foundation

/// A time zone of the IANA database, such as `Europe/Minsk`.
public struct Zone: Sendable, Hashable, CustomStringConvertible {
  /// The zone's IANA name, under which it is stored.
  public let identifier: String
  private let timeZone: TimeZone

  /// Coordinated Universal Time.
  public static let utc = Zone("UTC", .gmt)

  /// The names of all zones in this machine's database, in alphabetical order and without older
  /// aliases.
  public static let known: [String] = {
    prepared
    return TimeZone.knownTimeZoneIdentifiers.filter { Zone($0) != nil }.sorted()
  }()

  private init(_ identifier: String, _ timeZone: TimeZone) {
    self.identifier = identifier
    self.timeZone = timeZone
  }

  /// Creates the zone with an IANA name; nil if this machine's database has no such zone or the
  /// name is longer than 64 bytes.
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

  /// Returns the offset from UTC at a moment; negative if the zone's clocks are behind UTC.
  public func offset(at instant: Instant) -> Seconds {
    let date = Date(timeIntervalSince1970: TimeInterval(instant.seconds))
    return Seconds(Int64(timeZone.secondsFromGMT(for: date)))
  }

  /// The zone's IANA name.
  public var description: String { identifier }

  /// True if both have the same IANA name.
  public static func == (one: Zone, other: Zone) -> Bool { one.identifier == other.identifier }
  /// Hashes the IANA name, which ``==(_:_:)`` compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }

  /// A workaround: in a statically linked program `TimeZone(identifier:)` returns nil until an ICU
  /// type was created.
  private static let prepared: Void = { _ = DateFormatter() }()

  private static func isAllowed(_ byte: UInt8) -> Bool {
    byte.isASCIILetterOrDigit || "/_+-".utf8.contains(byte)
  }
}
