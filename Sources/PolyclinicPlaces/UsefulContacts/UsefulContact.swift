import PolyclinicCore

/// A telephone number or website for questions about health, or the number that calls an ambulance.
public struct UsefulContact: Sendable, Hashable {
  /// The name that is shown to visitors.
  public let name: Text
  /// The telephone number, as people write it.
  public let phone: String?
  /// The website.
  public let web: OutsideLink?
  /// True for the number that calls an ambulance.
  public let isEmergency: Bool
  /// The page on which the number was found; nil for a contact of the configuration.
  public let source: SourcePage?

  /// Creates a contact with a number, a website, or both.
  public init(
    _ name: Text, phone: String? = nil, web: OutsideLink? = nil, isEmergency: Bool = false,
    source: SourcePage? = nil
  ) {
    self.name = name
    self.phone = phone
    self.web = web
    self.isEmergency = isEmergency
    self.source = source
  }

  /// The link that dials the number; nil if there is no number.
  public var call: OutsideLink? { phone.flatMap(OutsideLink.telephone) }
}

/// A page outside of the portal that supports a statement, and the day on which it was read.
public struct SourcePage: Sendable, Hashable {
  /// The page's address.
  public let page: OutsideLink
  /// The day on which it was read.
  public let read: CalendarDate

  /// Creates a source from the page's address and the day in ISO 8601; nil unless both are valid.
  public init?(_ address: String, read day: String) {
    guard let page = OutsideLink.web(address), let read = CalendarDate(day) else { return nil }
    self.page = page
    self.read = read
  }
}
