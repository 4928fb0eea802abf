import PolyclinicCore

/// The ways from appointments to other calendars.
extension Context {
  /// Takes one appointment along as a file.
  func calendarFileLink(of appointment: Int64) -> HTML {
    """
    <p class="actions"><a class="button secondary" href="/appointments/\(appointment).ics">\
    \(text("calendar.file"))</a></p>
    """
  }

  /// Leads to the feeds.
  var calendarFeedsLink: HTML {
    """
    <p><a href="/appointments/calendar">\(text("calendar.follow"))</a></p>
    """
  }
}
