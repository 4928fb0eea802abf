import PolyclinicCore
import PolyclinicPlaces

/// A file of events that other calendar programs read (iCalendar, RFC 5545).
public struct CalendarFile: Sendable {
  /// The name that a subscribed calendar shows; nil for a single download.
  public var title: String?
  /// The events, in the order in which they are written.
  public var events: [CalendarEvent]
  /// The interval after which a subscribed calendar should refresh (RFC 7986, 5.7); nil for a
  /// single download.
  public var refresh: Seconds?
  /// The purpose of the file; ``Method/publish`` by default.
  public var method = Method.publish

  /// The purpose of a file (RFC 5546, 1.4).
  public enum Method: String, Sendable {
    /// Events for anyone who reads the file.
    case publish = "PUBLISH"
    /// An invitation of one person, or a change of it.
    case request = "REQUEST"
    /// The end of an invitation: calendars remove its event.
    case cancel = "CANCEL"
  }

  /// Creates a file of these events.
  public init(title: String? = nil, _ events: [CalendarEvent], refresh: Seconds? = nil) {
    self.title = title
    self.events = events
    self.refresh = refresh
  }

  /// The media type (RFC 5545, 8.1).
  public static let mediaType: StaticString = "text/calendar; charset=utf-8"

  /// Returns the file with `now` as the DTSTAMP of its events.
  public func bytes(at now: Instant) -> [UInt8] {
    var lines = ContentLineWriter()
    begin(&lines)
    for event in events { event.write(to: &lines, at: now) }
    lines.write("END", "VCALENDAR")
    return lines.bytes
  }

  /// Writes a file of any number of events without holding them all in memory.
  ///
  /// `events` passes each event to the function that it receives. Throws any error of `events` and
  /// of the sink.
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
    lines.write("METHOD", method.rawValue)
    if let title {
      lines.write("NAME", text: title)
      // For calendars older than RFC 7986.
      lines.write("X-WR-CALNAME", text: title)
    }
    if let refresh {
      lines.write("REFRESH-INTERVAL;VALUE=DURATION", refresh.calendarDuration)
      lines.write("X-PUBLISHED-TTL", refresh.calendarDuration)
    }
  }
}

/// An event for other calendar programs.
public struct CalendarEvent: Sendable {
  /// A globally unique and permanent identifier: a name, an `@` and a host (RFC 7986, 5.3).
  public let id: String
  /// The time from beginning to end; empty if only the beginning is known.
  public let span: Range<Instant>
  /// The event's title, which bystanders can read on the screen.
  public let summary: String
  /// The event's description; nil for none.
  public var details: String?
  /// The location in words; nil if unknown.
  public var location: String?
  /// The geographic position; nil if unknown.
  public var coordinates: Coordinates?
  /// The number of changes; calendar programs keep the version with the highest number.
  public var sequence = 0
  /// The time of the last change; nil if unknown.
  public var changedAt: Instant?
  /// The event's status; confirmed by default.
  public var status = Status.confirmed
  /// The times before the event at which to remind the user; ignored for a cancelled event.
  public var reminders: [Seconds] = []
  /// The parties of an invitation; nil for an event that anyone may read.
  public var invitation: Invitation?

  /// The parties of an invitation by e-mail (RFC 5546, 3.2), both as `mailto:` links.
  public struct Invitation: Sendable {
    /// The sender.
    public let organizer: OutsideLink
    /// The sender's name; empty for none.
    public let organizerName: String
    /// The person who is invited.
    public let attendee: OutsideLink

    /// Creates the parties.
    public init(from organizer: OutsideLink, named organizerName: String, to attendee: OutsideLink)
    {
      self.organizer = organizer
      self.organizerName = organizerName
      self.attendee = attendee
    }
  }

  /// The status of an event (RFC 5545, 3.8.1.11).
  public enum Status: String, Sendable {
    case confirmed = "CONFIRMED"
    case cancelled = "CANCELLED"
  }

  /// Creates a confirmed event without optional fields.
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
    // DTEND must be later than DTSTART, so an event without a known length has none.
    if !span.isEmpty { lines.write("DTEND", span.upperBound.basicText) }
    lines.write("SUMMARY", text: summary)
    if let details { lines.write("DESCRIPTION", text: details) }
    if let location { lines.write("LOCATION", text: location) }
    if let coordinates { lines.write("GEO", coordinates.written(separator: ";")) }
    lines.write("SEQUENCE", String(sequence))
    if let changedAt { lines.write("LAST-MODIFIED", changedAt.basicText) }
    lines.write("STATUS", status.rawValue)
    lines.write("CLASS", "PRIVATE")
    invitation?.write(to: &lines)
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

extension CalendarEvent.Invitation {
  /// Writes the attendee as one who has accepted and need not reply, because the event is booked
  /// already and replies are not read.
  fileprivate func write(to lines: inout ContentLineWriter) {
    let name = organizerName.isEmpty ? [] : [ContentLine.Parameter("CN", [organizerName])]
    lines.write(ContentLine("ORGANIZER", name, value: organizer.description.utf8))
    let state = [
      ("CUTYPE", "INDIVIDUAL"), ("ROLE", "REQ-PARTICIPANT"), ("PARTSTAT", "ACCEPTED"),
      ("RSVP", "FALSE"),
    ]
    lines.write(
      ContentLine(
        "ATTENDEE", state.map { ContentLine.Parameter($0, [$1]) },
        value: attendee.description.utf8))
  }
}

extension Seconds {
  /// `P1D` or `PT2H30M` (RFC 5545, 3.3.6), in whole minutes and at least one.
  fileprivate var calendarDuration: String {
    let minutes = max(1, count / 60)
    if minutes % 1_440 == 0 { return "P\(minutes / 1_440)D" }
    let hours = minutes / 60 > 0 ? "\(minutes / 60)H" : ""
    let rest = minutes % 60 > 0 ? "\(minutes % 60)M" : ""
    return "PT\(hours)\(rest)"
  }
}
