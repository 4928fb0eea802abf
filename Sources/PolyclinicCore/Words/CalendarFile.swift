/// Events as other calendars read them: iCalendar (RFC 5545).
public struct CalendarFile: Sendable {
  /// What a calendar that subscribes to it calls it; nil for a file that is taken once.
  public var title: String?
  /// In the order in which they are written.
  public var events: [CalendarEvent]
  /// How soon a calendar that subscribes to it should ask again (RFC 7986, 5.7); nil for a file that is
  /// taken once.
  public var refresh: Seconds?

  /// A file of these events.
  public init(title: String? = nil, _ events: [CalendarEvent], refresh: Seconds? = nil) {
    self.title = title
    self.events = events
    self.refresh = refresh
  }

  /// The media type (RFC 5545, 8.1).
  public static let mediaType: StaticString = "text/calendar; charset=utf-8"

  /// The file as it stands at a moment, which its events bear as DTSTAMP.
  public func bytes(at now: Instant) -> [UInt8] {
    var lines = ContentLineWriter()
    begin(&lines)
    for event in events { event.write(to: &lines, at: now) }
    lines.write("END", "VCALENDAR")
    return lines.bytes
  }

  /// Writes a file of any number of events, one by one: `events` passes each to the function that it gets.
  public static func write(
    to sink: ByteSink, at now: Instant,
    _ events: ((CalendarEvent) throws -> Void) throws -> Void
  ) throws {
    var lines = ContentLineWriter()
    CalendarFile([]).begin(&lines)
    try events { event in
      event.write(to: &lines, at: now)
      try lines.flush(to: sink)
    }
    lines.write("END", "VCALENDAR")
    try lines.flush(to: sink)
  }

  private func begin(_ lines: inout ContentLineWriter) {
    lines.write("BEGIN", "VCALENDAR")
    lines.write("VERSION", "2.0")
    lines.write("PRODID", "-//Polyclinic//Polyclinic//EN")
    lines.write("CALSCALE", "GREGORIAN")
    lines.write("METHOD", "PUBLISH")
    if let title {
      lines.write("NAME", text: title)
      // What calendars read that are older than RFC 7986.
      lines.write("X-WR-CALNAME", text: title)
    }
    if let refresh {
      lines.write("REFRESH-INTERVAL;VALUE=DURATION", refresh.calendarDuration)
      lines.write("X-PUBLISHED-TTL", refresh.calendarDuration)
    }
  }
}

/// Something that takes place, as another calendar is told of it.
public struct CalendarEvent: Sendable {
  /// The same for ever, and in no other calendar: a name, an `@` and a host (RFC 7986, 5.3).
  public let id: String
  /// When it takes place; empty where only its beginning is known.
  public let span: Range<Instant>
  /// What it is; anybody who looks over a shoulder reads it.
  public let summary: String
  /// What is known besides; nil for nothing.
  public var details: String?
  /// Where, in words; nil where it is not said.
  public var location: String?
  /// Where on the earth; nil where it is not known.
  public var coordinates: Coordinates?
  /// How often it was changed: calendars take what has the higher number.
  public var sequence = 0
  /// When it was last changed; nil where that is not known.
  public var changedAt: Instant?
  /// Whether it takes place.
  public var status = Status.confirmed
  /// How long before it begins one is reminded; none for an event that did not take place.
  public var reminders: [Seconds] = []

  /// Whether an event takes place (RFC 5545, 3.8.1.11).
  public enum Status: String, Sendable {
    case confirmed = "CONFIRMED"
    case cancelled = "CANCELLED"
  }

  /// An event of which no more is said.
  public init(id: String, _ span: Range<Instant>, summary: String) {
    self.id = id
    self.span = span
    self.summary = summary
  }

  fileprivate func write(to lines: inout ContentLineWriter, at now: Instant) {
    lines.write("BEGIN", "VEVENT")
    lines.write("UID", text: id)
    lines.write("DTSTAMP", now.basicText)
    lines.write("DTSTART", span.lowerBound.basicText)
    // Of an event without a length it is not known how long it takes; DTEND would have to be later.
    if !span.isEmpty { lines.write("DTEND", span.upperBound.basicText) }
    lines.write("SUMMARY", text: summary)
    if let details { lines.write("DESCRIPTION", text: details) }
    if let location { lines.write("LOCATION", text: location) }
    if let coordinates { lines.write("GEO", coordinates.written(separator: ";")) }
    lines.write("SEQUENCE", String(sequence))
    if let changedAt { lines.write("LAST-MODIFIED", changedAt.basicText) }
    lines.write("STATUS", status.rawValue)
    lines.write("CLASS", "PRIVATE")
    if status == .confirmed {
      for reminder in reminders { write(reminder, to: &lines) }
    }
    lines.write("END", "VEVENT")
  }

  private func write(_ reminder: Seconds, to lines: inout ContentLineWriter) {
    lines.write("BEGIN", "VALARM")
    lines.write("ACTION", "DISPLAY")
    lines.write("DESCRIPTION", text: summary)
    lines.write("TRIGGER", "-" + reminder.calendarDuration)
    lines.write("END", "VALARM")
  }
}

extension Seconds {
  /// `P1D` or `PT2H30M` (RFC 5545, 3.3.6), to whole minutes.
  fileprivate var calendarDuration: String {
    let minutes = max(1, count / 60)
    if minutes % 1_440 == 0 { return "P\(minutes / 1_440)D" }
    let hours = minutes / 60 > 0 ? "\(minutes / 60)H" : ""
    let rest = minutes % 60 > 0 ? "\(minutes % 60)M" : ""
    return "PT\(hours)\(rest)"
  }
}
