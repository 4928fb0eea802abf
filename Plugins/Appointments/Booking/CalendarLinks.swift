import PolyclinicCore

/// Links from appointments to other calendars.
extension Context {
  /// Returns a link that downloads one appointment as a file.
  func calendarFileLink<Entry>(of appointment: ID<Entry>) -> HTML {
    """
    \(actions:
      button("calendar.file", to: "/appointments/\(appointment).ics", style: .secondary))
    """
  }

  /// The link to the page of feeds.
  var calendarFeedsLink: HTML {
    """
    <p><a href="/appointments/calendar">\(text("calendar.follow"))</a></p>
    """
  }
}
