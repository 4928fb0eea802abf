import PolyclinicCore

/// The addresses of the calendar files and feeds for phones and computers.
enum CalendarRoutes {
  static var all: [Route] {
    [
      .get("{id}.ics", AppointmentFile.download),
      .get("calendar", CalendarFeedPages.show),
      .post("calendar/new", CalendarFeedPages.create),
      .post("calendar/{id}/revoke", save: CalendarFeedPages.revoke),
      .get("calendar/{token}.ics", access: .everyone, CalendarFeedPages.download),
    ]
  }
}
